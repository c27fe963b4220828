package io.holdfast.refchains;

import io.holdfast.core.Counters;

/** What the walk notes for {@link Rotation}: entry numbers only, bounded by the table. Not thread-safe. */
final class RotationSources {
    /** Static roots that wait for their second look, and roots of chains to instances sought, at the most. */
    static final int MAX_FRESH = 1_024;
    static final int MAX_LEAK_ANCHORS = 16;
    /** Entries between an instance and its root that are gone through. */
    private static final int MAX_CHAIN = 4_096;

    final LeakParents leakParents;
    final AtRisk atRisk;
    /** Static roots that are collections or maps, and all others. */
    final EntryList containerAnchors = new EntryList();
    final EntryList otherAnchors = new EntryList();
    /** Static roots above instances sought. */
    final EntryList leakAnchors = new EntryList();
    /** Locals of running methods: as roots the least durable. */
    final EntryList transientRoots = new EntryList();
    private final VisitedTable table;
    private final int[] fresh = new int[MAX_FRESH];
    private int freshHead;
    private int freshCount;

    RotationSources(VisitedTable table, Counters counters) {
        this.table = table;
        this.leakParents = new LeakParents(table);
        this.atRisk = new AtRisk(table, counters);
    }

    /** An entry hangs on a root from now on. */
    void rooted(int entry, byte kind, boolean container) {
        if (kind == Link.ROOT_STACK) {
            transientRoots.add(entry);
        } else if (kind == Link.ROOT_STATIC) {
            (container ? containerAnchors : otherAnchors).add(entry);
            if (freshCount < MAX_FRESH) {
                fresh[(freshHead + freshCount++) % MAX_FRESH] = entry;
            }
        }
    }

    /** An instance that is sought has been reached. */
    void reached(int entry) {
        int at = entry;
        for (int i = 0; i < MAX_CHAIN && table.parent(at) >= 0; i++) {
            at = table.parent(at);
        }
        if (table.kind(at) == Link.ROOT_STATIC && leakAnchors.size() < MAX_LEAK_ANCHORS && !leakAnchors.contains(at)) {
            leakAnchors.add(at);
        }
    }

    /** The static root that has waited longest for its second look, or {@link VisitedTable#NONE}. */
    int pollFresh() {
        if (freshCount == 0) {
            return VisitedTable.NONE;
        }
        int entry = fresh[freshHead];
        freshHead = (freshHead + 1) % MAX_FRESH;
        freshCount--;
        return entry;
    }
}
