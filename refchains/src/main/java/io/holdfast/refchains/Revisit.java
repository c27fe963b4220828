package io.holdfast.refchains;

/**
 * Finds again what may have grown or moved while the search ran: collections, and parents of objects that died before they were walked. They
 * are not remembered as objects but read again from their root; where that way breaks is where the graph has changed, and there the
 * walk goes on.
 */
final class Revisit {
    /** Ways longer than this are left out: thousands of containers along one long list would cost its square. */
    private static final int MAX_WAY = 256;
    /** Containers found again before their contents get their turn. */
    private static final int BATCH = 1_024;

    private final VisitedTable table;
    private final HeapWalk walk;
    private final ObjectPath path;
    private final Slice slice;
    private int position;

    Revisit(VisitedTable table, HeapWalk walk, ObjectPath path, Slice slice) {
        this.table = table;
        this.walk = walk;
        this.path = path;
        this.slice = slice;
    }

    void restart() {
        position = 0;
    }

    /** Puts the next entries back into the frontier. Returns whether the table has been gone through. */
    boolean run(int wanted, boolean softReferents) {
        int found = 0;
        for (; position < table.size(); position++) {
            if (found == BATCH || slice.over()) {
                return false;
            }
            if ((position & Slice.READS_PER_CHECK - 1) == 0) {
                slice.read(1);
            }
            if (table.marked(position, wanted)) {
                if (!(softReferents ? softReferent() : container())) {
                    return false;
                }
                found++;
            }
            slice.advance();
        }
        return true;
    }

    private boolean container() {
        if (!path.load(position, MAX_WAY)) {
            return true;
        }
        Object base = path.holder();
        for (int i = 0; i < path.length() && base != null; i++) {
            slice.read();
            Object object = path.step(base, i);
            if (object == null) {
                if (i == 0) {
                    return rootChanged(base);
                }
                walk.again(base, path.entry(i - 1));
                return true;
            }
            base = object;
        }
        if (base != null) {
            walk.again(base, position);
        }
        return true;
    }

    private boolean rootChanged(Object holder) {
        Object now = path.reread(holder, 0);
        return now == null || walk.meetRoot(now, holder, path.kind(0), path.edge(0));
    }

    private boolean softReferent() {
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
