package io.holdfast;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.Ticker;
import io.holdfast.refchains.FinalizationQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Hands the queue of objects that wait for finalisation to the ledger once it is long; whether it keeps growing, and so is a leak, is judged there like
 * anything else. Holdfast thread only; one read a second while the queue is short.
 */
final class FinalizationBacklog {
    /** A collection can make this many finalisable at once in a healthy program. */
    static final long LONG = 1_000;
    private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long AGAIN_NANOS = Duration.ofSeconds(30).toNanos();
    /** Candidates of the liveness table have numbers from 1. */
    static final long CANDIDATE = -1;
    private static final int LOOKED_AT = 64;

    private final GrowthProbe length;
    private final Supplier<Optional<SearchFinding>> newest;
    private final LeakLedger ledger;
    private final Ticker ticker;
    private long dueNanos;

    FinalizationBacklog(FinalizationQueue queue, LeakLedger ledger, Ticker ticker) {
        this(queue, () -> queue.finding(CANDIDATE, LOOKED_AT, ticker.now()), ledger, ticker);
    }

    FinalizationBacklog(GrowthProbe length, Supplier<Optional<SearchFinding>> newest, LeakLedger ledger, Ticker ticker) {
        this.length = length;
        this.newest = newest;
        this.ledger = ledger;
        this.ticker = ticker;
        this.dueNanos = ticker.nanos();
    }

    void follow(long nowNanos) {
        if (nowNanos - dueNanos < 0) {
            return;
        }
        dueNanos = nowNanos + INTERVAL_NANOS;
        Optional<SearchFinding> finding = length.elements() < LONG ? Optional.empty() : newest.get();
        if (finding.isPresent()) {
            dueNanos = nowNanos + AGAIN_NANOS;
            String className = finding.get().accumulation().ownerClass();
            // Like an object somebody asked to watch: there are no cohorts to compare.
            ledger.selected(List.of(new LeakCandidate(CANDIDATE, className,
                    new CandidateTrend(CandidateTrend.Evidence.WATCHED, List.of(), 0, 0, ticker.now()), List.of(), List.of(), LiveEstimate.NONE)));
            ledger.found(List.of(finding.get()));
        }
    }
}
