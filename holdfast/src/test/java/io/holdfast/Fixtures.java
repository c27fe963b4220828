package io.holdfast;

import io.holdfast.core.Accumulation;
import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.GcRoot;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.Hop;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.TrackedInstance;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;

/** Values for tests of the ledger and the reports: a session registry whose logout forgets to remove. */
final class Fixtures {
    static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    private Fixtures() { }

    static ReferenceChain sessionChain(String leafField, String leaf, int instances) {
        return new ReferenceChain(new GcRoot(RootKind.STATIC_FIELD, "static com.acme.SessionRegistry.ACTIVE", null), List.of(
                Hop.staticField("com.acme.SessionRegistry", "ACTIVE", "java.util.HashMap"),
                Hop.field("java.util.HashMap", "java.util.HashMap", "table", "java.util.HashMap$Node[]"),
                Hop.element("java.util.HashMap$Node[]", 17, "java.util.HashMap$Node"),
                Hop.field("java.util.HashMap$Node", "java.util.HashMap$Node", "value", "com.acme.Session"),
                Hop.field("com.acme.Session", "com.acme.Session", leafField, leaf)), 5, false, instances, 0.96, NOON);
    }

    static Accumulation registry(GrowthProbe probe) {
        return new Accumulation("com.acme.SessionRegistry#ACTIVE", "java.util.HashMap", "com.acme.Session", 0.96,
                "static_field > com.acme.SessionRegistry#ACTIVE", probe);
    }

    static LeakCandidate candidate(long id, String className) {
        return candidate(id, className, 1, 4);
    }

    /** With an instance of the oldest and one of the newest epoch. */
    static LeakCandidate candidate(long id, String className, long oldestEpoch, long newestEpoch) {
        return candidate(id, className, oldestEpoch, newestEpoch, 0);
    }

    static LeakCandidate candidate(long id, String className, long oldestEpoch, long newestEpoch, long oldestNanos) {
        return candidate(id, className, oldestEpoch, newestEpoch, oldestNanos, new LiveEstimate(40, 1_000, 216_000, 0));
    }

    static LeakCandidate candidate(long id, String className, LiveEstimate live) {
        return candidate(id, className, 1, 4, 0, live);
    }

    /** One that was not sampled, but grew by that many an hour from walk to walk. */
    static LeakCandidate grown(long id, String className, double perHour) {
        return new LeakCandidate(id, className, new CandidateTrend(CandidateTrend.Evidence.GROWTH, List.of(), perHour, 2, NOON), List.of(tracked(1, 0)),
                List.of(), new LiveEstimate(1, 1_000, 40_000, 0));
    }

    private static LeakCandidate candidate(long id, String className, long oldestEpoch, long newestEpoch, long oldestNanos, LiveEstimate live) {
        return new LeakCandidate(id, className, new CandidateTrend(CandidateTrend.Evidence.COHORTS, List.of(3, 4, 5), 2.5, 3, NOON),
                List.of(tracked(oldestEpoch, oldestNanos), tracked(newestEpoch, oldestNanos)),
                List.of(new AllocationEvidence("com.acme.Login.login(Login.java:42)", List.of("http-1"), 40,
                        List.of("com.acme.Login.login(Login.java:42)", "com.acme.Main.main(Main.java:7)"))),
                live);
    }

    private static TrackedInstance tracked(long epoch, long allocationNanos) {
        return new TrackedInstance(epoch, new WeakReference<>(null), 0, 1, epoch, 1, false, allocationNanos);
    }

    static SearchFinding finding(long candidateId, Accumulation accumulation, int cohortsReached, boolean oldest, boolean newest) {
        return new SearchFinding(candidateId, 1, SearchFinding.CHAIN, List.of(sessionChain("basket", "byte[]", 30)), 32, 30, 4, cohortsReached, oldest, newest,
                accumulation);
    }
}
