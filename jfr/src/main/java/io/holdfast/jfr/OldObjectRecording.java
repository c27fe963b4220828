package io.holdfast.jfr;

import io.holdfast.core.Ticker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/*
 * Two recordings
 *
 * The VM samples old objects only while somebody asks for them, so a recording in memory asks from the start on, without paths, which costs nothing at
 * the end of anybody's chunk. The paths are searched when a recording that wants them is stopped, with that recording's own time limit: so each question
 * is a recording of a moment. Neither touches a setting of another recording, and none forbids an event. What the VM writes at that moment lies
 * in the stream of events, so a user's recording that runs then holds it as well.
 */
/** The recordings behind {@link RootConfirmer}; the only class of it that needs Flight Recorder to load. One thread at a time. */
final class OldObjectRecording implements AutoCloseable {
    static final String NAME = "holdfast-confirm";
    /** The VM gives up the search for paths after this time, and the application goes on. */
    static final Duration SEARCH_LIMIT = Duration.ofSeconds(1);
    private static final String SAMPLE = "jdk.OldObjectSample";
    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final String PATH_SEARCH = "JFROldObject";

    private final Recording standing;
    private final Ticker ticker;

    private OldObjectRecording(Recording standing, Ticker ticker) {
        this.standing = standing;
        this.ticker = ticker;
    }

    static OldObjectRecording start(Ticker ticker) {
        if (!FlightRecorder.isAvailable()) {
            throw new IllegalStateException("Flight Recorder is not available in this JVM");
        }
        JvmShutdown.check();
        Recording standing = new Recording();
        try {
            standing.setName(NAME);
            standing.setToDisk(false);
            standing.setSettings(Map.of(SAMPLE + "#enabled", "true", SAMPLE + "#stackTrace", "true", SAMPLE + "#cutoff", "0 ns"));
            standing.start();
            return new OldObjectRecording(standing, ticker);
        } catch (Throwable e) {
            standing.close();
            throw e;
        }
    }

    /** Stops the application while the VM looks for paths, {@link #SEARCH_LIMIT} and what it takes to end at the most. */
    OldObjects ask() throws IOException {
        Instant at = ticker.now().truncatedTo(ChronoUnit.MILLIS);
        Path file = Files.createTempFile("holdfast", ".jfr");
        JvmShutdown.check();
        try (Recording moment = new Recording()) {
            moment.setName(NAME);
            moment.setToDisk(true);
            moment.setSettings(Map.of(SAMPLE + "#enabled", "true", SAMPLE + "#stackTrace", "true", SAMPLE + "#cutoff", SEARCH_LIMIT.toMillis() + " ms",
                    OPERATION + "#enabled", "true", OPERATION + "#threshold", "0 ns"));
            moment.start();
            long before = ticker.nanos();
            moment.stop();
            long stopping = ticker.nanos() - before;
            moment.dump(file);
            return read(file, stopping, at);
        } finally {
            Files.deleteIfExists(file);
        }
    }

    /** @param atMost what the pause cannot have exceeded, where the VM does not tell */
    private static OldObjects read(Path file, long atMost, Instant at) throws IOException {
        List<OldObject> objects = new ArrayList<>();
        long pause = 0;
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                RecordedEvent event = recording.readEvent();
                String name = event.getEventType().getName();
                if (name.equals(SAMPLE)) {
                    OldObject object = OldObjectReader.read(event);
                    if (object != null) {
                        objects.add(object);
                    }
                } else if (name.equals(OPERATION) && PATH_SEARCH.equals(event.getString("operation"))) {
                    pause += event.getDuration().toNanos();
                }
            }
        }
        return new OldObjects(List.copyOf(objects), pause > 0 ? pause : atMost, at);
    }

    @Override
    public void close() {
        standing.close();
    }
}
