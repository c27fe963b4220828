package io.holdfast.liveness;

import io.holdfast.core.LiveSample;
import io.holdfast.core.Ticker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Picks living rows for outputs. Of the Holdfast thread; touches only the rows it looks at. */
final class LiveSamples {
    private LiveSamples() { }

    /**
     * At most {@code max} living rows, oldest first. Of a larger table every n-th row is looked at: rows are in the order of their epochs, so each
     * cohort has its share.
     */
    static List<LiveSample> pick(TrackingTable table, int max, Ticker ticker, SiteNames names) {
        long nanos = ticker.nanos();
        Instant now = ticker.now();
        List<LiveSample> picked = new ArrayList<>(Math.max(0, Math.min(max, table.size())));
        long looks = Math.min(Math.max(0, max), table.size());
        for (long i = 0; i < looks; i++) {
            int row = (int) (i * table.size() / looks);
            if (!table.dead(row)) {
                TrackedClass type = table.origin(row).type;
                picked.add(new LiveSample(table.sequence(row), table.reference(row), type.type, type.name,
                        now.minusNanos(Math.max(0, nanos - table.allocationNanos(row))), table.allocationEpoch(row), table.bytes(row), table.weight(row),
                        table.threadId(row), table.threadName(row), names.of(table.origin(row).site), table.stack(row)));
            }
        }
        return List.copyOf(picked);
    }

    /** Says where a site is. */
    @FunctionalInterface
    interface SiteNames {
        String of(SiteHistory site);
    }
}
