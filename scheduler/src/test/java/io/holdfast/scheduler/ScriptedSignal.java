package io.holdfast.scheduler;

import java.time.Instant;
import java.util.List;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
import io.holdfast.core.LiveEstimate;

/** A liveness whose answers the test sets. */
class ScriptedSignal implements LeakSignal {
    ScriptedUsage usage = new ScriptedUsage();
    /** Of each {@link #maintain}. */
    long cpu;
    long candidateId = 1;
    boolean enabled = true;
    boolean candidate;
    boolean surveyDue;
    CandidateTrend.Evidence evidence = CandidateTrend.Evidence.TREND;
    double seconds = -1;
    int probes;
    int polls;
    int maintained;
    int lastMax;

    @Override
    public boolean enabled() {
        return enabled;
    }

    @Override
    public void maintain(long nowNanos) {
        maintained++;
        usage.cpu += cpu;
    }

    @Override
    public boolean hasCandidate() {
        probes++;
        return candidate;
    }

    @Override
    public List<LeakCandidate> selectCandidates(int max) {
        polls++;
        lastMax = max;
        return candidate ? List.of(candidate(candidateId, evidence)) : List.of();
    }

    @Override
    public boolean surveyDue(long nowNanos) {
        return surveyDue;
    }

    static LeakCandidate candidate(long id) {
        return candidate(id, CandidateTrend.Evidence.TREND);
    }

    private static LeakCandidate candidate(long id, CandidateTrend.Evidence evidence) {
        return new LeakCandidate(id, "com.acme.Session", new CandidateTrend(evidence, List.of(1, 2), 1, 2, Instant.EPOCH),
                List.of(), List.of(), LiveEstimate.NONE);
    }

    @Override
    public double secondsToExhaustion() {
        return seconds;
    }
}
