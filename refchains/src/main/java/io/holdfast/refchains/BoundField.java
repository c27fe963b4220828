package io.holdfast.refchains;

import java.util.Locale;
import java.util.Set;

/**
 * A number field by whose name a collection says how many elements it takes at the most.
 *
 * @param offset where it is
 * @param wide   whether it is a {@code long} and not an {@code int}
 */
record BoundField(long offset, boolean wide) {
    private static final Set<String> WORDS = Set.of("capacity", "limit", "bound");

    /** {@code maximumSize}, {@code maxEntries}, {@code val$max}, {@code capacity}; what only goes along with the size (a limit for producers) has longer names. */
    static boolean named(String field) {
        String name = field.toLowerCase(Locale.ROOT);
        return name.contains("max") || WORDS.contains(name.substring(name.lastIndexOf('$') + 1));
    }
}
