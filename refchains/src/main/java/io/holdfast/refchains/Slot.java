package io.holdfast.refchains;

import io.holdfast.core.LeakCandidate;
import java.util.Arrays;

/** A candidate's place in a search: its tracked instances and the entries at which they were met. */
final class Slot {
    final LeakCandidate candidate;
    /** Entry of each instance in the table, or {@link VisitedTable#NONE}. */
    final int[] entries;
    /** Whether the search was under way when the candidate came: then it may have passed the instances over, and can prove nothing by not meeting them. */
    boolean late;
    /** Whether the finding has been made. */
    boolean found;
    /** Whether the finding carries a chain. */
    boolean explained;

    Slot(LeakCandidate candidate) {
        this.candidate = candidate;
        this.entries = new int[Math.min(candidate.instances().size(), LeakCandidate.MAX_INSTANCES)];
        Arrays.fill(entries, VisitedTable.NONE);
    }

    /** The instance, or null if it has died. The caller drops it at the end of the slice. */
    Object instance(int i) {
        return candidate.instances().get(i).reference().get();
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
