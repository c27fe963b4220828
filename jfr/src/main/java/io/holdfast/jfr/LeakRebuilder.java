package io.holdfast.jfr;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import jdk.jfr.consumer.RecordedEvent;

/** Puts leaks together again from the events of one state, and notes what is missing. */
final class LeakRebuilder {
    /** Gaps told at the most: a count in a damaged file may be anything. */
    private static final int MAX_GAPS = 64;
    private static final int MAX_POSITIONS = 1 << 20;

    private final RecordedState state;
    private final List<Leak> leaks = new ArrayList<>();
    private final List<String> gaps = new ArrayList<>();

    LeakRebuilder(RecordedState state) {
        this.state = state;
    }

    List<Leak> leaks() {
        return leaks;
    }

    /** One sentence for each thing that should be in the recording and is not. */
    List<String> gaps() {
        return gaps;
    }

    /** Adds so many leaks, each of them or a gap. */
    void addAll(int known) {
        for (int rank = 0; rank < known && gaps.size() < MAX_GAPS; rank++) {
            add(rank);
        }
    }

    private void add(int rank) {
        RecordedEvent event = state.leak(rank);
        if (event == null) {
            gaps.add("Leak number " + (rank + 1) + " of " + state.status().getInt("leaks") + " is missing in the recording.");
            return;
        }
        String id = Texts.read(event, "leakId");
        leaks.add(new Leak(id, Texts.read(event, "owner"), Words.named(Texts.read(event, "verdict"), LeakState.values(), LeakState::word),
                Texts.read(event, "outcome"), TextList.LINE.read(Texts.read(event, "sampledClasses")), trend(event), new LiveEstimate(event.getInt("survivors"),
                event.getLong("estimatedInstances"), event.getLong("estimatedBytes"), event.getLong("growthPerHour")), growth(event),
                allocation(id, event.getInt("allocationSites")), chains(id, event.getInt("chains")), TextList.LINES.read(Texts.read(event, "hints")),
                event.hasField("confirmed") && event.getBoolean("confirmed") ? confirmation(id) : null));
    }

    private RootConfirmation confirmation(String id) {
        RecordedEvent event = state.confirmation(id);
        if (event == null) {
            gaps.add("What the VM said about leak " + id + " is missing in the recording.");
            return null;
        }
        String match = Texts.read(event, "match");
        String text = Texts.read(event, "path");
        List<RootConfirmation.Step> path = text == null || text.isEmpty() ? List.of() : text.lines().map(LeakConfirmationEvent::step).toList();
        if (path.size() != event.getInt("references")) {
            gaps.add("What the VM said about leak " + id + " is cut after " + path.size() + " references.");
        }
        return new RootConfirmation(Words.named(Texts.read(event, "outcome"), RootConfirmation.Outcome.values(), RootConfirmation.Outcome::word),
                match == null ? null : Words.named(match, RootConfirmation.Match.values(), RootConfirmation.Match::word), event.getInt("samples"),
                event.getInt("matched"), Texts.read(event, "rootSystem"), Texts.read(event, "rootType"), Texts.read(event, "rootDetail"),
                Texts.read(event, "rootClass"), path, event.getLong("pause"), Instant.ofEpochMilli(event.getLong("askedAt")));
    }

    private static CandidateTrend trend(RecordedEvent event) {
        String evidence = Texts.read(event, "evidence");
        return evidence == null ? null : new CandidateTrend(Words.named(evidence, CandidateTrend.Evidence.values(), e -> e.name().toLowerCase(Locale.ROOT)),
                RecordedStatus.numbers(Texts.read(event, "distinctAges")).stream().map(Long::intValue).toList(), event.getDouble("trendGrowth"),
                event.getInt("folds"), Instant.ofEpochMilli(event.getLong("firstSeen")));
    }

    private static Leak.Growth growth(RecordedEvent event) {
        String holder = Texts.read(event, "holder");
        return holder == null ? null : new Leak.Growth(holder, Texts.read(event, "containerClass"), event.getLong("elements"), event.getLong("elementsGrowth"),
                event.getDouble("elementsPerHour"), event.getDouble("share"));
    }

    private List<AllocationEvidence> allocation(String id, int sites) {
        List<AllocationEvidence> found = new ArrayList<>();
        for (int i = 0; i < sites && gaps.size() < MAX_GAPS; i++) {
            RecordedEvent event = state.allocation(id, i);
            if (event == null) {
                gaps.add("Allocation site number " + (i + 1) + " of leak " + id + " is missing in the recording.");
            } else {
                found.add(new AllocationEvidence(Texts.read(event, "site"), TextList.LINE.read(Texts.read(event, "threads")), event.getInt("tracked"),
                        TextList.LINES.read(Texts.read(event, "stack"))));
            }
        }
        return found;
    }

    private List<ReferenceChain> chains(String id, int chains) {
        List<ReferenceChain> found = new ArrayList<>();
        for (int i = 0; i < chains && gaps.size() < MAX_GAPS; i++) {
            RecordedEvent event = state.chain(id, i);
            List<Hop> edges = event == null ? null : edges(id, i, event.getInt("hops"), event.getInt("totalHops"));
            if (edges == null) {
                gaps.add("Chain number " + (i + 1) + " of leak " + id + " is missing in the recording.");
            } else {
                found.add(new ReferenceChain(new GcRoot(Words.named(Texts.read(event, "rootKind"), RootKind.values(), RootKind::word), Texts.read(event, "root"),
                        Texts.read(event, "rootThread")), edges, event.getInt("totalHops"), event.getBoolean("truncated"), event.getInt("instances"),
                        event.getDouble("share"), Instant.ofEpochMilli(event.getLong("validatedAt"))));
            }
        }
        return found;
    }

    /** The hops in their order, or null when some are missing. Positions are those before the middle was cut out. */
    private List<Hop> edges(String id, int chain, int hops, int totalHops) {
        List<Hop> edges = new ArrayList<>();
        for (int i = 0; i < Math.min(totalHops, MAX_POSITIONS) && edges.size() < hops; i++) {
            RecordedEvent event = state.hop(id, chain, i);
            if (event != null) {
                edges.add(new Hop(Texts.read(event, "holderClass"), Texts.read(event, "declaringClass"),
                        Words.named(Texts.read(event, "edgeKind"), EdgeKind.values(), EdgeKind::word), Texts.read(event, "field"), event.getInt("arrayIndex"),
                        Texts.read(event, "local"), Texts.read(event, "targetClass")));
            }
        }
        return edges.size() == hops ? edges : null;
    }
}
