package io.holdfast.refchains;

/** Bits of an entry in the {@link VisitedTable}. */
final class Mark {
    /** Waits in the priority lane, to be read again. */
    static final int QUEUED = 1;
    /** Read again, or about to be, in the first lap over everything. */
    static final int FIRST_LAP = 1 << 1;
    /** The same in the second lap. */
    static final int SECOND_LAP = 1 << 2;
    /** Holds a soft referent that was left out so far. */
    static final int SOFT_HOLDER = 1 << 3;
    /** Admitted although an entry with its key existed: see {@link Merges}. */
    static final int DOUBTED = 1 << 4;

    private Mark() { }
}
