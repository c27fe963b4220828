package io.holdfast.jfr;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import jdk.jfr.Recording;
import jdk.jfr.RecordingState;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Allocation samples without a stream: a recording whose file is read every {@value #INTERVAL_SECONDS} seconds. Each reading ends a chunk of every
 * recording that runs. The rate of the samples is kept low, because they wait in a file: {@value #MAX_SAMPLES_PER_SECOND} a second.
 */
final class PolledAllocations implements AllocationSource {
    static final int INTERVAL_SECONDS = 20;
    static final int MAX_SAMPLES_PER_SECOND = 50;
    static final String NAME = "holdfast-allocations";
    private static final String THREAD_NAME = "JFR poll (holdfast)";
    private static final long MAX_SIZE_BYTES = 16L << 20;
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final Consumer<RecordedEvent> events;
    private final boolean collections;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread reader;
    private Recording current;
    private int rate;
    private boolean closed;

    private PolledAllocations(int samplesPerSecond, Consumer<RecordedEvent> events, boolean collections, long intervalMillis, Consumer<Throwable> failed) {
        this.events = events;
        this.collections = collections;
        this.rate = Math.min(MAX_SAMPLES_PER_SECOND, samplesPerSecond);
        this.current = begin();
        this.reader = new Thread(null, () -> read(intervalMillis, failed), THREAD_NAME, 0, false);
        reader.setDaemon(true);
        reader.setContextClassLoader(null);
        reader.start();
    }

    /**
     * @param collections whether collections are wanted as well
     * @param failed      told when this has ended by itself
     */
    static PolledAllocations open(int samplesPerSecond, Consumer<RecordedEvent> events, boolean collections, long intervalMillis, Consumer<Throwable> failed) {
        return new PolledAllocations(samplesPerSecond, events, collections, intervalMillis, failed);
    }

    /** As with the stream, every setting of the event is explicit. */
    private Recording begin() {
        JvmShutdown.check();
        Recording recording = new Recording();
        try {
            recording.setName(NAME);
            recording.setToDisk(true);
            recording.setMaxSize(MAX_SIZE_BYTES);
            settings(recording);
            recording.start();
            return recording;
        } catch (Throwable e) {
            recording.close();
            throw e;
        }
    }

    private void settings(Recording recording) {
        recording.enable(AllocationStream.SAMPLE).with("throttle", rate + "/s").withStackTrace();
        if (collections) {
            recording.enable(AllocationStream.COLLECTION).withoutThreshold().withoutStackTrace();
        }
    }

    @Override
    public synchronized void throttle(int samplesPerSecond) {
        int bounded = Math.min(MAX_SAMPLES_PER_SECOND, samplesPerSecond);
        if (bounded != rate) {
            rate = bounded;
            settings(current);
        }
    }

    private void read(long intervalMillis, Consumer<Throwable> failed) {
        try {
            while (!ended.await(intervalMillis, TimeUnit.MILLISECONDS)) {
                Path file = Files.createTempFile("holdfast", ".jfr");
                try {
                    next(file);
                    deliver(file);
                } finally {
                    Files.deleteIfExists(file);
                }
            }
        } catch (Throwable e) {
            synchronized (this) {
                if (closed) {
                    return;
                }
            }
            failed.accept(e);
        }
    }

    /** Nothing is sampled between the two recordings, some milliseconds; were they to overlap, samples would come twice. */
    private synchronized void next(Path file) throws IOException {
        if (closed) {
            return;
        }
        if (current.getState() != RecordingState.RUNNING) {
            throw new IOException("The recording was ended by somebody else");
        }
        try (Recording last = current) {
            last.stop();
            current = begin();
            last.dump(file);
        }
    }

    private void deliver(Path file) throws IOException {
        if (Files.size(file) == 0) {
            return; // closed meanwhile
        }
        try (RecordingFile recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                events.accept(recording.readEvent());
            }
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            current.close();
            ended.countDown();
        }
        try {
            if (reader != Thread.currentThread()) {
                reader.join(CLOSE_LIMIT.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
