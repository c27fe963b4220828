package io.holdfast.jfr;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Writes Holdfast's findings into the recordings of the user, whoever started them and whenever.
 *
 * <h2>Guarantees</h2> Leaks, chains and hops are written at the end of <em>every</em> chunk, so each dump alone holds all that is known, and so
 * does a recording started after a leak was found. A search's end is written once, into the first chunk that ends after it; at most 16 abandoned
 * and 16 completed searches wait for that, more are refused and counted ({@code jfr.searches.dropped}). Passes and projections are written when
 * they happen and only while a recording wants them. Nothing is written, and next to nothing costs, while no recording runs.
 *
 * <h2>Threads</h2> All methods may be called from any thread and return at once, except {@link #close}. At the end of a chunk Flight Recorder calls
 * us on the thread that dumps or stops; that takes no lock of ours and at most 50 ms of its CPU time, what does not fit is counted
 * ({@code jfr.events.dropped}). Measured: a hundred leaks with 300 chains and 5 400 hops take 4–5 ms once compiled, five leaks 1 ms (15 ms when all
 * is new and {@link #leaksChanged} was not called).
 *
 * <h2>Errors</h2> Nothing throws. {@link #failure} says why there are no events.
 *
 * <p>Bounds: texts 64 KiB, chains {@value io.holdfast.core.ReferenceChain#MAX_HOPS} hops (cut in the middle; {@code totalHops} is the true length), 16 chains a
 * leak, 16 384 hop events a chunk. Classes are written as names: a {@code Class} field would need the class itself, which we never hold.
 */
public final class LeakEvents implements AutoCloseable {
    private static final String TASK = "Flight Recorder events are not available";
    private static final long START_LIMIT_SECONDS = 30;

    private final Counters counters;
    private final Ticker ticker;
    private final EndedSearches abandoned = new EndedSearches();
    private final EndedSearches completed = new EndedSearches();
    private final AtomicLong sequence = new AtomicLong();
    private final Supplier<List<Leak>> leaks;
    private final Function<Leak, String> text;
    private final String settings;
    private final Function<Ticker, LongSupplier> busyTime;
    private final Object lock = new Object();
    private StartThread starter;
    private boolean closed;
    private volatile ChunkStamps stamps;
    private volatile RegisteredEvents registered;
    private volatile String failure;

    /** As the other constructor, with a plain text block and no settings. */
    public LeakEvents(Supplier<List<Leak>> leaks, Counters counters) {
        this(leaks, counters, LeakText::of, "");
    }

    /**
     * @param leaks    the leaks known now, worst first: an immutable list, given without waiting, on any thread. The same list while nothing has
     *                 changed, because its texts are kept
     * @param text     renders a leak for people; pure and quick
     * @param settings the options in force, written with each search
     */
    public LeakEvents(Supplier<List<Leak>> leaks, Counters counters, Function<Leak, String> text, String settings) {
        this(leaks, counters, text, settings, Ticker.system(), BusyTime::ofCurrentThread);
    }

    LeakEvents(Supplier<List<Leak>> leaks, Counters counters, Function<Leak, String> text, String settings, Ticker ticker,
               Function<Ticker, LongSupplier> busyTime) {
        this.leaks = Objects.requireNonNull(leaks, "leaks");
        this.counters = Objects.requireNonNull(counters, "counters");
        this.text = Objects.requireNonNull(text, "text");
        this.settings = EventText.name(settings);
        this.ticker = ticker;
        this.busyTime = busyTime;
    }

    /** Makes the event types known to Flight Recorder, on a thread of its own because that may start it. Idempotent; not again after {@link #close}. */
    public void register() {
        synchronized (lock) {
            if (starter == null && !closed) {
                starter = StartThread.run(this::open, TASK, counters, "jfr.events.failures");
            }
        }
    }

    /** Makes the texts of the leaks now, on the caller's thread, so that whoever dumps next need not. Best called at each change of a leak. */
    public void leaksChanged() {
        ChunkStamps ready = stamps;
        if (ready == null) {
            return;
        }
        try {
            ready.prepare();
        } catch (Throwable e) {
            counters.increment("jfr.events.faults");
        }
    }

    /** A search has ended just now. Searches that ended with their recording or are still running are ignored. */
    public void searchEnded(SearchSummary summary) {
        EndedSearches queue = summary.state() == SearchState.COMPLETED ? completed
                : summary.state() == SearchState.ABANDONED && summary.reason() != AbandonReason.RECORDING_END ? abandoned : null;
        if (queue != null && !queue.offer(new EndedSearch(summary, ticker.now()))) {
            counters.increment("jfr.searches.dropped");
        }
    }

    /** A pass has ended just now. */
    public void pass(PassReport report, SearchSummary summary, PassConditions conditions) {
        RegisteredEvents events = registered;
        if (events != null) {
            try {
                events.pass(report, summary, conditions, counters, sequence.incrementAndGet());
            } catch (Throwable e) {
                counters.increment("jfr.events.faults");
            }
        }
    }

    /** A projection made just now; seconds are -1 when there is none. */
    public void projection(double secondsToExhaustion, long floorBytes, long epoch) {
        RegisteredEvents events = registered;
        if (events != null) {
            try {
                events.projection(secondsToExhaustion, floorBytes, epoch, sequence.incrementAndGet());
            } catch (Throwable e) {
                counters.increment("jfr.events.faults");
            }
        }
    }

    /** Why there are no events, as one sentence; empty while all is well or still starting. */
    public Optional<String> failure() {
        StartThread begun;
        synchronized (lock) {
            begun = starter;
        }
        return Optional.ofNullable(failure != null || begun == null ? failure : begun.failure());
    }

    /** Whether the event types are known to Flight Recorder now. */
    public boolean registered() {
        return registered != null;
    }

    /** Writes all that is known for the last time, into the chunk of now, then removes hooks and event types. Idempotent. */
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
        RegisteredEvents events;
        synchronized (lock) {
            events = registered;
            registered = null;
        }
        if (events != null) {
            remove(events);
        }
    }

    private void open() {
        synchronized (lock) {
            if (closed) {
                return;
            }
        }
        ChunkStamps made = new ChunkStamps(leaks, text, settings, abandoned, completed, busyTime.apply(ticker), sequence, counters);
        RegisteredEvents opened = RegisteredEvents.register(made);
        stamps = made;
        leaksChanged();
        boolean late;
        synchronized (lock) {
            late = closed;
            if (!late) {
                registered = opened;
            }
        }
        if (late) {
            remove(opened);
        }
    }

    private void remove(RegisteredEvents events) {
        try {
            events.close();
        } catch (Throwable e) {
            failure = JfrFailure.text(TASK, e);
            counters.increment("jfr.events.failures");
        }
    }
}
