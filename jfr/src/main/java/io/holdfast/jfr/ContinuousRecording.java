package io.holdfast.jfr;

import io.holdfast.core.Counters;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A recording of our own with {@code holdfast.*} events only (option {@code jfr=FILE}). It changes no setting of the user's recordings, and keeps at
 * most 16 MB of chunks in Flight Recorder's repository.
 *
 * <p>On JDK 19 and later a dump holds {@code holdfast.*} events only. Before, Flight Recorder can only copy whole chunks, so it also holds what
 * other recordings of this JVM asked for at the time, the scout's allocation samples among it.
 *
 * <p>Each dump ends a chunk, in the user's recordings too: harmless, but not for every second. Dump before {@link LeakEvents#close}: what is known is
 * written when a chunk ends. All methods may be called from any thread; nothing throws, {@link #failure} says what went wrong last.
 */
public final class ContinuousRecording implements AutoCloseable {
    private static final String START = "The recording of option jfr is not running";
    private static final String DUMP = "The file of option jfr was not written";
    private static final long START_LIMIT_SECONDS = 30;

    private final Counters counters;
    private final Path atExit;
    private final Object lock = new Object();
    private StartThread starter;
    private OwnRecording recording;
    private boolean closed;
    private volatile String failure;

    public ContinuousRecording(Counters counters) {
        this(counters, null);
    }

    /** @param atExit file that is also written when the JVM ends with the recording still open, or null */
    public ContinuousRecording(Counters counters, Path atExit) {
        this.atExit = atExit;
        this.counters = Objects.requireNonNull(counters, "counters");
    }

    /** Starts the recording on a thread of its own, because that may start Flight Recorder; returns at once. Idempotent; not again after close. */
    public void start() {
        synchronized (lock) {
            if (starter == null && !closed) {
                starter = StartThread.run(this::open, START, counters, "jfr.recording.failures");
            }
        }
    }

    /**
     * Writes what was recorded so far: to a temporary file in the same directory, which is moved into place whole. Directories are made. Waits for
     * a start under way.
     *
     * @return whether the file is there
     */
    public boolean dump(Path file) {
        StartThread begun;
        synchronized (lock) {
            begun = starter;
        }
        if (begun == null || !begun.await(START_LIMIT_SECONDS)) {
            return false;
        }
        synchronized (lock) {
            if (recording == null) {
                return false;
            }
            try {
                recording.dump(file);
                failure = null;
                return true;
            } catch (Throwable e) {
                failure = JfrFailure.text(DUMP, e);
                counters.increment("jfr.recording.failures");
                return false;
            }
        }
    }

    /** Why there is no recording or no file, as one sentence; empty while all is well or still starting. */
    public Optional<String> failure() {
        StartThread begun;
        synchronized (lock) {
            begun = starter;
        }
        return Optional.ofNullable(failure != null || begun == null ? failure : begun.failure());
    }

    /** Ends and discards the recording; writes nothing. Idempotent. */
    @Override
    public void close() {
        StartThread begun;
        synchronized (lock) {
            closed = true;
            begun = starter;
        }
        if (begun != null) {
            begun.await(START_LIMIT_SECONDS);
        }
        OwnRecording running;
        synchronized (lock) {
            running = recording;
            recording = null;
        }
        if (running != null) {
            close(running);
        }
    }

    private void open() {
        synchronized (lock) {
            if (closed) {
                return;
            }
        }
        OwnRecording opened = OwnRecording.start(atExit);
        boolean late;
        synchronized (lock) {
            late = closed;
            if (!late) {
                recording = opened;
            }
        }
        if (late) {
            close(opened);
        }
    }

    private void close(OwnRecording running) {
        try {
            running.close();
        } catch (RuntimeException e) {
            failure = JfrFailure.text(START, e);
            counters.increment("jfr.recording.failures");
        }
    }
}
