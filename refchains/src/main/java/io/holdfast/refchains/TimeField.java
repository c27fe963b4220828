package io.holdfast.refchains;

import java.util.List;
import java.util.Locale;

/**
 * A field in which an object states a time: when it was made, or until when it is kept. Whatever is made of such objects may be kept for a while only, which no walk
 * of a minute can tell from for ever.
 */
final class TimeField {
    private static final List<String> WORDS = List.of("created", "creation", "timestamp", "expir", "deadline");
    /** How an object must be called to be one: {@code createdBy} is somebody. */
    private static final List<String> ENDS = List.of("at", "time", "timestamp", "date", "deadline", "expiry", "expiration");
    /** How none is called: {@code expiredCount}, {@code createdById}, {@code timestampFormat}. */
    private static final List<String> NO_ENDS = List.of("count", "by", "id", "size", "bytes", "total", "interval", "format");

    private TimeField() { }

    /** {@code created}, {@code creationTime}, {@code expiresAt}, {@code timestamp}: a {@code long}, or an object whose name leaves no other choice. */
    static boolean is(String name, char type) {
        String lower = name.toLowerCase(Locale.ROOT);
        return (type == 'J' || type == 'L' && ENDS.stream().anyMatch(lower::endsWith)) && WORDS.stream().anyMatch(lower::contains) && NO_ENDS.stream().noneMatch(lower::endsWith);
    }
}
