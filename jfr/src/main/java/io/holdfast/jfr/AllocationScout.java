package io.holdfast.jfr;

import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Counters;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.Ticker;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedEvent;

/**
 * Learns from the JVM's own allocation sampler which instructions allocate.
 *
 * <h2>Guarantees</h2> {@link #start} returns at once: Flight Recorder is started on a short-lived daemon thread, the samples arrive on one of its
 * own. Samples of Holdfast's and Flight Recorder's threads and of Holdfast's code are left out and counted, as is everything else that is dropped
 * ({@code jfr.scout.*}). Nothing here throws into the application or Flight Recorder. Where the stream does not work or ends, a recording that is
 * read every {@value PolledAllocations#INTERVAL_SECONDS} seconds stands in for it; {@link #failure} says so, or why there are no samples at all.
 *
 * <h2>Figures</h2> At 150 samples a second the stream's thread takes 2–3 ms of CPU time a second; samples arrive 0.5 s late on average, 1 s at
 * the most. The rate is met within a tenth. It is one for the whole JVM: a recording of the user's at a higher rate raises it, and our samples
 * land in that recording too. Sample weights are estimates: off by up to five times for arrays of some hundred kilobytes.
 *
 * <p>All methods may be called from any thread. One scout can be started once.
 */
public final class AllocationScout implements AutoCloseable {
    /** Samples a second at the most. */
    public static final int MAX_SAMPLES_PER_SECOND = 1_000;

    private static final String CONCURRENT_CYCLE = "G1Old";

    private final Consumer<ScoutedAllocation> consumer;
    private final Counters counters;
    private final Runnable oldCycleSeen;
    private final VolumeEstimator volumes;
    private final Opening streams;
    private final long pollMillis;
    private final Part<AllocationSource> part;
    private volatile int rate;
    private volatile boolean closed;
    /** Why there is no stream, while a recording stands in for it. */
    private volatile String stream;

    /** As the other constructor, with nobody to be told about collections. */
    public AllocationScout(Consumer<ScoutedAllocation> consumer, Counters counters) {
        this(consumer, counters, null);
    }

    /**
     * @param consumer     takes the samples on Flight Recorder's thread; must be quick; what it throws is counted
     * @param oldCycleSeen told at the end of each concurrent cycle of G1 where JMX does not tell (JDK 17), up to a second late, on the same
     *                     thread; may be null
     */
    public AllocationScout(Consumer<ScoutedAllocation> consumer, Counters counters, Runnable oldCycleSeen) {
        // A reference to the method would load the stream, and with it Flight Recorder, which may be missing.
        this(consumer, counters, oldCycleSeen, Ticker.system(), (samplesPerSecond, events, collections, error, ended) -> AllocationStream.open(samplesPerSecond, events, collections,
                error, ended), PolledAllocations.INTERVAL_SECONDS * 1_000L);
    }

    /** @param pollMillis between two looks into a recording where there is no stream */
    AllocationScout(Consumer<ScoutedAllocation> consumer, Counters counters, Runnable oldCycleSeen, Ticker ticker, Opening streams, long pollMillis) {
        this.consumer = Objects.requireNonNull(consumer, "consumer");
        this.counters = Objects.requireNonNull(counters, "counters");
        this.oldCycleSeen = oldCycleSeen;
        this.volumes = new VolumeEstimator(ticker);
        this.streams = streams;
        this.pollMillis = pollMillis;
        this.part = new Part<>("Allocation samples are not available", counters, "jfr.scout.failures");
    }

    /**
     * Begins to sample. Returns at once; the first samples arrive one to four seconds later.
     *
     * @param samplesPerSecond 0..{@value #MAX_SAMPLES_PER_SECOND}, moved inside these bounds
     */
    public void start(int samplesPerSecond) {
        int opening = bounded(samplesPerSecond);
        rate = opening;
        part.start(() -> open(opening), opened -> {
            if (rate != opening) {
                opened.throttle(rate);
            }
        });
    }

    /** Changes the rate of a started scout; in effect within about a second and a half. Costs next to nothing when that is the rate already. */
    public void throttle(int samplesPerSecond) {
        rate = bounded(samplesPerSecond);
        try {
            part.use(stream -> {
                stream.throttle(rate);
                return true;
            }, false);
        } catch (RuntimeException e) {
            part.failed(e);
        }
    }

    /** Why samples do not arrive, or arrive late, as one sentence; empty while all is well or still starting. */
    public Optional<String> failure() {
        return part.failure().or(() -> Optional.ofNullable(stream));
    }

    /**
     * Ends the stream. Waits for the work of its thread, at most a few seconds; the thread ends by itself right after. No sample arrives after the return.
     * Idempotent.
     */
    @Override
    public void close() {
        closed = true;
        part.close();
    }

    /** Who allocates how much, as far as the samples tell. Any thread. */
    public AllocationVolumes volumes() {
        return volumes.snapshot();
    }

    private AllocationSource open(int samplesPerSecond) {
        Consumer<RecordedEvent> events = events();
        try {
            return streams.open(samplesPerSecond, events, wantsCollections(), error -> counters.increment("jfr.scout.stream.errors"), this::streamEnded);
        } catch (Throwable e) {
            return poll(samplesPerSecond, e);
        }
    }

    /** On the stream's own thread, which has nothing else to do any more. */
    private void streamEnded(Throwable cause) {
        try {
            part.replace(() -> poll(rate, cause));
        } catch (Throwable e) {
            part.failed(e);
        }
    }

    private AllocationSource poll(int samplesPerSecond, Throwable cause) {
        counters.increment("jfr.scout.stream.failures");
        PolledAllocations polled = PolledAllocations.open(samplesPerSecond, events(), wantsCollections(), pollMillis, e -> {
            stream = null;
            part.failed(e);
        });
        stream = JfrFailure.text("Allocation samples are read from a recording every " + pollMillis / 1_000 + " s, so new sites are learned that much later, "
                + "because the stream does not work", cause);
        return polled;
    }

    private Consumer<RecordedEvent> events() {
        SampleReader samples = new SampleReader(this::deliver, volumes, counters);
        return event -> {
            if (event.getEventType().getName().equals(AllocationStream.SAMPLE)) {
                samples.accept(event);
            } else if (event.getEventType().getName().equals(AllocationStream.COLLECTION) && CONCURRENT_CYCLE.equals(event.getString("name"))) {
                oldCycle();
            }
        };
    }

    private boolean wantsCollections() {
        return oldCycleSeen != null && ConcurrentCycles.onlySeenByFlightRecorder();
    }

    private void deliver(ScoutedAllocation allocation) {
        if (!closed) {
            consumer.accept(allocation);
        }
    }

    private void oldCycle() {
        try {
            oldCycleSeen.run();
        } catch (Throwable e) {
            counters.increment("jfr.scout.faults");
        }
    }

    private static int bounded(int samplesPerSecond) {
        return Math.max(0, Math.min(MAX_SAMPLES_PER_SECOND, samplesPerSecond));
    }

    /** Opens a stream; see {@link AllocationStream#open}. */
    @FunctionalInterface
    interface Opening {
        AllocationSource open(int samplesPerSecond, Consumer<RecordedEvent> events, boolean collections, Consumer<Throwable> error, Consumer<Throwable> ended);
    }
}
