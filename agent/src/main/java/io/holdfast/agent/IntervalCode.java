package io.holdfast.agent;

/**
 * What an instruction tells the interval lane, in the 30 bits of an {@code int} constant: site id plus one (14 bits, 0 = none), shape (14 bits), kind (2 bits).
 * The shape of a {@code new} is an index into the table of sizes; of an array it is the binary logarithm of its elements' width.
 */
final class IntervalCode {
    static final int SHAPE_SHIFT = 14;
    static final int MAX_SHAPES = 1 << 13;
    static final int NO_SITE = -1;
    /** A {@code new}: size by shape. */
    static final int OBJECT = 0;
    /** An array: size by its length. */
    static final int ARRAY = 1;
    /** An array of arrays: its rows are allocations too. */
    static final int NESTED = 2;
    /** What a call has made: size and kind are only known of the object itself, which may be null. */
    static final int MEASURED = 3;
    private static final int KIND_SHIFT = 28;
    private static final int MASK = (1 << SHAPE_SHIFT) - 1;

    private IntervalCode() { }

    static int of(int kind, int shape, int siteId) {
        return kind << KIND_SHIFT | shape << SHAPE_SHIFT | siteId + 1;
    }

    static int kind(long packed) {
        return (int) (packed >>> KIND_SHIFT) & 3;
    }

    static int shape(long packed) {
        return (int) (packed >>> SHAPE_SHIFT) & MASK;
    }

    /** The site, or {@link #NO_SITE}. */
    static int site(long packed) {
        return ((int) packed & MASK) - 1;
    }

    static long threadId(long packed) {
        return packed >> HookBytecode.THREAD_SHIFT;
    }
}
