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

    private final RecordingStream stream;

    private AllocationStream(RecordingStream stream) {
        this.stream = stream;
    }

    /**
     * Opens the stream and starts it on a thread of Flight Recorder.
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
            stream.startAsync();
            return opened;
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
    }

    /**
     * Every setting is explicit, here and at each change: what is left open is decided by the recordings of the user, and without a throttle
     * every refill of an allocation buffer is an event.
     */
    void throttle(int samplesPerSecond) {
        stream.enable(SAMPLE).with("throttle", samplesPerSecond + "/s").withStackTrace();
    }

    /** Ends the stream, and waits until its thread has done its work or five seconds have passed. */
    @Override
    public void close() {
        stream.close();
        try {
            stream.awaitTermination(CLOSE_LIMIT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
