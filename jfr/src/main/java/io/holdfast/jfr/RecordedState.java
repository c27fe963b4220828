package io.holdfast.jfr;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import jdk.jfr.consumer.RecordedEvent;

/**
 * The events of one state of knowledge, whichever chunks they stood in: copies in later chunks fill what an earlier one left out.
 */
final class RecordedState {
    private final Map<List<Object>, RecordedEvent> events = new HashMap<>();

    /** Which event it is within its state. */
    void add(RecordedEvent event) {
        events.put(key(event), event);
    }

    private static List<Object> key(RecordedEvent event) {
        String name = event.getEventType().getName();
        return switch (name) {
            case "holdfast.LeakCandidate" -> List.of(name, event.getInt("rank"));
            case "holdfast.LeakAllocation" -> List.of(name, Texts.read(event, "leakId"), event.getInt("number"));
            case "holdfast.LeakConfirmation" -> List.of(name, Texts.read(event, "leakId"));
            case "holdfast.AllocationVolume" -> List.of(name, Texts.read(event, "kind"), event.getInt("rank"));
            case "holdfast.ReferenceChain" -> List.of(name, Texts.read(event, "leakId"), event.getInt("chain"));
            case "holdfast.ReferenceChainHop" -> List.of(name, Texts.read(event, "leakId"), event.getInt("chain"), event.getInt("index"));
            default -> List.of(name);
        };
    }

    /** The status, or null. */
    RecordedEvent status() {
        return events.get(List.of("holdfast.Status"));
    }

    /** The leak of that rank, or null. */
    RecordedEvent leak(int rank) {
        return events.get(List.of("holdfast.LeakCandidate", rank));
    }

    RecordedEvent allocation(String leakId, int number) {
        return events.get(List.of("holdfast.LeakAllocation", leakId, number));
    }

    /** What the VM said about a leak, or null. */
    RecordedEvent confirmation(String leakId) {
        return events.get(List.of("holdfast.LeakConfirmation", leakId));
    }

    RecordedEvent volume(String kind, int rank) {
        return events.get(List.of("holdfast.AllocationVolume", kind, rank));
    }

    RecordedEvent chain(String leakId, int chain) {
        return events.get(List.of("holdfast.ReferenceChain", leakId, chain));
    }

    RecordedEvent hop(String leakId, int chain, int index) {
        return events.get(List.of("holdfast.ReferenceChainHop", leakId, chain, index));
    }
}
