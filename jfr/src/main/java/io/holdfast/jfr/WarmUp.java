package io.holdfast.jfr;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.LiveSample;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootKind;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/*
 * The first chunk is the dearest
 *
 * Its end is written by code that was never run: classes are loaded, call sites linked, everything interpreted, on a thread that may be the
 * application's. So the same is done before, on the thread that starts us, with findings that are made up, while the event types are unknown to
 * Flight Recorder: no event is written, because nobody can want it.
 */
/** Runs the code that writes events before it is needed. */
final class WarmUp {
    /** Enough for the compiler to take notice, some tens of milliseconds. */
    private static final int ROUNDS = 40;

    private WarmUp() { }

    /** Before the types are registered. */
    static void run() {
        Object alive = new Object();
        Findings madeUp = findings(alive);
        ChunkStamps stamps = new ChunkStamps(() -> madeUp, Leak::id, () -> 1, "", TextPool.ofThisJvm(), new EndedSearches(), new EndedSearches(), () -> 0,
                new AtomicLong(), new Counters());
        for (int i = 0; i < ROUNDS; i++) {
            stamps.all();
        }
        Reference.reachabilityFence(alive);
    }

    private static Findings findings(Object alive) {
        String name = "io.holdfast.jfr.WarmUp";
        List<Hop> hops = new ArrayList<>();
        hops.add(Hop.staticField(name, "first", name));
        for (int i = 0; i < 12; i++) {
            hops.add(i % 2 == 0 ? Hop.field(name, name, "next", name) : Hop.element(name + "[]", i, name));
        }
        ReferenceChain chain = new ReferenceChain(new GcRoot(RootKind.STATIC_FIELD, "static " + name + ".first", null), hops, hops.size(), false, 1, 1, Instant.EPOCH);
        RootConfirmation answer = new RootConfirmation(RootConfirmation.Outcome.CHAIN, RootConfirmation.Match.CLASS_AND_SITE, 1, 1, "none", "none", null, name,
                List.of(new RootConfirmation.Step(name, "first", true, -1, 0, name)), 1, Instant.EPOCH);
        Leak leak = new Leak("00000000", name, LeakState.PROVISIONAL, "chain", List.of(name), new CandidateTrend(CandidateTrend.Evidence.COHORTS, List.of(1, 2), 1, 1,
                Instant.EPOCH), LiveEstimate.NONE, new Leak.Growth(name + "#first", name, 1, 1, 1, 1), List.of(new AllocationEvidence(name, List.of(name), 1, List.of(name))),
                List.of(chain, chain), List.of("none"), answer);
        AllocationVolumes.Table table = new AllocationVolumes.Table(List.of(new AllocationVolumes.Row(name, 1)), 1);
        RunStatus status = new RunStatus("", Instant.EPOCH, 0, "", "", "", false, "undecided", 0, List.of(1L), -1, Map.of("none", 0L),
                new RunStatus.Cost(0, 0, 0, 0, -1, 0), List.of("none"), new AllocationVolumes(1, 1, table, table, table));
        List<LiveSample> samples = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            samples.add(new LiveSample(i, new WeakReference<>(alive), new WeakReference<>(Object.class), "java.lang.Object", Instant.EPOCH, 0, 16, 1, 1, "none", name,
                    List.of(name)));
        }
        return new Findings(Instant.EPOCH, status, List.of(leak, leak), samples);
    }
}
