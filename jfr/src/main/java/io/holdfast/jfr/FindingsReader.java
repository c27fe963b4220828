package io.holdfast.jfr;

import io.holdfast.core.SearchSummary;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Reads back from a recording what {@link LeakEvents} wrote into it: the newest state of knowledge that is whole, or else the newest one with what is
 * there of it. Needs nothing but the file; one chunk is enough. Memory: the events of four states, whatever the size of the file.
 */
public final class FindingsReader {
    private static final int STATES_KEPT = 4;
    private static final int SEARCHES_KEPT = 16;
    private static final Set<String> OF_A_STATE = Set.of("holdfast.Status", "holdfast.LeakCandidate", "holdfast.LeakAllocation",
            "holdfast.AllocationVolume", "holdfast.LeakConfirmation", "holdfast.ReferenceChain", "holdfast.ReferenceChainHop");
    private static final Set<String> OF_A_SEARCH = Set.of("holdfast.SearchAbandoned", "holdfast.SearchCompleted");

    private final Path file;
    private final TreeMap<Long, RecordedState> states = new TreeMap<>();
    /** By start of the search and order of writing: later runs number their searches anew. */
    private final TreeMap<Long, List<RecordedEvent>> searches = new TreeMap<>();

    private FindingsReader(Path file) {
        this.file = file;
    }

    /** @throws UnreadableRecordingException when the file is no readable recording, or holds no events of Holdfast */
    public static RecordedFindings read(Path file) throws UnreadableRecordingException {
        RecordingFiles.check(file);
        FindingsReader reader = new FindingsReader(file);
        try {
            reader.readEvents();
            return reader.newest();
        } catch (IOException | RuntimeException | InternalError | OutOfMemoryError | StackOverflowError e) {
            // The parser of damaged files fails in many ways, with absurd lengths and endless nesting too, and a field may be missing in what another version wrote.
            throw new UnreadableRecordingException(file + " cannot be read: it is damaged, or was written by another version of Holdfast ("
                    + e.getClass().getSimpleName() + ": " + e.getMessage() + ").");
        }
    }

    private void readEvents() throws IOException {
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                if (OF_A_STATE.contains(name)) {
                    states.computeIfAbsent(event.getLong("asOf"), time -> new RecordedState()).add(event);
                    if (states.size() > STATES_KEPT) {
                        states.pollFirstEntry();
                    }
                } else if (OF_A_SEARCH.contains(name)) {
                    searches.computeIfAbsent(event.getLong("startedAt"), time -> new ArrayList<>()).add(event);
                    if (searches.size() > SEARCHES_KEPT) {
                        searches.pollFirstEntry();
                    }
                }
            }
        }
    }

    private RecordedFindings newest() throws UnreadableRecordingException {
        RecordedFindings newest = null;
        for (long asOf : states.descendingKeySet()) {
            RecordedState state = states.get(asOf);
            if (state.status() == null) {
                continue;
            }
            RecordedFindings findings = findings(asOf, state);
            if (findings.gaps().isEmpty()) {
                return findings;
            }
            newest = newest == null ? findings : newest;
        }
        if (newest == null) {
            throw new UnreadableRecordingException(file + " holds no events of Holdfast (holdfast.Status); it was recorded without Holdfast, or ended before"
                    + " Holdfast was ready.");
        }
        return newest;
    }

    private RecordedFindings findings(long asOf, RecordedState state) {
        LeakRebuilder rebuilder = new LeakRebuilder(state);
        rebuilder.addAll(state.status().getInt("leaks"));
        RunStatus status = RecordedStatus.of(state.status(), VolumeRows.read(state, rebuilder.gaps()));
        return new RecordedFindings(Instant.ofEpochMilli(asOf), status, rebuilder.leaks(), searchesOf(status), rebuilder.gaps());
    }

    private List<SearchSummary> searchesOf(RunStatus status) {
        List<SearchSummary> found = new ArrayList<>();
        searches.tailMap(status.startedAt().toEpochMilli()).values().forEach(events -> {
            events.sort((one, other) -> Long.compare(one.getLong("searchId"), other.getLong("searchId")));
            events.forEach(event -> found.add(RecordedStatus.search(event)));
        });
        return found.subList(Math.max(0, found.size() - SEARCHES_KEPT), found.size());
    }
}
