package io.holdfast.jfr;

import io.holdfast.core.Counters;
import java.nio.file.Path;
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
    private static final String DUMP = "The file of option jfr was not written";

    private final Path atExit;
    private final Part<OwnRecording> part;

    public ContinuousRecording(Counters counters) {
        this(counters, null);
    }

    /** @param atExit file that is also written when the JVM ends with the recording still open, or null */
    public ContinuousRecording(Counters counters, Path atExit) {
        this.atExit = atExit;
        this.part = new Part<>("The recording of option jfr is not running", counters, "jfr.recording.failures");
    }

    /** Starts the recording on a thread of its own, because that may start Flight Recorder; returns at once. Idempotent; not again after close. */
    public void start() {
        part.start(() -> OwnRecording.start(atExit), opened -> { });
    }

    /**
     * Writes what was recorded so far: to a temporary file in the same directory, which is moved into place whole. Directories are made. Waits for
     * a start under way.
     *
     * @return whether the file is there
     */
    public boolean dump(Path file) {
        return part.await() && part.use(recording -> dump(recording, file), false);
    }

    private boolean dump(OwnRecording recording, Path file) {
        try {
            recording.dump(file);
            part.recovered();
            return true;
        } catch (Throwable e) {
            part.failed(DUMP, e);
            return false;
        }
    }

    /** Why there is no recording or no file, as one sentence; empty while all is well or still starting. */
    public Optional<String> failure() {
        return part.failure();
    }

    /** Ends and discards the recording; writes nothing. Idempotent. */
    @Override
    public void close() {
        part.close();
    }
}
