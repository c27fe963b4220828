package io.holdfast.refchains;

import io.holdfast.core.Counters;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/*
 * Why some hits are doubted
 *
 * Two objects of one class with equal identity hashes are one for the table (see VisitedTable). For most objects that costs what hangs below one of
 * thousands. In a list, whatever follows the merged node is lost: a list of 100 000 nodes would nearly always end early for the walk. So a hit on
 * the node of a linked structure is taken for another object, and admitted once more. Where the hit was true, the second entry's children are met
 * again, and there it ends: children of a doubted entry are not doubted. Hits that are certainly true are let be: a way back to the node before (a
 * list's prev, a tree's parent), and the second reading of the same reference.
 */
/** Decides which hits in the table may be two objects with equal hashes, and bounds how many entries that may cost. Not thread-safe. */
final class Merges {
    /** Doubts a class may cost whatever the size of the table. */
    private static final int FREE_DOUBTS = 64;
    /** More than the merges expected among ten million nodes (1 in 430), so that structures with many true hits, a graph say, stay cheap. */
    private static final int ENTRIES_PER_DOUBT = 256;

    private final VisitedTable table;
    private final LongAdder counter;
    private int[] doubtsByClass = new int[256];

    Merges(VisitedTable table, Counters counters) {
        this.table = table;
        this.counter = counters.counter("refchains.merges.doubted");
    }

    /** Whether a field of entry {@code parent} that leads to entry {@code known} of class {@code classId} may in truth lead to another object. */
    boolean doubtful(int parent, int known, int classId) {
        if (parent < 0 || spent(classId) || known == parent || table.parent(known) == parent || table.marked(parent, Mark.DOUBTED)) {
            return false;
        }
        int before = table.parent(parent);
        boolean linked = table.classId(parent) == classId || before >= 0 && table.classId(before) == classId;
        return linked && known != before && (before < 0 || known != table.parent(before));
    }

    /** Asked first: where true hits abound, no entry needs to be looked at. */
    private boolean spent(int classId) {
        return classId < doubtsByClass.length && doubtsByClass[classId] >= FREE_DOUBTS + table.size() / ENTRIES_PER_DOUBT;
    }

    /** Notes that an entry was admitted in doubt. */
    void doubted(int entry, int classId) {
        if (classId >= doubtsByClass.length) {
            doubtsByClass = Arrays.copyOf(doubtsByClass, Math.max(classId + 1, doubtsByClass.length * 2));
        }
        doubtsByClass[classId]++;
        table.mark(entry, Mark.DOUBTED);
        counter.increment();
    }
}
