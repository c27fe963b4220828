package io.holdfast.jfr;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** The recording behind {@link ContinuousRecording}; the only class of it that needs Flight Recorder to load. One thread at a time. */
final class OwnRecording implements AutoCloseable {
    static final String NAME = "holdfast";
    private static final String PREFIX = "holdfast.";
    private static final String JDK_PREFIX = "jdk.";
    /** Every chunk holds all that is known, so old ones are only history of passes and searches. */
    private static final long MAX_SIZE_BYTES = 16L << 20;

    private final Recording recording;
    private int typesSeen;
    /** Whether a recording of somebody else's has begun: what that leaves open must not be off because ours forbids it. */
    private volatile boolean leavesApplicationEventsOpen;
    private final FlightRecorderListener others = new FlightRecorderListener() {
        @Override
        public void recordingStateChanged(Recording other) {
            if (!leavesApplicationEventsOpen && other.getState() == RecordingState.RUNNING && !ours(other)) {
                leavesApplicationEventsOpen = true;
                startDaemon(() -> want(FlightRecorder.getFlightRecorder().getEventTypes()));
            }
        }
    };

    private OwnRecording(Recording recording) {
        this.recording = recording;
    }

    /** @param atExit where the JVM's own shutdown hook of Flight Recorder writes the recording, or null */
    static OwnRecording start(Path atExit) {
        if (!FlightRecorder.isAvailable()) {
            throw new IllegalStateException("Flight Recorder is not available in this JVM");
        }
        JvmShutdown.check();
        Recording recording = new Recording();
        OwnRecording started = new OwnRecording(recording);
        try {
            recording.setName(NAME);
            recording.setToDisk(true);
            recording.setMaxSize(MAX_SIZE_BYTES);
            started.leavesApplicationEventsOpen = FlightRecorder.getFlightRecorder().getRecordings().stream()
                    .anyMatch(other -> !started.ours(other));
            FlightRecorder.addListener(started.others);
            started.wantOnlyOurs();
            if (atExit != null) {
                // Flight Recorder deletes its files in a shutdown hook of its own, at the same moment as any hook of ours: only it can write them then.
                Files.createDirectories(atExit.toAbsolutePath().getParent());
                recording.setDestination(atExit);
                recording.setDumpOnExit(true);
            }
            recording.start();
            return started;
        } catch (IOException e) {
            started.close();
            throw new IllegalStateException(e);
        } catch (Throwable e) {
            started.close();
            throw e;
        }
    }

    /** An event type that is not mentioned is on by default: the application's own too, which we must not switch on for it. */
    private void wantOnlyOurs() {
        List<EventType> types = FlightRecorder.getFlightRecorder().getEventTypes();
        if (types.size() != typesSeen) {
            want(types);
            typesSeen = types.size();
        }
    }

    private void want(List<EventType> types) {
        Map<String, String> settings = new HashMap<>();
        for (EventType type : types) {
            boolean open = leavesApplicationEventsOpen && !type.getName().startsWith(JDK_PREFIX);
            if (!type.getName().startsWith(PREFIX) && !open) {
                settings.put(type.getName() + "#enabled", "false");
            }
        }
        for (String name : RegisteredEvents.NAMES) {
            settings.put(name + "#enabled", "true");
            settings.put(name + "#period", RegisteredEvents.period(name));
        }
        recording.setSettings(settings);
    }

    /** Streams have no name, but our mark; all other recordings of ours begin with our name. */
    private boolean ours(Recording other) {
        return other == recording || AllocationStream.owns(other) || other.getName().startsWith(NAME);
    }

    /** The caller is within Flight Recorder. */
    private static void startDaemon(Runnable work) {
        Thread thread = new Thread(null, work, StartThread.NAME, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        thread.setUncaughtExceptionHandler((failed, e) -> { }); // the recording has ended meanwhile
        thread.start();
    }

    /** Writes the file beside its place, readable by its owner only, and moves it there whole. */
    void dump(Path file) throws IOException {
        wantOnlyOurs();
        Path target = file.toAbsolutePath();
        Files.createDirectories(target.getParent());
        Path whole = Files.createTempFile(target.getParent(), ".holdfast", ".jfr.part");
        try {
            recording.dump(whole);
            keepOnlyOurs(whole);
            move(whole, target);
        } finally {
            Files.deleteIfExists(whole);
        }
    }

    /**
     * A chunk holds what any recording of the JVM wanted, so a dump of ours would hold the user's events and our allocation samples too. JDK 19
     * can leave them out; before, they stay.
     */
    private static void keepOnlyOurs(Path whole) throws IOException {
        Optional<MethodHandle> write = filteringWrite();
        if (write.isEmpty()) {
            return;
        }
        Path filtered = Files.createTempFile(whole.getParent(), ".holdfast", ".jfr.part");
        try {
            Predicate<RecordedEvent> ours = event -> event.getEventType().getName().startsWith(PREFIX);
            try (RecordingFile source = new RecordingFile(whole)) {
                write.get().invoke(source, filtered, ours);
            }
            move(filtered, whole);
        } catch (IOException | RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IOException(e);
        } finally {
            Files.deleteIfExists(filtered);
        }
    }

    private static Optional<MethodHandle> filteringWrite() {
        try {
            return Optional.of(MethodHandles.publicLookup().findVirtual(RecordingFile.class, "write",
                    MethodType.methodType(void.class, Path.class, Predicate.class)));
        } catch (NoSuchMethodException | IllegalAccessException e) {
            return Optional.empty();
        }
    }

    private void clearDestination() {
        try {
            recording.setDumpOnExit(false);
            recording.setDestination(null);
        } catch (IOException e) {
            throw new IllegalStateException("null is no file that could fail", e);
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    @Override
    public void close() {
        FlightRecorder.removeListener(others);
        if (recording.getDestination() != null && recording.getState() == RecordingState.RUNNING) {
            clearDestination(); // else closing writes the file once more
        }
        recording.close();
    }
}
