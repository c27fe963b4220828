package io.holdfast.jfr;

import java.time.Duration;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/** The running stream behind {@link AllocationScout}; the only class of the scout that needs Flight Recorder to load. */
final class AllocationStream implements AutoCloseable {
    private static final String SAMPLE = "jdk.ObjectAllocationSample";
    private static final String COLLECTION = "jdk.GarbageCollection";
    private static final String CONCURRENT_CYCLE = "G1Old";
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final String THREAD_NAME = "JFR Event Stream (holdfast)";

    private final RecordingStream stream;
    private Thread reader;
    private volatile boolean closed;
    /** The rate that the stream has; none while negative. Confined by the caller of {@link #throttle}. */
    private int told = -1;

    private AllocationStream(RecordingStream stream) {
        this.stream = stream;
    }

    /**
     * Opens the stream and starts to read it on a daemon thread. The thread that Flight Recorder would start is none: it would keep a program from ending
     * whose {@code main} has returned.
     *
     * @param oldCycleSeen told about each finished concurrent cycle of G1, or null when nobody needs to know
     * @param failed       told about errors and the end of the stream
     */
    static AllocationStream open(int samplesPerSecond, Consumer<RecordedEvent> samples, Runnable oldCycleSeen, Consumer<Throwable> failed) {
        if (!FlightRecorder.isAvailable()) {
            throw new IllegalStateException("Flight Recorder is not available in this JVM");
        }
        RecordingStream stream = new RecordingStream();
        try {
            AllocationStream opened = new AllocationStream(stream);
            opened.throttle(samplesPerSecond);
            stream.onEvent(SAMPLE, samples);
            if (oldCycleSeen != null) {
                stream.enable(COLLECTION).withoutThreshold().withoutStackTrace();
                stream.onEvent(COLLECTION, event -> {
                    if (CONCURRENT_CYCLE.equals(event.getString("name"))) {
                        oldCycleSeen.run();
                    }
                });
            }
            stream.setOrdered(false);
            // Without a handler, errors go to the user's console.
            stream.onError(failed);
            opened.read(failed);
            return opened;
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    private void read(Consumer<Throwable> failed) {
        reader = new Thread(null, () -> {
            try {
                stream.start();
            } catch (Throwable e) {
                if (!closed) {
                    failed.accept(e);
                }
            }
        }, THREAD_NAME, 0, false);
        reader.setDaemon(true);
        reader.setContextClassLoader(null);
        reader.start();
    }

    /**
     * Every setting is explicit, here and at each change: what is left open is decided by the recordings of the user, and without a throttle
     * every refill of an allocation buffer is an event. Nothing happens when the rate is the one of now, because each setting takes the recorder's lock
     * and is written into every recording. One call at a time.
     */
    void throttle(int samplesPerSecond) {
        if (samplesPerSecond != told) {
            stream.enable(SAMPLE).with("throttle", samplesPerSecond + "/s").withStackTrace();
            told = samplesPerSecond;
        }
    }

    /** Ends the stream, and waits until its thread has done its work or five seconds have passed. */
    @Override
    public void close() {
        closed = true;
        stream.close();
        try {
            if (reader != Thread.currentThread()) {
                reader.join(CLOSE_LIMIT.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
