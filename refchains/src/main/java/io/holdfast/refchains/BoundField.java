package io.holdfast.refchains;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A number field by whose name a collection, or the object that holds one, says how many elements it takes at the most.
 *
 * @param offset       where it is; of a static field in the {@code Class} object
 * @param wide         whether it is a {@code long} and not an {@code int}
 * @param fixed        whether it is static
 * @param ofCollection whether the name says so in a collection
 * @param ofHolder     whether it says so in an object that holds one
 */
record BoundField(long offset, boolean wide, boolean fixed, boolean ofCollection, boolean ofHolder) {
    private static final Set<String> WORDS = Set.of("capacity", "limit", "bound");
    /** How long, not how many. */
    private static final Pattern DURATION = Pattern.compile("(?:Age|Idle|Time|Timeout|Wait|Life|Lifetime|Ttl|TTL|Delay|Millis|Ms|Nanos|Seconds|Minutes|Duration|Interval)(?![a-z])");
    /**
     * What holds a collection has many numbers besides: the most bytes of a message, the longest time it waits. So the name must say that it is elements which
     * are meant, or what they are kept for.
     */
    private static final Pattern HOLDERS = Pattern.compile("(?:max|maximum)?(?:capacity|(?:reservoir|cache|sample|history|queue|ring)(?:max|maximum)?(?:size|capacity|entries))"
            + "|(?:max|maximum)(?:size|entries|elements|items|cached|retained)|(?:entries|elements|items|size)(?:max|maximum|limit)");

    /** The field with that name, whatever it is for. */
    static BoundField of(String name, long offset, boolean wide, boolean fixed) {
        return new BoundField(offset, wide, fixed, named(name), namedByHolder(name));
    }

    /**
     * {@code maximumSize}, {@code maxEntries}, {@code val$max}, {@code capacity}; not {@code maxAge}. What only goes along with the size (a limit for producers) has longer
     * names.
     */
    static boolean named(String field) {
        String name = plain(field);
        return name.contains("max") && !DURATION.matcher(field).find() || WORDS.contains(name);
    }

    /** {@code maxEntries}, {@code CACHE_SIZE}, {@code reservoirSize}, {@code capacity}; not {@code maxIdleMillis}, {@code bufferSize}, {@code initialCapacity}. */
    static boolean namedByHolder(String field) {
        return HOLDERS.matcher(plain(field).replace("_", "")).matches();
    }

    private static String plain(String field) {
        String name = field.toLowerCase(Locale.ROOT);
        return name.substring(name.lastIndexOf('$') + 1);
    }
}
