package io.holdfast.agent;

import io.holdfast.agent.IntervalRules.ListenerSlot;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.SampleSink;
import io.holdfast.core.Ticker;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;

/**
 * Sampled allocations with their objects: after every so many bytes on average a listener is told of the object that was allocated just then, on the thread that
 * allocated it. The gaps are exponentially distributed, so that what an object counts for depends on its size alone ({@link #weight}). It costs nothing as
 * long as nobody listens and nothing is followed; from then on the instrumented sites count bytes, which takes effect with the next batch of class
 * changes, within seconds.
 *
 * <p>What is counted: with the option {@code allsites=true} all allocations of all classes that can carry hooks; otherwise those at sites that carry
 * hooks, so not a site before the JVM's own sampler has named it. Never seen: what native code and hidden classes allocate, and objects whose constructor throws.
 *
 * <p>All methods may be called from any thread, but not from a listener. At most {@value #MAX_LISTENERS} listeners, {@value #MAX_THREADS} threads chosen one
 * by one and {@value #MAX_FOLLOWED} objects followed; what is beyond these is refused, samples are dropped and counted.
 */
public final class SampledAllocations implements AutoCloseable {
    /** Mean bytes between two samples. */
    public static final long DEFAULT_INTERVAL_BYTES = 512 * 1024;
    /** Longer intervals are cut to this, one terabyte. */
    public static final long MAX_INTERVAL_BYTES = 1L << 40;
    /** Samples a second. */
    public static final int DEFAULT_BUDGET = 200;
    /** Exceptions after which a listener is dropped. */
    public static final int MAX_FAULTS = 8;
    public static final int MAX_LISTENERS = 16;
    public static final int MAX_THREADS = 256;
    public static final int MAX_FOLLOWED = 16_384;

    static final String FOLLOWED_FULL = "agent.interval.followed.full";
    static final String STACKS_DROPPED = "agent.interval.stacks.dropped";
    static final String DEATH_FAULTS = "agent.interval.death_faults";
    static final String LISTENERS_DROPPED = "agent.interval.listeners.dropped";
    private static final int MAX_STACKS_PER_MAINTAIN = 256;
    private static final int MAX_DEATHS_PER_MAINTAIN = 4_096;
    /** How often the interval may come down again. */
    private static final long EASING_NANOS = 5_000_000_000L;

    private final Ticker ticker;
    private final Counters counters;
    private final RandomGenerator random;
    private final Consumer<String> log;
    private final PendingSamples pending = new PendingSamples();
    private final ReferenceQueue<Object> deaths = new ReferenceQueue<>();
    /** Guarded by this. */
    private final List<WeakReference<Thread>> threads = new ArrayList<>();
    private final List<ListenerSlot> listeners = new ArrayList<>();
    private final List<Consumer<SampledAllocation>> mourners = new ArrayList<>();
    private final List<SampledAllocation.Tracked> followed = new ArrayList<>();
    private boolean everyThread = true;
    private boolean following;
    private SampleSink feed;
    private long requested = DEFAULT_INTERVAL_BYTES;
    private int budget = DEFAULT_BUDGET;
    private boolean closed;
    private long lastEasedNanos;
    private long samplesWhenEased;
    private volatile IntervalRules rules;
    private volatile IntervalLane lane;

    /**
     * @param random seeds of the gaps
     * @param log    takes one line when a listener is dropped; called on the Holdfast thread
     */
    public SampledAllocations(Ticker ticker, Counters counters, RandomGenerator random, Consumer<String> log) {
        this.ticker = ticker;
        this.counters = counters;
        this.random = random;
        this.log = log;
        this.lastEasedNanos = ticker.nanos();
        this.rules = makeRules();
    }

    /**
     * The bytes of allocation that one sample stands for: an object of that size is sampled with probability {@code 1 - exp(-size / interval)}. The sum of
     * the weights of a class is an unbiased estimate of its bytes, with an error of one part in the root of the number of samples.
     */
    public static double weight(long sizeBytes, long meanIntervalBytes) {
        return meanIntervalBytes <= 0 || sizeBytes <= 0 ? sizeBytes : sizeBytes / -Math.expm1(-(double) sizeBytes / meanIntervalBytes);
    }

    /** Sets the mean bytes between samples, at once and for all threads; 0 = every allocation; negative numbers count as 0. */
    public synchronized void interval(long meanBytes) {
        requested = Math.max(0, Math.min(MAX_INTERVAL_BYTES, meanBytes));
        if (lane != null) {
            lane.interval(requested);
        }
    }

    /** The interval asked for, in bytes. */
    public synchronized long interval() {
        return requested;
    }

