package io.holdfast.jfr;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Writes Holdfast's findings into the recordings of the user, whoever started them and whenever.
 *
 * <h2>Guarantees</h2> The status, leaks, chains, hops and living objects are written at the end of <em>every</em> chunk with all they refer to, so each
 * dump alone holds all that is known, and so does a recording started after a leak was found. A search's end is written once, into the first chunk that
 * ends after it; at most 16 abandoned and 16 completed searches wait for that, more are refused and counted ({@code jfr.searches.dropped}). Passes and
 * projections are written when they happen and only while a recording wants them. Nothing is written, and next to nothing costs, while no recording runs.
 *
 * <h2>Threads</h2> All methods may be called from any thread and return at once, except {@link #close}. At the end of a chunk Flight Recorder calls
 * us on the thread that dumps or stops; that takes no lock of ours and is meant to take no more than 50 ms of its CPU time; what does not fit is counted
 * ({@code jfr.events.dropped}). Figures: docs/performance.md.
 *
 * <h2>Errors</h2> Nothing throws. {@link #failure} says why there are no events.
 *
 * <p>Bounds: texts 64 KiB, chains {@value io.holdfast.core.ReferenceChain#MAX_HOPS} hops (cut in the middle; {@code totalHops} is the true length), 16 chains a
 * leak, 16 384 hop events and {@value Findings#MAX_LIVE_SAMPLES} living objects a chunk. Classes are written as names, those of living objects as
 * {@code Class} too: other fields would need classes that we do not hold.
 */
public final class LeakEvents implements AutoCloseable {
    private final Counters counters;
    private final Ticker ticker;
    private final EndedSearches abandoned = new EndedSearches();
    private final EndedSearches completed = new EndedSearches();
    private final AtomicLong sequence = new AtomicLong();
    private final Supplier<Findings> findings;
    private final Function<Leak, String> text;
    private final LongSupplier epoch;
    private final String settings;
    private final Function<Ticker, LongSupplier> busyTime;
    private final Part<RegisteredEvents> part;

    /**
     * @param findings what is known now, given without waiting, on any thread; the same value while nothing has changed, because its texts are kept.
     *                 Null while nothing is known
     * @param text     renders a leak for people; pure and quick
     * @param epoch    finished collections, see {@link io.holdfast.core.GcEpochs}; any thread
     * @param settings the options in force, written with each search
     */
    public LeakEvents(Supplier<Findings> findings, Counters counters, Function<Leak, String> text, LongSupplier epoch, String settings) {
        this(findings, counters, text, epoch, settings, Ticker.system(), BusyTime::ofCurrentThread);
    }

    LeakEvents(Supplier<Findings> findings, Counters counters, Function<Leak, String> text, LongSupplier epoch, String settings, Ticker ticker,
               Function<Ticker, LongSupplier> busyTime) {
        this.findings = Objects.requireNonNull(findings, "findings");
        this.counters = Objects.requireNonNull(counters, "counters");
        this.text = Objects.requireNonNull(text, "text");
        this.epoch = Objects.requireNonNull(epoch, "epoch");
        this.settings = EventText.name(settings);
        this.ticker = ticker;
        this.busyTime = busyTime;
        this.part = new Part<>("Flight Recorder events are not available", counters, "jfr.events.failures");
    }

    /** Makes the event types known to Flight Recorder, on a thread of its own because that may start it. Idempotent; not again after {@link #close}. */
    public void register() {
        part.start(() -> RegisteredEvents.register(new ChunkStamps(findings, text, epoch, settings, TextPool.ofThisJvm(), abandoned, completed,
                busyTime.apply(ticker), sequence, counters)), opened -> findingsChanged(opened));
    }

    /** Makes the texts of the findings now, on the caller's thread, so that whoever dumps next need not. Best called at each change. */
    public void findingsChanged() {
        findingsChanged(part.current());
    }

    private void findingsChanged(RegisteredEvents events) {
        if (events != null) {
            try {
                events.stamps().prepare();
            } catch (Throwable e) {
                counters.increment("jfr.events.faults");
            }
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
        write(events -> events.pass(report, summary, conditions, counters, sequence.incrementAndGet()));
    }

    /** A projection made just now; seconds are -1 when there is none. */
    public void projection(double secondsToExhaustion, long floorBytes, long epoch) {
        write(events -> events.projection(secondsToExhaustion, floorBytes, epoch));
    }

    private void write(Consumer<RegisteredEvents> work) {
        RegisteredEvents events = part.current();
        if (events != null) {
            try {
                work.accept(events);
            } catch (Throwable e) {
                counters.increment("jfr.events.faults");
            }
        }
    }

    /** Why there are no events, as one sentence; empty while all is well or still starting. */
    public Optional<String> failure() {
        return part.failure();
    }

    /** Whether the event types are known to Flight Recorder now. */
    public boolean registered() {
        return part.current() != null;
    }

    /** Writes all that is known for the last time, into the chunk of now, then removes hooks and event types. Idempotent. */
    @Override
    public void close() {
        part.close();
    }
}
