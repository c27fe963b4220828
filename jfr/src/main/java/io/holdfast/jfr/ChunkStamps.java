package io.holdfast.jfr;

import io.holdfast.core.Counters;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/*
 * Why every chunk
 *
 * A recording is a sequence of chunks, and whoever dumps one later may get the last chunk only. A leak that was written once, when it was found,
 * would be missing there; and an event that points at data of an earlier chunk cannot be resolved. So everything that is known is written again
 * at the end of each chunk, with all it needs.
 *
 * Flight Recorder calls us there on the thread that dumps, stops or starts a recording, often one of the application's, inside its own lock. So
 * nothing here waits or locks; texts are made before where possible; each kind of event has a share of 40 ms of the thread's CPU time, which leaves
 * 10 of 50 ms for what a kind oversteps, and what does not fit is counted. The first of each kind is always written: the worst leak must not be
 * lost because its text took long to make.
 *
 * The kinds are written by hooks of their own, because each may be switched off by itself; what they write of one state of knowledge carries one
 * number (as of), by which a reader sees what belongs together, and whether it is all there. Findings may change between two hooks, so the status,
 * which is the first, decides which state the chunk gets.
 */

/** Writes what is known into the current chunk. Never throws, takes no lock; called by Flight Recorder, one call at a time. */
final class ChunkStamps {
    static final long LEAKS_NANOS = 12_000_000;
    static final long ALLOCATIONS_NANOS = 4_000_000;
    static final long CHAINS_NANOS = 8_000_000;
    static final long HOPS_NANOS = 8_000_000;
    static final long LIVE_OBJECTS_NANOS = 8_000_000;
    /** Hop events in one chunk at the most. */
    static final int MAX_HOPS = 16_384;

    private final Supplier<Findings> findings;
    private final Function<Leak, String> text;
    private final LongSupplier epoch;
    private final String settings;
    private final TextPool pool;
    private final EndedSearches abandoned;
    private final EndedSearches completed;
    private final LongSupplier busyNanos;
    private final AtomicLong sequence;
    private final LongAdder dropped;
    private final LongAdder faults;
    /** Time that the kinds written since the last status have left, and which these are; until there was a status, none has more than its own. */
    private long spareNanos;
    private int served = -1;
    /** What the status of this chunk was written from; null when there was none. */
    private FindingRows round;
    private final AtomicReference<FindingRows> prepared = new AtomicReference<>(FindingRows.NONE);

    ChunkStamps(Supplier<Findings> findings, Function<Leak, String> text, LongSupplier epoch, String settings, TextPool pool,
                EndedSearches abandoned, EndedSearches completed, LongSupplier busyNanos, AtomicLong sequence, Counters counters) {
        this.findings = findings;
        this.text = text;
        this.epoch = epoch;
        this.settings = settings;
        this.pool = pool;
        this.abandoned = abandoned;
        this.completed = completed;
        this.busyNanos = busyNanos;
        this.sequence = sequence;
        this.dropped = counters.counter("jfr.events.dropped");
        this.faults = counters.counter("jfr.events.faults");
    }

    /** Makes the texts of the findings as they are now, unless that was done. */
    FindingRows prepare() {
        while (true) {
            FindingRows before = prepared.get();
            Findings now = findings.get();
            if (now == null || before.source() == now) {
                return before;
            }
            FindingRows after = FindingRows.of(now, Math.max(before.asOf() + 1, now.asOf().toEpochMilli()), text);
            if (prepared.compareAndSet(before, after)) {
                return after;
            }
        }
    }

