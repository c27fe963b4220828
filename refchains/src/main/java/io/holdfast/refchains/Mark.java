package io.holdfast.refchains;

/** Bits of an entry in the {@link VisitedTable}. */
final class Mark {
    /** Only a soft reference leads here. */
    static final int SOFT = 1;
    /** A collection or map: read again when the queue has run dry, for it may have grown meanwhile. */
    static final int CONTAINER = 1 << 1;
    /** A child of this entry died before it was walked: what hung below may now hang elsewhere. */
    static final int LOST_CHILD = 1 << 2;
    /** Read again, or about to be, in the first lap over what may have changed. */
    static final int FIRST_LAP = 1 << 3;
    /** The same in the second lap. */
    static final int SECOND_LAP = 1 << 6;
    /** Holds a soft referent that was left out so far. */
    static final int SOFT_HOLDER = 1 << 4;
    /** Part of a collection: an array or a node that only its collection uses. */
    static final int INTERNAL = 1 << 5;
    /** Admitted although an entry with its key existed: see {@link Merges}. */
    static final int DOUBTED = 1 << 7;

    private Mark() { }
}
