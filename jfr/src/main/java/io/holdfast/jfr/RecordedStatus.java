package io.holdfast.jfr;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;

/** Status and searches as they were recorded. */
final class RecordedStatus {
    private RecordedStatus() { }

    /** @param allocation volumes of the same state, or null */
    static RunStatus of(RecordedEvent event, AllocationVolumes allocation) {
        Map<String, Long> counters = new LinkedHashMap<>();
        for (String counter : TextList.LINES.read(Texts.read(event, "counters"))) {
            int equals = counter.lastIndexOf('=');
            if (equals > 0) { // else the line that says how many are missing
                counters.put(counter.substring(0, equals), Long.parseLong(counter.substring(equals + 1)));
            }
        }
        RunStatus.Cost cost = new RunStatus.Cost(event.getLong("cpuTime"), event.getDouble("cpuShare"), event.getLong("longestSlice"),
                event.getLong("bytesHeld"), event.getLong("hookSlowPath"), event.getLong("stoppedTime"));
        return new RunStatus(Texts.read(event, "version"), Instant.ofEpochMilli(event.getLong("startedAt")), event.getLong("pid"),
                Texts.read(event, "jvmVersion"), Texts.read(event, "collector"), Texts.read(event, "accessLevel"), event.getBoolean("settled"),
                Texts.read(event, "verdict"), event.getInt("trackedObjects"), numbers(Texts.read(event, "floorBytes")), event.getDouble("secondsToExhaustion"),
                counters, cost, TextList.LINES.read(Texts.read(event, "limits")), allocation);
    }

    static SearchSummary search(RecordedEvent event) {
        boolean abandoned = event.getEventType().getName().equals("holdfast.SearchAbandoned");
        AbandonReason reason = abandoned ? Words.named(Texts.read(event, "reason"), AbandonReason.values(), AbandonReason::word) : AbandonReason.NONE;
        return new SearchSummary(event.getLong("searchId"), abandoned ? SearchState.ABANDONED : SearchState.COMPLETED, reason, event.getInt("passes"),
                event.getLong("visited"), event.getLong("references"), Instant.ofEpochMilli(event.getLong("startedAt")), event.getLong("cpuTime"),
                event.getLong("longestSlice"), event.getLong("tableBytes"));
    }

    static List<Long> numbers(String text) {
        return text == null || text.isEmpty() ? List.of() : Arrays.stream(text.split(" ")).map(Long::valueOf).toList();
    }
}
