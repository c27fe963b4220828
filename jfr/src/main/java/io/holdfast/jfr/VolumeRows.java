package io.holdfast.jfr;

import io.holdfast.core.AllocationVolumes;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;

/** The three tables of allocation volumes as events, and back. */
final class VolumeRows {
    static final List<String> KINDS = List.of("class", "site", "thread");

    private VolumeRows() { }

    /** The tables in the order of {@link #KINDS}. */
    static List<AllocationVolumes.Table> tables(AllocationVolumes volumes) {
        return List.of(volumes.classes(), volumes.sites(), volumes.threads());
    }

    /** How many rows each table has, so that a reader sees what is missing. */
    static String counts(AllocationVolumes volumes) {
        return tables(volumes).stream().map(table -> String.valueOf(table.rows().size())).collect(Collectors.joining(" "));
    }

    /** The volumes of a recorded state; null when there were none, or when some of them are missing: then a gap says so. */
    static AllocationVolumes read(RecordedState state, List<String> gaps) {
        RecordedEvent status = state.status();
        String counts = status.hasField("allocationRows") ? Texts.read(status, "allocationRows") : null;
        if (counts == null || counts.isEmpty()) {
            return null;
        }
        List<Integer> sizes = Stream.of(counts.split(" ")).map(Integer::valueOf).toList();
        List<AllocationVolumes.Table> tables = new ArrayList<>();
        for (int kind = 0; kind < KINDS.size(); kind++) {
            tables.add(table(state, KINDS.get(kind), sizes.get(kind)));
        }
        if (tables.contains(null)) {
            gaps.add("Allocation volumes are missing in the recording.");
            return null;
        }
        return new AllocationVolumes(status.getDouble("allocationWindow"), status.getLong("allocationSamples"), tables.get(0), tables.get(1), tables.get(2));
    }

    private static AllocationVolumes.Table table(RecordedState state, String kind, int size) {
        List<AllocationVolumes.Row> rows = new ArrayList<>();
        RecordedEvent event = state.volume(kind, 0);
        for (int rank = 0; rank < size && event != null; rank++) {
            rows.add(new AllocationVolumes.Row(Texts.read(event, "name"), event.getLong("bytes")));
            event = state.volume(kind, rank + 1);
        }
        return event == null ? null : new AllocationVolumes.Table(rows, event.getLong("bytes"));
    }
}
