package io.holdfast.jfr;

/** Texts with a bound, since class names, thread names and stacks have none worth mentioning. */
final class EventText {
    /** Longest single name, characters. */
    static final int MAX_NAME = 512;
    /** Longest text of an event, bytes of UTF-8. */
    static final int MAX_BYTES = 64 << 10;

    private EventText() { }

    /** The name, cut at {@link #MAX_NAME}; null stays null. */
    static String name(String name) {
        return cut(name, MAX_NAME);
    }

    /** The text, cut at so many characters; null stays null. */
    static String cut(String text, int most) {
        return text == null || text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }

    /** The text, at most {@link #MAX_BYTES}; from a longer one lines in the middle are left out, and a line says how many. */
    static String lines(String text) {
        return utf8Bytes(text) <= MAX_BYTES ? text : MiddleCut.of(text.lines().map(EventText::name).toList(), MAX_BYTES, Integer.MAX_VALUE).text("lines");
    }

    static int utf8Bytes(String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // Each half of a surrogate pair counts two: four together.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
