package io.holdfast.jfr;

import io.holdfast.core.AllocationVolumes;
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
import java.util.function.IntConsumer;
import java.util.function.IntUnaryOperator;
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
 * nothing here waits or locks; texts are made before where possible; all kinds of events together have 40 ms of the thread's CPU time, of which each
 * kind has a share, which leaves 10 of 50 ms for what a kind oversteps. What does not fit is counted, and comes first in the next chunk. The first of
 * each kind is always written: the worst leak must not be lost because its text took long to make.
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
    static final long VOLUMES_NANOS = 2_000_000;
    static final long CONFIRMATIONS_NANOS = 1_000_000;
    /** For all kinds together, searches and status included. */
    static final long CHUNK_NANOS = 40_000_000;
    /** The kinds that have a share, by bit and index. */
    private static final int LEAKS = 0;
    private static final int ALLOCATIONS = 1;
    private static final int CONFIRMATIONS = 2;
    private static final int CHAINS = 3;
    private static final int HOPS = 4;
    private static final int VOLUMES = 5;
    private static final int LIVE_OBJECTS = 6;
    private static final int KINDS = 7;
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
    /** When the writing of this chunk began, on the clock and by the number of the thread; whether that was before its status. */
    private long begunNanos;
    private long begunThread = -1;
    private boolean begun;
    /** Of each kind, where the next chunk goes on with what this one had no time for, and of which state that is. */
    private final int[] resume = new int[KINDS];
    private final long[] resumeAsOf = new long[KINDS];
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
            begun = false;
            begin();
            for (EndedSearch ended : abandoned.drain()) {
                SearchAbandonedEvent event = SearchAbandonedEvent.of(ended, settings, texts);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    void completedSearches() {
        guarded(texts -> {
            begin();
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
            begin();
            begun = false;
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
        shared(LEAKS, LEAKS_NANOS, 1, (rows, share, texts) -> {
            dropped.add(rows.leftOut());
            share.inTurns(rows, rows.leaks().size(), i -> 1, i -> {
                FindingRows.LeakRow row = rows.leaks().get(i);
                LeakCandidateEvent event = LeakCandidateEvent.of(row.leak(), i, row.trace(), texts);
                event.asOf = rows.asOf();
                event.sequence = sequence.incrementAndGet();
                event.commit();
            });
        });
    }

    void allocations() {
        shared(ALLOCATIONS, ALLOCATIONS_NANOS, 1, (rows, share, texts) -> share.inTurns(rows, rows.sites().size(), i -> 1, i -> {
            FindingRows.Numbered site = rows.sites().get(i);
            Leak leak = site.row().leak();
            LeakAllocationEvent event = LeakAllocationEvent.of(leak, site.number(), leak.allocation().get(site.number()), texts);
            event.asOf = rows.asOf();
            event.sequence = sequence.incrementAndGet();
            event.commit();
        }));
    }

    void confirmations() {
        shared(CONFIRMATIONS, CONFIRMATIONS_NANOS, 1, (rows, share, texts) -> share.inTurns(rows, rows.confirmed().size(), i -> 1, i -> {
            LeakConfirmationEvent event = LeakConfirmationEvent.of(rows.confirmed().get(i).leak(), texts);
            event.asOf = rows.asOf();
            event.sequence = sequence.incrementAndGet();
            event.commit();
        }));
    }

    void chains() {
        shared(CHAINS, CHAINS_NANOS, 1, (rows, share, texts) -> share.inTurns(rows, rows.chains().size(), i -> 1, i -> {
            FindingRows.Numbered chain = rows.chains().get(i);
            Leak leak = chain.row().leak();
            ReferenceChainEvent event = ReferenceChainEvent.of(leak, chain.number(), leak.chains().get(chain.number()),
                    chain.row().chains().get(chain.number()), texts);
            event.asOf = rows.asOf();
            event.sequence = sequence.incrementAndGet();
            event.commit();
        }));
    }

    /** A chain is written whole or not at all: half a chain reads like a shorter one. */
    void hops() {
        shared(HOPS, HOPS_NANOS, 1, (rows, share, texts) -> {
            AtomicLong written = new AtomicLong();
            share.inTurns(rows, rows.chains().size(), i -> {
                int hops = hopsOf(rows, i);
                if (written.get() > 0 && written.get() + hops > MAX_HOPS) {
                    share.end();
                }
                return hops;
            }, i -> {
                FindingRows.Numbered chain = rows.chains().get(i);
                written.addAndGet(hopsOf(rows, i));
                hopsOf(chain.row().leak(), chain.number(), chain.row().chains().get(chain.number()), rows.asOf(), texts);
            });
        });
    }

    private static int hopsOf(FindingRows rows, int chain) {
        FindingRows.Numbered numbered = rows.chains().get(chain);
        return numbered.row().chains().get(numbered.number()).hops();
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

    /** Class, site and thread tables, each with a row for the rest. */
    void volumes() {
        shared(VOLUMES, VOLUMES_NANOS, 1, (rows, share, texts) -> {
            AllocationVolumes volumes = rows.source() == null ? null : rows.source().status().allocation();
            if (volumes == null) {
                return;
            }
            List<AllocationVolumes.Table> tables = VolumeRows.tables(volumes);
            int all = tables.stream().mapToInt(table -> table.rows().size() + 1).sum();
            share.inTurns(rows, all, i -> 1, i -> {
                int kind = 0;
                int rank = i;
                while (rank > tables.get(kind).rows().size()) {
                    rank -= tables.get(kind++).rows().size() + 1;
                }
                AllocationVolumeEvent event = AllocationVolumeEvent.of(VolumeRows.KINDS.get(kind), tables.get(kind), rank, texts);
                event.asOf = rows.asOf();
                event.sequence = sequence.incrementAndGet();
                event.commit();
            });
        });
    }

    /** The living objects, and before the first one that names it each stack: a reader of this chunk alone must find it. */
    void liveObjects() {
        shared(LIVE_OBJECTS, LIVE_OBJECTS_NANOS, 16, (rows, share, texts) -> {
            long now = epoch.getAsLong();
            Set<Long> stacks = new HashSet<>();
            // Not get(): during a marking that would keep the object alive.
            share.inTurns(rows, rows.samples().size(), i -> rows.samples().get(i).sample().object().refersTo(null) ? 0 : 1, i -> {
                FindingRows.SampleRow row = rows.samples().get(i);
                if (row.stack().id() != 0 && stacks.add(row.stack().id())) {
                    AllocationStackEvent stack = AllocationStackEvent.of(row.stack(), texts);
                    stack.sequence = sequence.incrementAndGet();
                    stack.commit();
                }
                LiveObjectEvent event = LiveObjectEvent.of(row.sample(), now, row.stack(), texts);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            });
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
        confirmations();
        chains();
        hops();
        volumes();
        liveObjects();
    }

    private void begin() {
        if (!begun) {
            begun = true;
            begunNanos = busyNanos.getAsLong();
            begunThread = Thread.currentThread().getId();
        }
    }

    /** What is left for this chunk; times of two threads cannot be compared. */
    private long leftOfChunk(long now) {
        return begunThread == Thread.currentThread().getId() ? CHUNK_NANOS - (now - begunNanos) : CHUNK_NANOS;
    }

    /** The part of a chunk's time that one kind of event has; what does not fit any more is counted, and the first to be written next time. */
    private final class Share {
        private final int kind;
        private final long start = busyNanos.getAsLong();
        private final long nanos;
        private final int lookEvery;
        private int asked;
        private boolean over;

        /**
         * @param mostNanos time of the kind
         * @param ofChunk   whether it is also bounded by what is left of the chunk's
         * @param lookEvery events between two looks at the clock, which costs as much as a small event
         */
        Share(int kind, long mostNanos, boolean ofChunk, int lookEvery) {
            this.kind = kind;
            this.nanos = ofChunk ? Math.min(mostNanos, leftOfChunk(start)) : mostNanos;
            this.lookEvery = lookEvery;
        }

        long left() {
            return over ? 0 : Math.max(0, nanos - (busyNanos.getAsLong() - start));
        }

        void end() {
            over = true;
        }

        /**
         * Writes so many units: the first one always, because the worst leak must not be lost; then those that the chunk before had no time for, if it told
         * of the same state; then the others.
         *
         * @param events how many events belong to a unit; 0 = there is nothing to write
         */
        void inTurns(FindingRows rows, int units, IntUnaryOperator events, IntConsumer write) {
            int from = resumeAsOf[kind] == rows.asOf() && resume[kind] < units ? Math.max(1, resume[kind]) : 1;
            int left = 0;
            for (int turn = 0; turn < units; turn++) {
                int unit = turn == 0 ? 0 : 1 + (from - 1 + turn - 1) % (units - 1);
                int belonging = events.applyAsInt(unit);
                if (belonging > 0) {
                    if (fits(belonging)) {
                        write.accept(unit);
                    } else if (left == 0) {
                        left = unit;
                    }
                }
            }
            resume[kind] = left;
            resumeAsOf[kind] = rows.asOf();
        }

        private boolean fits(int events) {
            if (!over && asked > 0 && asked % lookEvery == 0) {
                over = busyNanos.getAsLong() - start > nanos;
            }
            asked++;
            if (over) {
                dropped.add(events);
            }
            return !over;
        }
    }

    /**
     * Each kind has its own time once and what the others before it left since {@link #status}, so all together never have more than their sum, nor more than
     * the chunk's.
     */
    private void shared(int kind, long nanos, int lookEvery, Kind work) {
        guarded(texts -> {
            boolean first = (served & 1 << kind) == 0;
            Share share = new Share(kind, first ? nanos + spareNanos : nanos, first, lookEvery);
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
