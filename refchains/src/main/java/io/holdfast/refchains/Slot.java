package io.holdfast.refchains;

import io.holdfast.core.LeakCandidate;
import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * A candidate's place in a search: its tracked instances and the entries at which they were met. Each instance is looked at once, when the slot is made, and then
 * known by its identity hash: to read a weak reference while a collector marks beside the program keeps alive what it returns, and a search that did so in each pass
 * would keep alive what it seeks, for as long as it seeks it.
 */
final class Slot {
    final LeakCandidate candidate;
    /** Entry of each instance in the table, or {@link VisitedTable#NONE}. */
    final int[] entries;
    private final int[] hashes;
    private final int[] classIds;
    private final boolean leaf;
    /** Whether the search was under way when the candidate came: then it may have passed the instances over, and can prove nothing by not meeting them. */
    boolean late;
    /** Whether the finding has been made. */
    boolean found;
    /** Whether the finding carries a chain. */
    boolean explained;

    Slot(LeakCandidate candidate, HeapReader reader) {
        this.candidate = candidate;
        this.entries = new int[Math.min(candidate.instances().size(), LeakCandidate.MAX_INSTANCES)];
        this.hashes = new int[entries.length];
        this.classIds = new int[entries.length];
        Arrays.fill(entries, VisitedTable.NONE);
        boolean anyLeaf = false;
        for (int i = 0; i < entries.length; i++) {
            Object instance = instance(i);
            if (instance != null) {
                ClassPlan plan = reader.plan(instance);
                hashes[i] = System.identityHashCode(instance);
                classIds[i] = plan.id();
                anyLeaf |= plan.shape() == Shape.LEAF;
            }
        }
        leaf = anyLeaf;
    }

    /** The instance, or null if it has died. For one that was reached; the caller drops it at the end of the slice. */
    Object instance(int i) {
        return candidate.instances().get(i).reference().get();
    }

    boolean alive(int i) {
        return !candidate.instances().get(i).reference().refersTo(null);
    }

    /** Whether that object, which is held by somebody, is the instance. */
    @SuppressWarnings("unchecked")
    boolean is(int i, Object object) {
        return ((WeakReference<Object>) candidate.instances().get(i).reference()).refersTo(object);
    }

    int hash(int i) {
        return hashes[i];
    }

    int classId(int i) {
        return classIds[i];
    }

    /** Whether one of the instances is of a class without references. */
    boolean leaf() {
        return leaf;
    }

    boolean reached(int i) {
        return entries[i] != VisitedTable.NONE;
    }

    /** Forgets where instances were met (a new search begins). */
    void reset() {
        Arrays.fill(entries, VisitedTable.NONE);
        late = false;
        found = false;
        explained = false;
    }

    int reachedCount() {
        int reached = 0;
        for (int entry : entries) {
            reached += entry == VisitedTable.NONE ? 0 : 1;
        }
        return reached;
    }
}
