package io.holdfast.jfr;

import io.holdfast.core.Counters;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
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
 * nothing here waits or locks; texts are made before where possible; each kind of event has a share of 50 ms of the thread's CPU time, and what does
 * not fit is counted. The first of each kind is always written: the worst leak must not be lost because its text took long to make.
 */

/** Writes what is known into the current chunk. Never throws, takes no lock; called by Flight Recorder, one call at a time. */
final class ChunkStamps {
    static final long LEAKS_NANOS = 20_000_000;
    static final long CHAINS_NANOS = 15_000_000;
    static final long HOPS_NANOS = 15_000_000;
    /** Hop events in one chunk at the most. */
    static final int MAX_HOPS = 16_384;

    private final Supplier<List<Leak>> leaks;
    private final Function<Leak, String> text;
    private final String settings;
    private final EndedSearches abandoned;
    private final EndedSearches completed;
    private final LongSupplier busyNanos;
    private final AtomicLong sequence;
    private final LongAdder dropped;
    private final LongAdder faults;
    private volatile LeakRows prepared = LeakRows.NONE;

    ChunkStamps(Supplier<List<Leak>> leaks, Function<Leak, String> text, String settings, EndedSearches abandoned, EndedSearches completed,
                LongSupplier busyNanos, AtomicLong sequence, Counters counters) {
        this.leaks = leaks;
        this.text = text;
        this.settings = settings;
        this.abandoned = abandoned;
        this.completed = completed;
        this.busyNanos = busyNanos;
        this.sequence = sequence;
        this.dropped = counters.counter("jfr.events.dropped");
        this.faults = counters.counter("jfr.events.faults");
    }

    /** Makes the texts of the leaks as they are now, unless that was done. */
    LeakRows prepare() {
        List<Leak> now = leaks.get();
        LeakRows rows = prepared;
        if (rows.source() != now) {
            rows = LeakRows.of(now, text);
            prepared = rows;
        }
        return rows;
    }

    void abandonedSearches() {
        guarded(() -> {
            for (EndedSearch ended : abandoned.drain()) {
                SearchAbandonedEvent event = SearchAbandonedEvent.of(ended, settings);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    void completedSearches() {
        guarded(() -> {
            for (EndedSearch ended : completed.drain()) {
                SearchCompletedEvent event = SearchCompletedEvent.of(ended, settings);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        });
    }

    void leaks() {
        guarded(() -> {
            long start = busyNanos.getAsLong();
            LeakRows rows = prepare();
            dropped.add(rows.leftOut());
            int written = 0;
            for (LeakRows.Row row : rows.rows()) {
                if (written > 0 && busyNanos.getAsLong() - start > LEAKS_NANOS) {
                    dropped.add(rows.rows().size() - written);
                    return;
                }
                LeakCandidateEvent event = LeakCandidateEvent.of(row.leak(), row.trace());
                event.sequence = sequence.incrementAndGet();
                event.commit();
                written++;
            }
        });
    }

    void chains() {
        guarded(() -> {
            long start = busyNanos.getAsLong();
            LeakRows rows = prepare();
            int written = 0;
            boolean late = false;
            for (LeakRows.Row row : rows.rows()) {
                for (int i = 0; i < row.chains().size(); i++) {
                    late = late || written > 0 && busyNanos.getAsLong() - start > CHAINS_NANOS;
                    if (late) {
                        dropped.increment();
                        continue;
                    }
                    written++;
                    ReferenceChainEvent event = ReferenceChainEvent.of(row.leak(), i, row.leak().chains().get(i), row.chains().get(i));
                    event.sequence = sequence.incrementAndGet();
                    event.commit();
                }
            }
        });
    }

    void hops() {
        guarded(() -> {
            long start = busyNanos.getAsLong();
            LeakRows rows = prepare();
            int written = 0;
            boolean late = false;
            for (LeakRows.Row row : rows.rows()) {
                for (int i = 0; i < row.chains().size(); i++) {
                    // A chain is written whole or not at all: half a chain reads like a shorter one.
                    ChainText chain = row.chains().get(i);
                    late = late || written > 0 && (written + chain.hops() > MAX_HOPS || busyNanos.getAsLong() - start > HOPS_NANOS);
                    if (late) {
                        dropped.add(chain.hops());
                        continue;
                    }
                    written += chain.hops();
                    hopsOf(row.leak(), i, chain);
                }
            }
        });
    }

    private void hopsOf(Leak leak, int number, ChainText text) {
        ReferenceChain chain = leak.chains().get(number);
        List<Hop> edges = chain.edges();
        int totalHops = Math.max(chain.totalHops(), edges.size());
        for (int i = 0; i < edges.size(); i++) {
            if (text.keeps(i, edges.size())) {
                ReferenceChainHopEvent event = ReferenceChainHopEvent.of(leak, number, i, edges.get(i), totalHops);
                event.sequence = sequence.incrementAndGet();
                event.commit();
            }
        }
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            // On a thread of the application, inside a call of its own.
            faults.increment();
        }
    }
}
