package io.holdfast.refchains;

/*
 * Where the table is too small for the heap, a search that starts from all roots ends, full, at the same objects each time, and what lies behind them is
 * never seen. So after such a search the roots are dealt out to two searches, then to four, and so on: each comes further from those it has. What
 * leaks hangs a few steps below some static field or thread; it is found by the search that has this one.
 */
/**
 * The part of the roots one search starts from.
 *
 * @param parts number of searches that share the roots, a power of two
 * @param part  which of them, from 0
 */
record RootShare(int parts, int part) {
    static final RootShare ALL = new RootShare(1, 0);
    private static final int MAX_PARTS = 64;

    /** Whether the root with that number is among them. */
    boolean has(int root) {
        return (root & parts - 1) == part;
    }

    /** Whether a search from here says nothing about what it did not reach. */
    boolean partial() {
        return parts > 1;
    }

    /** The roots of the search after one from these that filled the table. */
    RootShare afterFull() {
        return partial() ? new RootShare(Math.min(MAX_PARTS, 2 * parts), part + 1 & parts - 1) : new RootShare(2, 0);
    }

    /** The roots of the search after one from these that saw everything below them. */
    RootShare afterWhole() {
        return part + 1 < parts ? new RootShare(parts, part + 1) : new RootShare(Math.max(1, parts / 2), 0);
    }
}
