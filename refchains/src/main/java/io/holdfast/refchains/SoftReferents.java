package io.holdfast.refchains;

/** Admits, when nothing else is left to do, what only soft references hold. Their holders are read again from their roots. Not thread-safe. */
final class SoftReferents {
    /** Longer ways are left out: thousands of soft references along one long list would cost its square. */
    private static final int MAX_WAY = 256;
    /** Referents met before what they lead to gets its turn. */
    private static final int BATCH = 1_024;

    private final VisitedTable table;
    private final HeapWalk walk;
    private final ObjectPath path;
    private final Slice slice;
    private int position;

    SoftReferents(VisitedTable table, HeapWalk walk, ObjectPath path, Slice slice) {
        this.table = table;
        this.walk = walk;
        this.path = path;
        this.slice = slice;
    }

    /** Meets the next ones. Returns whether the table has been gone through. */
    boolean run() {
        int found = 0;
        for (; position < table.size(); position++) {
            if (found == BATCH || slice.over()) {
                return false;
            }
            if ((position & Slice.READS_PER_CHECK - 1) == 0) {
                slice.read(1);
            }
            if (table.marked(position, Mark.SOFT_HOLDER)) {
                if (!referent()) {
                    return false;
                }
                found++;
            }
            slice.advance();
        }
        return true;
    }

    private boolean referent() {
        if (!path.load(position, MAX_WAY)) {
            return true;
        }
        Object base = path.holder();
        for (int i = 0; i < path.length() && base != null; i++) {
            slice.read();
            base = path.step(base, i);
        }
        Object referent = base == null ? null : path.softReferent(base);
        return referent == null || walk.meetSoftReferent(referent, position);
    }
}