    /** The interval in force, in bytes: longer than the one asked for where samples would come faster than the budget allows. */
    public long effectiveInterval() {
        IntervalLane now = lane;
        return now == null ? interval() : now.interval();
    }

    /** Samples a second, over all threads, from which the interval is doubled; it comes down again when there are fewer. 0 = no limit. */
    public synchronized void budget(int samplesPerSecond) {
        budget = Math.max(0, samplesPerSecond);
        if (lane != null) {
            lane.budget(budget);
        }
    }

    /** Adds a listener. False when there are {@value #MAX_LISTENERS} already, or Holdfast is closed. */
    public synchronized boolean addListener(SampledAllocationListener listener) {
        Objects.requireNonNull(listener, "listener");
        if (closed || listeners.size() >= MAX_LISTENERS) {
            return false;
        }
        listeners.add(new ListenerSlot(listener));
        publish();
        return true;
    }

    /** Removes a listener; a callback under way ends by itself. */
    public synchronized void removeListener(SampledAllocationListener listener) {
        if (listeners.removeIf(slot -> slot.listener == listener)) {
            publish();
        }
    }

    /** Samples all threads, as it is at the beginning. */
    public synchronized void enable() {
        everyThread = true;
        publish();
    }

    /** Samples only the threads enabled one by one. */
    public synchronized void disable() {
        everyThread = false;
        publish();
    }

    /** Samples this thread even while others are not; keeps it no longer alive. False when there are {@value #MAX_THREADS} already. */
    public synchronized boolean enable(Thread thread) {
        Objects.requireNonNull(thread, "thread");
        forgetThreads(thread);
        if (closed || threads.size() >= MAX_THREADS) {
            return false;
        }
        threads.add(new WeakReference<>(thread));
        publish();
        return true;
    }

    /** Takes back {@link #enable(Thread)}. */
    public synchronized void disable(Thread thread) {
        forgetThreads(Objects.requireNonNull(thread, "thread"));
        publish();
    }

    private void forgetThreads(Thread thread) {
        threads.removeIf(one -> {
            Thread held = one.get();
            return held == null || held == thread;
        });
    }

    /** Whether sampled objects are followed until they die. */
    public synchronized void follow(boolean on) {
        following = on && !closed;
        if (!following) {
            followed.clear();
        }
        publish();
    }

    /** The objects followed that are alive now; as of the last iteration of the Holdfast thread, so up to a second late. */
    public synchronized List<SampledAllocation> live() {
        List<SampledAllocation> alive = new ArrayList<>();
        for (SampledAllocation.Tracked one : followed) {
            if (!one.refersTo(null)) {
                alive.add(one.sample);
            }
        }
        return alive;
    }

    /** Calls back, on the Holdfast thread, when a followed object has been found dead. What is thrown is counted and goes nowhere. */
    public synchronized void onDeath(Consumer<SampledAllocation> listener) {
        mourners.add(Objects.requireNonNull(listener, "listener"));
    }

    // ---- for the parts of Holdfast ----

    /** Gives samples of sites to the leak finder as well. */
    public synchronized void feed(SampleSink sink) {
        feed = sink;
        publish();
    }

    /** Whether anybody would learn of a sample. Any thread. */
    boolean wanted() {
        return rules.wanted();
    }

