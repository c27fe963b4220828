package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.jfr.Findings;
import io.holdfast.jfr.FindingsReader;
import io.holdfast.jfr.LeakEvents;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import jdk.jfr.Recording;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;
import org.awaitility.Awaitility;

/** The report made from a recording alone is the report made from memory. */
class RecordingRoundTripTest {
    private static final AtomicReference<Findings> FINDINGS = new AtomicReference<>();
    private static final Counters COUNTERS = new Counters();
    /** A chunk is given a few milliseconds of CPU time; code that has not run often yet may need more. */
    private static final int ATTEMPTS = 50;
    private static LeakEvents events;
    private static Path directory;
    private static long ticks;

    @BeforeContainer
    static void register() throws Exception {
        directory = Files.createTempDirectory("round-trip");
        events = new LeakEvents(FINDINGS::get, COUNTERS, LeakText::render, () -> 0, "");
        events.register();
        Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> events.registered());
    }

    @AfterContainer
    static void close() throws Exception {
        events.close();
        Files.delete(directory);
    }

    @Property(tries = 40)
    void theReportFromARecordingIsTheReportFromMemory(@ForAll("reports") LeakReport report) throws Exception {
        Path file = directory.resolve("round.jfr");
        LeakReport known = record(report, file);
        for (int i = 1; i < ATTEMPTS && known == null; i++) {
            known = record(report, file);
        }
        assertThat(known).as("written whole at least once").isNotNull();
        LeakReport read = RecordedReport.of(FindingsReader.read(file));
        Files.delete(file);
        assertThat(read).isEqualTo(known);
        assertThat(JsonReport.render(read)).isEqualTo(JsonReport.render(known));
        assertThat(TextReport.render(read)).isEqualTo(TextReport.render(known));
    }

    /** What was recorded; null when the time of a chunk was over before all of it was written. */
    private static LeakReport record(LeakReport report, Path file) throws Exception {
        // A later moment each time, as in a program: it names the state.
        LeakReport known = at(report, Fixtures.NOON.plusSeconds(++ticks));
        FINDINGS.set(new Findings(known.writtenAt(), RecordedReport.status(known, 7), known.leaks(), List.of()));
        long dropped = COUNTERS.get("jfr.events.dropped");
        try (Recording recording = new Recording()) {
            recording.start();
            known.searches().forEach(events::searchEnded);
            recording.stop();
            recording.dump(file);
        }
        return COUNTERS.get("jfr.events.dropped") == dropped ? known : null;
    }

    private static LeakReport at(LeakReport report, Instant time) {
        return new LeakReport(report.version(), time, report.startedAt(), report.pid(), report.jvm(), report.settled(), report.leaks(), report.searches(),
                report.floorBytes(), report.secondsToExhaustion(), report.counters(), report.cost(), report.limits(), report.allocation());
    }

    @Provide
    Arbitrary<LeakReport> reports() {
        Arbitrary<List<Leak>> leaks = leak().list().ofMaxSize(4).map(RecordingRoundTripTest::withIdsOfTheirOwn);
        Arbitrary<LeakReport.Cost> cost = Combinators.combine(nanos(), doubles(), Arbitraries.longs().between(0, 1_000_000_000), nanos()).as(
                (cpu, share, slice, stopped) -> new LeakReport.Cost(cpu / 1e6, share, slice, cpu, -1, stopped / 1e6));
        Arbitrary<Said> said = Combinators.combine(names().list().ofMaxSize(4), volumes().injectNull(0.3)).as(Said::new);
        return Combinators.combine(leaks, searches(), said, Arbitraries.maps(plainNames(), Arbitraries.longs()).ofMaxSize(6), cost,
                Arbitraries.longs().greaterOrEqual(0).list().ofMaxSize(30), doubles(), Arbitraries.of(true, false)).as(
                (all, ended, also, counters, spent, floors, seconds, settled) -> new LeakReport("0.1.0", Fixtures.NOON, Fixtures.NOON.minusSeconds(3_600), 4_711,
                        new LeakReport.Jvm("17.0.15+6", "G1", "agent"), settled, all, ended, floors, seconds, new TreeMap<>(counters), spent, also.limits, also.volumes));
    }

    private record Said(List<String> limits, AllocationVolumes volumes) { }

    private static Arbitrary<AllocationVolumes> volumes() {
        Arbitrary<AllocationVolumes.Row> row = Combinators.combine(names(), nanos()).as(AllocationVolumes.Row::new);
        Arbitrary<AllocationVolumes.Table> table = Combinators.combine(row.list().ofMaxSize(16), nanos()).as(AllocationVolumes.Table::new);
        return Combinators.combine(doubles(), nanos(), table, table, table).as(AllocationVolumes::new);
    }

    private static Arbitrary<RootConfirmation> confirmation() {
        Arbitrary<RootConfirmation.Step> step = Combinators.combine(lines(), lines().filter(name -> !name.isEmpty()).injectNull(0.5), Arbitraries.of(true, false),
                Arbitraries.integers().greaterOrEqual(-1), Arbitraries.integers().between(0, 9), lines()).as(RootConfirmation.Step::new);
        return Combinators.combine(Arbitraries.of(RootConfirmation.Outcome.values()), Arbitraries.of(RootConfirmation.Match.values()).injectNull(0.2),
                Arbitraries.integers(), Arbitraries.integers(), names().injectNull(0.3), names().list().ofSize(2), step.list().ofMaxSize(12),
                Combinators.combine(nanos(), times()).as(Asked::new)).as((outcome, match, samples, matched, detail, root, path, asked) ->
                new RootConfirmation(outcome, match, samples, matched, root.get(0), root.get(1), detail, root.get(0), path, asked.pause, asked.at));
    }

    private record Asked(long pause, Instant at) { }

    /** A step of a path is one line. */
    private static Arbitrary<String> lines() {
        return names().map(name -> name.replaceAll("\\R", " "));
    }

    private static List<Leak> withIdsOfTheirOwn(List<Leak> leaks) {
        List<Leak> named = new ArrayList<>();
        for (Leak leak : leaks) {
            named.add(new Leak("0000000" + named.size(), leak.className(), leak.state(), leak.outcome(), leak.sampledClasses(), leak.trend(), leak.live(),
                    leak.growth(), leak.allocation(), leak.chains(), leak.hints(), leak.confirmation()));
        }
        return named;
    }

    private static Arbitrary<List<SearchSummary>> searches() {
        return Combinators.combine(Arbitraries.of(AbandonReason.FRONTIER_CAP, AbandonReason.TTL, AbandonReason.NO_PROGRESS, AbandonReason.NONE),
                Arbitraries.integers().between(0, 9_999), nanos()).as((reason, passes, nanos) -> new SearchSummary(0,
                reason == AbandonReason.NONE ? SearchState.COMPLETED : SearchState.ABANDONED, reason, passes, nanos / 3, nanos / 2, Fixtures.NOON, nanos,
                nanos / 7, 4_096)).list().ofMaxSize(12).map(RecordingRoundTripTest::oneAfterTheOther);
    }

    private static List<SearchSummary> oneAfterTheOther(List<SearchSummary> searches) {
        List<SearchSummary> numbered = new ArrayList<>();
        for (SearchSummary s : searches) {
            int number = numbered.size() + 1;
            numbered.add(new SearchSummary(number, s.state(), s.reason(), s.passes(), s.visited(), s.references(), Fixtures.NOON.plusMillis(number * 17L),
                    s.cpuNanos(), s.longestSliceNanos(), s.tableBytes()));
        }
        return numbered;
    }

    private static Arbitrary<Leak> leak() {
        Arbitrary<CandidateTrend> trend = Combinators.combine(Arbitraries.of(CandidateTrend.Evidence.values()),
                Arbitraries.integers().list().ofMaxSize(30), doubles(), Arbitraries.integers(), times()).as(CandidateTrend::new);
        Arbitrary<LiveEstimate> live = Combinators.combine(Arbitraries.integers().greaterOrEqual(0), nanos(), nanos(), Arbitraries.longs()).as(LiveEstimate::new);
        Arbitrary<Leak.Growth> growth = Combinators.combine(names(), names(), nanos(), Arbitraries.longs().between(-1_000, 1_000), doubles(), shares())
                .as(Leak.Growth::new).injectNull(0.2);
        Arbitrary<AllocationEvidence> evidence = Combinators.combine(names(), names().list().ofMaxSize(8), Arbitraries.integers(), names().list().ofMaxSize(64))
                .as(AllocationEvidence::new);
        return Combinators.combine(names(), Arbitraries.of(LeakState.values()), names().list().ofMaxSize(5), trend, live, growth,
                evidence.list().ofMaxSize(3), Combinators.combine(chain().list().ofMaxSize(3), names().list().ofMaxSize(2), confirmation().injectNull(0.5)).as(Rest::new)).as(
                (owner, state, sampled, trending, alive, grows, allocation, rest) -> new Leak("", owner, state, rest.chains.isEmpty() ? "unreached" : "chain",
                        sampled, trending, alive, grows, allocation, rest.chains, rest.hints, rest.confirmation));
    }

    private record Rest(List<ReferenceChain> chains, List<String> hints, RootConfirmation confirmation) { }

    private static Arbitrary<ReferenceChain> chain() {
        Arbitrary<GcRoot> root = Combinators.combine(Arbitraries.of(RootKind.values()), names(), names().injectNull(0.5)).as(GcRoot::new);
        return Combinators.combine(root, hop().list().ofMaxSize(40), Arbitraries.integers().between(0, 50_000), Arbitraries.integers(), shares(), times()).as(
                (start, hops, left, instances, share, time) -> new ReferenceChain(start, hops, hops.size() + left, left > 0, instances, share, time));
    }

    private static Arbitrary<Hop> hop() {
        return Arbitraries.oneOf(
                Combinators.combine(names(), names(), names(), names()).as(Hop::field),
                Combinators.combine(names(), names(), names()).as(Hop::staticField),
                Combinators.combine(names(), Arbitraries.integers().greaterOrEqual(0), names()).as(Hop::element),
                Combinators.combine(names(), Arbitraries.of(EdgeKind.values()).filter(kind -> kind != EdgeKind.STATIC_FIELD && kind != EdgeKind.FIELD
                        && kind != EdgeKind.ELEMENT), names().injectNull(0.5), names()).as((holder, kind, local, target) ->
                        new Hop(holder, "java.lang.Thread", kind, "threadLocals", -1, local, target)));
    }

    /** Names as programs have them, and any text of up to 200 characters. */
    private static Arbitrary<String> names() {
        return Arbitraries.oneOf(Arbitraries.of("com.acme.Session", "java.util.HashMap$Node[]", "byte[]", "http-1", "com.acme.Login.login(Login.java:42)", ""),
                Arbitraries.strings().ofMaxLength(200));
    }

    private static Arbitrary<String> plainNames() {
        return Arbitraries.strings().withCharRange('a', 'z').withChars('.').ofMinLength(1).ofMaxLength(30);
    }

    private static Arbitrary<Double> doubles() {
        return Arbitraries.doubles().between(-1e9, 1e9);
    }

    private static Arbitrary<Double> shares() {
        return Arbitraries.doubles().between(0, 1);
    }

    private static Arbitrary<Long> nanos() {
        return Arbitraries.longs().between(0, 1L << 50);
    }

    private static Arbitrary<Instant> times() {
        return Arbitraries.longs().between(0, 4_000_000_000_000L).map(Instant::ofEpochMilli);
    }
}
