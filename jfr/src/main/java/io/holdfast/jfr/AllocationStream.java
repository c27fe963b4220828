package io.holdfast.jfr;

import java.time.Duration;
import java.util.function.Consumer;
import jdk.jfr.FlightRecorder;
import jdk.jfr.FlightRecorderListener;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;

/** The running stream behind {@link AllocationScout}; the only class of the scout that needs Flight Recorder to load. */
final class AllocationStream implements AllocationSource {
    static final String SAMPLE = "jdk.ObjectAllocationSample";
    static final String COLLECTION = "jdk.GarbageCollection";
    private static final String MARK = "holdfast";
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);
    private static final String THREAD_NAME = "JFR Event Stream (holdfast)";

    private final RecordingStream stream;
    private Thread reader;
    private volatile boolean closed;
    /** The rate that the stream has; none while negative. Confined by the caller of {@link #throttle}. */
    private int told = -1;

    /** Told by Flight Recorder when the recording behind the stream ends; on some JDKs (25) the stream itself would wait for events for ever. */
    private final FlightRecorderListener watcher = new FlightRecorderListener() {
        @Override
        public void recordingStateChanged(Recording recording) {
            if (!closed && recording.getState().compareTo(RecordingState.STOPPED) >= 0 && mark.equals(recording.getSettings().get(SAMPLE + "#" + MARK))) {
                endSoon();
            }
        }
    };
    /** A setting that no event knows, by which the recording behind the stream is told from others. */
    private final String mark;

    private AllocationStream(RecordingStream stream) {
        this.stream = stream;
        this.mark = Integer.toHexString(System.identityHashCode(stream));
    }

    /** Whether it is the recording behind a stream of ours. */
    static boolean owns(Recording recording) {
        return recording.getSettings().containsKey(SAMPLE + "#" + MARK);
    }

    /** The caller is somebody who stops a recording, within Flight Recorder: nothing may be closed there. */
    private void endSoon() {
        Thread ender = new Thread(null, stream::close, StartThread.NAME, 0, false);
        ender.setDaemon(true);
        ender.setContextClassLoader(null);
        ender.start();
    }

    /**
     * Opens the stream and starts to read it on a daemon thread. The thread that Flight Recorder would start is none: it would keep a program from ending
     * whose {@code main} has returned.
     *
     * @param events      takes the samples, and the collections if they are wanted
     * @param collections whether collections are wanted as well
     * @param error       told about errors after which the stream goes on, perhaps
     * @param ended       told when the stream has ended by itself
     */
    static AllocationStream open(int samplesPerSecond, Consumer<RecordedEvent> events, boolean collections, Consumer<Throwable> error,
                                 Consumer<Throwable> ended) {
        if (!FlightRecorder.isAvailable()) {
            throw new IllegalStateException("Flight Recorder is not available in this JVM");
        }
        JvmShutdown.check();
        RecordingStream stream = new RecordingStream();
        AllocationStream opened = new AllocationStream(stream);
        try {
            opened.throttle(samplesPerSecond);
            stream.onEvent(SAMPLE, events);
            if (collections) {
                stream.enable(COLLECTION).withoutThreshold().withoutStackTrace();
                stream.onEvent(COLLECTION, events);
            }
            stream.setOrdered(false);
            // Without a handler, errors go to the user's console.
            stream.onError(error);
            FlightRecorder.addListener(opened.watcher);
            opened.read(ended);
            return opened;
        } catch (Throwable e) {
            FlightRecorder.removeListener(opened.watcher);
            stream.close();
            throw e;
        }
    }

    private void read(Consumer<Throwable> ended) {
        reader = new Thread(null, () -> {
            Throwable cause;
            try {
                stream.start();
                // So it is when somebody stops or closes the recording behind it.
                cause = new IllegalStateException("the stream was ended by somebody else");
            } catch (Throwable e) {
                cause = e;
            }
            if (!closed && !JvmShutdown.begun()) {
                ended.accept(cause);
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
    @Override
    public void throttle(int samplesPerSecond) {
        if (samplesPerSecond != told) {
            stream.enable(SAMPLE).with("throttle", samplesPerSecond + "/s").with(MARK, mark).withStackTrace();
            told = samplesPerSecond;
        }
    }

    /** Ends the stream, and waits until its thread has done its work or five seconds have passed. */
    @Override
    public void close() {
        closed = true;
        FlightRecorder.removeListener(watcher);
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