    private void publish() {
        rules = makeRules();
        if (lane != null) {
            lane.rules(rules);
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private IntervalRules makeRules() {
        return new IntervalRules(everyThread, threads.toArray(WeakReference[]::new), List.copyOf(listeners), following, feed);
    }

    /** Makes the lane that counts in these arrays. */
    synchronized IntervalLane connect(long[] left, long[] sizes, ToLongFunction<Object> measure, GcEpochs epochs) {
        warmUp(measure, epochs);
        lane = new IntervalLane(left, sizes, measure, new IntervalGaps(HookBytecode.STRIPES, random), epochs, ticker, counters, pending, deaths, rules,
                requested, budget);
        return lane;
    }

    /** What is loaded or linked for the first time in the middle of JDK code that holds a lock could deadlock; after this there is nothing left. */
    private void warmUp(ToLongFunction<Object> measure, GcEpochs epochs) {
        ListenerSlot nobody = new ListenerSlot((thread, object, type, size) -> { });
        ListenerSlot fails = new ListenerSlot((thread, object, type, size) -> {
            throw new IllegalStateException("warm-up");
        });
        @SuppressWarnings({"unchecked", "rawtypes"})
        IntervalRules all = new IntervalRules(true, new WeakReference[0], List.of(nobody, fails), true, sample -> true);
        IntervalLane forgetful = new IntervalLane(new long[HookBytecode.STRIPES << HookBytecode.STRIPE_SHIFT], new long[IntervalCode.MAX_SHAPES], measure,
                new IntervalGaps(HookBytecode.STRIPES, random), epochs, ticker, new Counters(), new PendingSamples(), new ReferenceQueue<>(), all, 1_000, 1);
        for (int kind : new int[] {IntervalCode.OBJECT, IntervalCode.ARRAY, IntervalCode.NESTED, IntervalCode.MEASURED}) {
            for (int i = 0; i < 200; i++) {
                forgetful.accept(new int[2][2], 1L << HookBytecode.THREAD_SHIFT | IntervalCode.of(kind, 0, 0));
            }
        }
    }

    /** Holdfast thread: takes over samples, tells of deaths, lets the interval come down, drops listeners that fail. */
    void maintain(long nowNanos) {
        List<SampledAllocation> dead = new ArrayList<>();
        List<Consumer<SampledAllocation>> toTell;
        List<String> lines;
        synchronized (this) {
            Decoding decoding = new Decoding(nowNanos, ticker.now());
            pending.drain(decoding);
            reap(dead);
            toTell = List.copyOf(mourners);
            ease(nowNanos);
            lines = dropListeners();
        }
        lines.forEach(log); // whoever writes the log may wait for others: not under our lock
        for (SampledAllocation one : dead) {
            for (Consumer<SampledAllocation> listener : toTell) {
                try {
                    listener.accept(one);
                } catch (Throwable fault) {
                    counters.increment(DEATH_FAULTS);
                }
            }
        }
    }

    /** Names what the allocating thread has handed over. */
    private final class Decoding implements Consumer<PendingSample> {
        private final long nowNanos;
        private final Instant now;
        private int stacks = MAX_STACKS_PER_MAINTAIN;

        Decoding(long nowNanos, Instant now) {
            this.nowNanos = nowNanos;
            this.now = now;
        }

        @Override
        public void accept(PendingSample sample) {
            if (!following) {
                return;
            }
            if (followed.size() >= MAX_FOLLOWED) {
                counters.increment(FOLLOWED_FULL);
                return;
            }
            List<StackTraceElement> stack = List.of();
            if (stacks-- > 0) {
                stack = List.of(sample.stack().getStackTrace());
            } else {
                counters.increment(STACKS_DROPPED);
            }
            SampledAllocation.Tracked tracked = sample.reference();
            tracked.sample = new SampledAllocation(tracked, ClassNames.of(sample.type()), sample.sizeBytes(), sample.weightBytes(), sample.threadName(),
                    now.minusNanos(Math.max(0, nowNanos - sample.nanos())), stack);
            tracked.position = followed.size();
            followed.add(tracked);
        }
    }

    private void reap(List<SampledAllocation> dead) {
        Reference<?> next = null;
        for (int i = 0; i < MAX_DEATHS_PER_MAINTAIN && (next = deaths.poll()) != null; i++) {
            SampledAllocation.Tracked tracked = (SampledAllocation.Tracked) next;
            // Without a sample it was dropped on the way, or nobody follows any more.
            if (tracked.sample != null && tracked.position < followed.size() && followed.get(tracked.position) == tracked) {
                SampledAllocation.Tracked last = followed.remove(followed.size() - 1);
                if (last != tracked) {
                    last.position = tracked.position;
                    followed.set(last.position, last);
                }
                dead.add(tracked.sample);
            }
        }
    }

    private void ease(long nowNanos) {
        if (lane == null || nowNanos - lastEasedNanos < EASING_NANOS) {
            return;
        }
        long count = lane.samples();
        double perSecond = (count - samplesWhenEased) / ((nowNanos - lastEasedNanos) / 1e9);
        lastEasedNanos = nowNanos;
        samplesWhenEased = count;
        long now = lane.interval();
        if (now > requested && perSecond < budget / 2.0) {
            lane.interval(Math.max(requested, now / 2));
        }
    }

    private List<String> dropListeners() {
        List<String> lines = new ArrayList<>();
        for (ListenerSlot slot : List.copyOf(listeners)) {
            if (slot.spent()) {
                listeners.remove(slot);
                publish();
                counters.increment(LISTENERS_DROPPED);
                Class<?> fault = slot.lastFault();
                lines.add("Holdfast: a listener of sampled allocations (" + slot.listener.getClass().getName() + ") has thrown " + MAX_FAULTS
                        + " times, last " + (fault == null ? "" : fault.getName()) + ", and is dropped.");
            }
        }
        return lines;
    }

    /** Holdfast is closing: lets go of everything; what is asked for later has no effect. */
    @Override
    public synchronized void close() {
        closed = true;
        listeners.clear();
        mourners.clear();
        threads.clear();
        followed.clear();
        following = false;
        feed = null;
        publish();
        pending.drain(sample -> { });
        while (deaths.poll() != null) {
            // lets go of it
        }
        lane = null;
    }
}
