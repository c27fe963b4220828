package io.holdfast.liveness;

import java.util.IdentityHashMap;
import java.util.Map;

/**
 * Makes room in a full table that may not grow. A leak fills the table with survivors; were newcomers simply refused, its ages would stop
 * spreading and it would look healed. So rows go from where they say least, and their weight passes to a neighbour of the same origin.
 */
final class TableThinning {
    /** The second, coarser step follows when the first freed less than one row in this many. */
    private static final int ENOUGH_FREED = 8;

    private TableThinning() { }

    /** Returns how many rows went. */
    static int thin(TrackingTable table) {
        int before = table.size();
        // Every second row of a cohort, never its first: no age is lost.
        int dropped = table.retain(new EverySecond(table, false, before));
        if (dropped < before / ENOUGH_FREED) {
            dropped += table.retain(new EverySecond(table, true, table.size() / 2));
        }
        return dropped;
    }

    private static final class EverySecond implements TrackingTable.RowFilter {
        private final TrackingTable table;
        private final boolean acrossCohorts;
        private final int end;
        private final Map<SiteClass, Last> lastKept = new IdentityHashMap<>();
        private int kept;

        EverySecond(TrackingTable table, boolean acrossCohorts, int end) {
            this.table = table;
            this.acrossCohorts = acrossCohorts;
            this.end = end;
        }

        @Override
        public boolean keep(int row) {
            Last last = lastKept.computeIfAbsent(table.origin(row), origin -> new Last());
            boolean pair = last.row >= 0 && (acrossCohorts || last.epoch == table.allocationEpoch(row));
            if (row < end && pair) {
                table.addWeight(last.row, table.weight(row));
                last.row = -1;
                return false;
            }
            last.row = kept++;
            last.epoch = table.allocationEpoch(row);
            return true;
        }
    }

    private static final class Last {
        private int row = -1;
        private long epoch;
    }
}
