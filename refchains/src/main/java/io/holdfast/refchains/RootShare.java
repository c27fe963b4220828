package io.holdfast.refchains;

/*
 * Where the table is too small for the heap, a search that starts from all roots ends, full, at the same objects each time, and what lies behind them is
 * never seen. So after such a search the roots are dealt out to two searches, and if one of them fills the table as well, to four, and so on: each
 * comes further from those it has. What leaks hangs a few steps below some static field or thread; it is found by the search that has this one.
 */
/**
 * The part of the roots one search starts from.
 *
 * @param parts number of searches that share the roots, a power of two
 * @param part  which of them, from 0
 * @param full  whether one of them has filled the table
 */
record RootShare(int parts, int part, boolean full) {
    static final RootShare ALL = new RootShare(1, 0, false);
    private static final int MAX_PARTS = 64;

    /** Whether the root with that number is among them. */
    boolean has(int root) {
        return (root & parts - 1) == part;
    }

    /** Whether a search from here says nothing about what it did not reach. */
    boolean partial() {
        return parts > 1;
    }

    /** The roots of the search after one from these. All have their turn before they are dealt out anew. */
    RootShare next(boolean filledTheTable) {
        boolean any = full || filledTheTable;
        if (part + 1 < parts) {
            return new RootShare(parts, part + 1, any);
        }
        return new RootShare(any ? Math.min(MAX_PARTS, 2 * parts) : Math.max(1, parts / 2), 0, false);
    }
}