    void abandonedSearches() {
        guarded(texts -> {
            for (EndedSearch ended : abandoned.drain()) {
                SearchAbandonedEvent event = SearchAbandonedEvent.of(ended, settings, texts);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    void completedSearches() {
        guarded(texts -> {
            for (EndedSearch ended : completed.drain()) {
                SearchCompletedEvent event = SearchCompletedEvent.of(ended, settings, texts);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    /** The first of the kinds: what one leaves of its time, the next ones have. */
    void status() {
        guarded(texts -> {
            spareNanos = 0;
            served = 0;
            round = null;
            FindingRows rows = prepare();
            round = rows;
            if (rows.source() != null) {
                StatusEvent event = StatusEvent.of(rows.source().status(), rows.source().leaks().size(), texts);
                event.asOf = rows.asOf();
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    void leaks() {
        shared(0, LEAKS_NANOS, 1, (rows, share, texts) -> {
            dropped.add(rows.leftOut());
            for (int i = 0; i < rows.leaks().size(); i++) {
                if (!share.fits(1)) {
                    continue;
                }
                FindingRows.LeakRow row = rows.leaks().get(i);
                LeakCandidateEvent event = LeakCandidateEvent.of(row.leak(), i, row.trace(), texts);
                event.asOf = rows.asOf();
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    void allocations() {
        shared(1, ALLOCATIONS_NANOS, 1, (rows, share, texts) -> {
            for (FindingRows.LeakRow row : rows.leaks()) {
                for (int i = 0; i < row.leak().allocation().size(); i++) {
                    if (!share.fits(1)) {
                        continue;
                    }
                    LeakAllocationEvent event = LeakAllocationEvent.of(row.leak(), i, row.leak().allocation().get(i), texts);
                    event.asOf = rows.asOf();
                    event.sequence = sequence.incrementAndGet();
                    event.commit();
                }
            }
        });
    }

    void chains() {
        shared(2, CHAINS_NANOS, 1, (rows, share, texts) -> {
            for (FindingRows.LeakRow row : rows.leaks()) {
                for (int i = 0; i < row.chains().size(); i++) {
                    if (!share.fits(1)) {
                        continue;
                    }
                    ReferenceChainEvent event = ReferenceChainEvent.of(row.leak(), i, row.leak().chains().get(i), row.chains().get(i), texts);
                    event.asOf = rows.asOf();
                    event.sequence = sequence.incrementAndGet();
                    event.commit();
                }
            }
        });
    }

    void hops() {
        shared(3, HOPS_NANOS, 1, (rows, share, texts) -> {
            int written = 0;
            for (FindingRows.LeakRow row : rows.leaks()) {
                for (int i = 0; i < row.chains().size(); i++) {
                    // A chain is written whole or not at all: half a chain reads like a shorter one.
                    ChainText chain = row.chains().get(i);
                    if (written > 0 && written + chain.hops() > MAX_HOPS) {
                        share.end();
                    }
                    if (share.fits(chain.hops())) {
                        written += chain.hops();
                        hopsOf(row.leak(), i, chain, rows.asOf(), texts);
                    }
                }
            }
        });
    }

    private void hopsOf(Leak leak, int number, ChainText text, long asOf, Texts texts) {
        ReferenceChain chain = leak.chains().get(number);
        List<Hop> edges = chain.edges();
        int totalHops = Math.max(chain.totalHops(), edges.size());
        for (int i = 0; i < edges.size(); i++) {
            if (text.keeps(i, edges.size())) {
                ReferenceChainHopEvent event = ReferenceChainHopEvent.of(leak, number, i, edges.get(i), totalHops, texts);
                event.asOf = asOf;
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        }
    }

    /** The living objects, and before the first one that names it each stack: a reader of this chunk alone must find it. */
    void liveObjects() {
        shared(4, LIVE_OBJECTS_NANOS, 16, (rows, share, texts) -> {
            long now = epoch.getAsLong();
            Set<Long> stacks = new HashSet<>();
            for (FindingRows.SampleRow row : rows.samples()) {
                // Not get(): during a marking that would keep the object alive.
                if (row.sample().object().refersTo(null) || !share.fits(1)) {
                    continue;
                }
                if (row.stack().id() != 0 && stacks.add(row.stack().id())) {
                    AllocationStackEvent stack = AllocationStackEvent.of(row.stack(), texts);
                    stack.sequence = sequence.incrementAndGet();
                    stack.commit();
                }
                LiveObjectEvent event = LiveObjectEvent.of(row.sample(), now, row.stack(), texts);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    long nextSequence() {
        return sequence.incrementAndGet();
    }

    /** At the beginning of a chunk. */
    void chunkBegun() {
        round = null;
        pool.chunkBegun();
    }

    /** Everything, as at the end of a chunk. */
    void all() {
        abandonedSearches();
        completedSearches();
        status();
        leaks();
        allocations();
        chains();
        hops();
        liveObjects();
    }

    /** The part of a chunk's time that one kind of event has; what does not fit any more is counted. */
    private final class Share {
        private final long start = busyNanos.getAsLong();
        private final long nanos;
        private final int lookEvery;
        private int asked;
        private boolean over;

        /** @param lookEvery events between two looks at the clock, which costs as much as a small event */
        Share(long nanos, int lookEvery) {
            this.nanos = nanos;
            this.lookEvery = lookEvery;
        }

        long left() {
            return over ? 0 : Math.max(0, nanos - (busyNanos.getAsLong() - start));
        }

        /** Whether the next events, which belong together, are to be written; the first ones always are. */
        boolean fits(int events) {
            if (!over && asked > 0 && asked % lookEvery == 0) {
                over = busyNanos.getAsLong() - start > nanos;
            }
            asked++;
            if (over) {
                dropped.add(events);
            }
            return !over;
        }

        void end() {
            over = true;
        }
    }

    /** Each kind has its own time once and what the others before it left since {@link #status}, so all together never have more than their sum. */
    private void shared(int kind, long nanos, int lookEvery, Kind work) {
        guarded(texts -> {
            boolean first = (served & 1 << kind) == 0;
            Share share = new Share(first ? nanos + spareNanos : nanos, lookEvery);
            work.write(rowsOf(first), share, texts);
            if (first) {
                served |= 1 << kind;
                spareNanos = share.left();
            }
        });
    }

    /**
     * The state that the status of this chunk told of. A status of an earlier chunk is none: a kind that comes for the second time, or while nobody
     * wants a status, looks for itself.
     */
    private FindingRows rowsOf(boolean firstSinceStatus) {
        FindingRows ofStatus = round;
        return ofStatus != null && firstSinceStatus && new StatusEvent().isEnabled() ? ofStatus : prepare();
    }

    private void guarded(Consumer<Texts> work) {
        try {
            work.accept(pool.texts());
        } catch (Throwable e) {
            // On a thread of the application, inside a call of its own.
            faults.increment();
        }
    }

    /** Writes the events of one kind. */
    @FunctionalInterface
    private interface Kind {
        void write(FindingRows rows, Share share, Texts texts);
    }
}
