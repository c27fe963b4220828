package io.holdfast.jfr;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.LiveSample;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootKind;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Leaks to write. */
final class Leaks {
    static final Instant SOME_TIME = Instant.parse("2026-11-30T03:12:00.123Z");

    private static final AtomicLong SEQUENCE = new AtomicLong();

    private Leaks() { }

    /** Events for whose writing no time passes: how slow the machine is decides nothing of what a chunk holds. */
    static LeakEvents events(Supplier<Findings> findings, Counters counters, Function<Leak, String> text, LongSupplier epoch) {
        return new LeakEvents(findings, counters, text, epoch, "", Ticker.system(), unused -> () -> 0);
    }

    static Findings findings(Leak... leaks) {
        return findings(List.of(leaks), List.of());
    }

    static Findings findings(List<Leak> leaks, List<LiveSample> samples) {
        return new Findings(SOME_TIME, status(), leaks, samples);
    }

    static RunStatus status() {
        return new RunStatus("0.1.0", SOME_TIME.minusSeconds(100), 4_711, "17.0.15+6", "G1", "agent", true, "leaks", 2_000, List.of(1_000L, 2_000L), -1,
                Map.of("liveness.samples.dropped", 3L, "jfr.events.dropped", 0L), new RunStatus.Cost(35_500_000, 0.00123, 4_321_000, 1_000, -1, 22_500_000),
                List.of("Local variables are not visible."), null);
    }

    /** As {@link #status}, with who allocates how much. */
    static RunStatus statusWithVolumes() {
        RunStatus bare = status();
        AllocationVolumes.Table classes = new AllocationVolumes.Table(List.of(new AllocationVolumes.Row("byte[]", 6_000_000),
                new AllocationVolumes.Row("com.acme.orders.persistence.Session", 3_000_000)), 1_000_000);
        AllocationVolumes.Table sites = new AllocationVolumes.Table(List.of(new AllocationVolumes.Row("com.acme.Login.login:42", 9_000_000)), 1_000_000);
        AllocationVolumes.Table threads = new AllocationVolumes.Table(List.of(new AllocationVolumes.Row("http-1", 10_000_000)), 0);
        return new RunStatus(bare.version(), bare.startedAt(), bare.pid(), bare.jvmVersion(), bare.collector(), bare.accessLevel(), bare.settled(), bare.verdict(),
                bare.trackedObjects(), bare.floorBytes(), bare.secondsToExhaustion(), bare.counters(), bare.cost(), bare.limits(),
                new AllocationVolumes(86.5, 1_234, classes, sites, threads));
    }

    /** A leak that only the VM can say something about. */
    static Leak confirmed(String id) {
        Leak leak = withChains(id, List.of());
        return new Leak(id, leak.className(), LeakState.UNEXPLAINED, "unreached", leak.sampledClasses(), leak.trend(), leak.live(), null, leak.allocation(),
                List.of(), List.of(), new RootConfirmation(RootConfirmation.Outcome.CHAIN, RootConfirmation.Match.CLASS_AND_SITE, 245, 9, "JNI Global",
                "Global JNI Handle", "none that is known", "com.acme.sessions.Keeper", List.of(
                        new RootConfirmation.Step("com.acme.sessions.Keeper", "kept", false, -1, 0, "java.lang.Object[]"),
                        new RootConfirmation.Step("java.lang.Object[]", null, false, 17, 0, "com.acme.Session")), 42_275_000, SOME_TIME));
    }

    /** A living object, allocated by a thread of that name. */
    static LiveSample sample(Object object, String threadName, List<String> stack) {
        return new LiveSample(SEQUENCE.incrementAndGet(), new WeakReference<>(object), new WeakReference<>(object.getClass()),
                ClassNames.of(object.getClass()), SOME_TIME.minusSeconds(3_600), 4, 24, 1, 77, threadName, "com.acme.Login.login(Login.java:42)", stack);
    }

    static Leak session(String id) {
        return withChains(id, List.of(sessionChain()));
    }

    static ReferenceChain sessionChain() {
        return new ReferenceChain(new GcRoot(RootKind.STATIC_FIELD, "static com.acme.SessionRegistry.ACTIVE", null),
                List.of(Hop.staticField("com.acme.SessionRegistry", "ACTIVE", "java.util.HashMap"),
                        Hop.field("java.util.HashMap", "java.util.HashMap", "table", "java.util.HashMap$Node[]"),
                        Hop.element("java.util.HashMap$Node[]", 17, "java.util.HashMap$Node"),
                        Hop.field("java.util.HashMap$Node", "java.util.HashMap$Node", "value", "com.acme.Session")),
                4, false, 1_188, 0.987, SOME_TIME);
    }

    /** A list of so many hops, below a thread's local variable. */
    static ReferenceChain longChain(int hops, String className) {
        List<Hop> edges = new ArrayList<>();
        edges.add(new Hop(className, null, EdgeKind.STACK_LOCAL, null, -1, "first", className));
        for (int i = 1; i < hops; i++) {
            edges.add(Hop.field(className, className, "next" + i, className));
        }
        return new ReferenceChain(new GcRoot(RootKind.STACK_LOCAL, "local 'first' on thread \"main\"", "main"), edges, hops, false, 3, 0.01, SOME_TIME);
    }

    static Leak withChains(String id, List<ReferenceChain> chains) {
        return new Leak(id, "com.acme.Session", LeakState.EXPLAINED, "chain", List.of("byte[]", "com.acme.Session"),
                new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(3, 4, 5), 2.0, 14, SOME_TIME), new LiveEstimate(120, 15_200, 30_400_000, 11_953_766),
                new Leak.Growth("com.acme.SessionRegistry#ACTIVE", "java.util.HashMap", 41_207, 96, 1_350, 0.987),
                List.of(new AllocationEvidence("com.acme.Login.login(Login.java:42)", List.of("http-1", "http-2"), 40,
                        List.of("com.acme.Login.login(Login.java:42)", "com.acme.Main.main(Main.java:7)"))),
                chains, List.of("A map that is only ever added to."));
    }
}
