package io.holdfast.refchains;

import io.holdfast.core.Counters;

/*
 * The walk reads an object once. What is put below it later, or moved there from a place that has not been read yet, is met only if the object is read again.
 * So each pass ends with a look at some of the objects that have been read: below which of them what is sought has arrived, roots, what is known to have changed,
 * and everything else in turns. They are not remembered as objects but read again from their root; where that way breaks is where the graph has changed, and what
 * is in the broken reference's place is met from there.
 *
 * It makes finding likelier, not certain: certain is only the lap over everything that a search ends with, and only for what does not move during the lap.
 */
/** Reads again, a little at each pass, what has been read. Bounded by quotas and by the slice. Not thread-safe. */
final class Rotation {
    static final int LEAK_PARENTS = 16;
    static final int STALE = 256;
    static final int TRANSIENT_ROOTS = 16;
    static final int STATIC_ANCHORS = 32;
    static final int AT_RISK = 16;
    /** Admissions kept for rotation at the most, of a pass's budget. */
    static final int RESERVED = 288;
    /** Longer ways are left to the laps: to read them at each pass would cost more than it brings. */
    private static final int MAX_WAY = 256;

    private final VisitedTable table;
    private final HeapWalk walk;
    private final ObjectPath path;
    private final Slice slice;
    private final Lanes lanes;
    private final RotationSources sources;
    private int staleCursor;

    Rotation(VisitedTable table, HeapWalk walk, ObjectPath path, Slice slice, Lanes lanes, RotationSources sources) {
        this.table = table;
        this.walk = walk;
        this.path = path;
        this.slice = slice;
        this.lanes = lanes;
        this.sources = sources;
    }

    /**
     * One turn of all sources, or what the slice and the admissions allow of it. What was cut off is not made up for: cursors stay. The largest source comes last: the
     * others are never starved by it.
     */
    void run() {
        // What has moved may move again: it is walked before what has waited longer.
        lanes.urgently();
        leakParents();
        turns(sources.transientRoots, TRANSIENT_ROOTS);
        staticAnchors();
        atRisk();
        stale();
        lanes.headDone();
    }

    /** To the priority lane: they are walked, and what is met from them, before most of what waits. */
    private void leakParents() {
        for (int entry : sources.leakParents.grown(LEAK_PARENTS)) {
            if (!goesOn()) {
                return;
            }
            if (!table.marked(entry, Mark.QUEUED)) {
                look(entry, true);
            }
        }
    }

    private void turns(EntryList entries, int max) {
        for (int i = Math.min(max, entries.size()); i > 0 && goesOn(); i--) {
            look(entries.next(), false);
        }
    }

    /** Those above what is sought first, then those that have not had a second look, then containers, then the others. */
    private void staticAnchors() {
        int left = STATIC_ANCHORS;
        int leak = Math.min(left / 2, sources.leakAnchors.size());
        turns(sources.leakAnchors, leak);
        left -= leak;
        for (int entry = sources.pollFresh(); entry >= 0 && goesOn(); entry = left > 1 ? sources.pollFresh() : VisitedTable.NONE) {
            look(entry, false);
            left--;
        }
        int containers = Math.min(left, sources.containerAnchors.size());
        turns(sources.containerAnchors, containers);
        turns(sources.otherAnchors, left - containers);
    }

    /** Half of the quota goes to where what is sought has arrived, the rest to all others. */
    private void stale() {
        int leaky = Math.min((STALE + 1) / 2, sources.leakParents.size());
        for (int i = 0; i < leaky && goesOn(); i++) {
            look(sources.leakParents.next(), false);
        }
        int walked = lanes.waitingFrom(table.size());
        for (int i = Math.min(STALE - leaky, walked); i > 0 && goesOn(); i--) {
            staleCursor = staleCursor < walked ? staleCursor : 0;
            look(staleCursor++, false);
        }
    }

    private void atRisk() {
        for (int i = 0; i < AT_RISK && !sources.atRisk.isEmpty() && goesOn(); i++) {
            look(sources.atRisk.remove(), false);
        }
    }

    private boolean goesOn() {
        return !slice.over() && slice.mayAdmit();
    }

    /** Reads the way to the entry, and what leaves its object; or, where the way breaks, what leaves the last object that is still in its place. */
    private void look(int entry, boolean urgent) {
        if (!path.load(entry, MAX_WAY)) {
            return;
        }
        Object base = path.holder();
        int at = VisitedTable.NONE;
        for (int i = 0; i < path.length() && base != null; i++) {
            slice.read();
            Object object = path.step(base, i);
            if (object == null) {
                break;
            }
            base = object;
            at = path.entry(i);
        }
        if (base == null) {
            return;
        }
        if (at == VisitedTable.NONE) {
            Object now = path.reread(base, 0);
            if (now != null) {
                walk.meetRoot(now, base, path.kind(0), path.edge(0));
            }
        } else if (!urgent || !walk.queueUrgently(base, at)) {
            walk.readAgain(base, at);
        }
    }
}
