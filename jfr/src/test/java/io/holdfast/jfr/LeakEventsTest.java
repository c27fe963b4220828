package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeakEventsTest {
    private static final SearchSummary RUNNING = new SearchSummary(3, SearchState.RUNNING, AbandonReason.NONE, 7, 1_000, 5_000,
            Leaks.SOME_TIME, 42_000_000, 4_000_000, 65_536);
    private static final PassConditions CONDITIONS = new PassConditions(20_000, 5_000_000, 100_000_000, 3, 1, 8, 42_000_000, true);

    private final Counters counters = new Counters();
    private final AtomicReference<Findings> findings = new AtomicReference<>(Leaks.findings());
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicReference<Instant> now = new AtomicReference<>(Leaks.SOME_TIME.plusSeconds(60));
    private final AtomicInteger nanosPerLook = new AtomicInteger();
    private final AtomicLong busyNanos = new AtomicLong();
    private final Ticker ticker = new Ticker() {
        @Override
        public long nanos() {
            return 0;
        }

        @Override
        public Instant now() {
            return now.get();
        }
    };
    private final LeakEvents events = new LeakEvents(() -> {
        asked.incrementAndGet();
        return findings.get();
    }, counters, leak -> "LEAK " + leak.id(), () -> 9, "hops=200", ticker, unused -> () -> busyNanos.addAndGet(nanosPerLook.get()));

    @TempDir
    Path directory;

    @AfterEach
    void leavesNothing() {
        events.close();
        assertThat(FlightRecorder.getFlightRecorder().getEventTypes()).extracting(EventType::getName).noneMatch(name -> name.startsWith("holdfast."));
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        assertThat(counters.get("jfr.events.faults")).isZero();
        assertThat(events.failure()).isEmpty();
    }

    private void register() throws Exception {
        events.register();
        Await.until("the event types", events::registered);
    }

    @Test
    void everyChunkAloneHoldsAllThatIsKnown() throws Exception {
        register();
        findings.set(Leaks.findings(Leaks.session("4edcf1db"), Leaks.session("90ab1234")));
        try (Recording recording = new Recording()) {
            recording.start();
            for (int i = 0; i < 3; i++) {
                recording.dump(directory.resolve("dump" + i + ".jfr"));
            }
            recording.stop();
            recording.dump(directory.resolve("all.jfr"));
        }
        for (int i = 0; i < 3; i++) {
            assertComplete(directory.resolve("dump" + i + ".jfr"), i + 1);
        }
        List<Path> chunks = RecordingReader.chunks(directory.resolve("all.jfr"), directory);
        assertThat(chunks).hasSizeGreaterThanOrEqualTo(4);
        for (Path chunk : chunks) {
            assertComplete(chunk, 1);
        }
    }

    private static void assertComplete(Path file, int copies) throws Exception {
        assertThat(RecordingReader.ours(file, "LeakCandidate")).extracting(event -> Texts.read(event, "leakId")).hasSize(2 * copies).contains("4edcf1db", "90ab1234");
        assertThat(RecordingReader.ours(file, "ReferenceChain")).hasSize(2 * copies);
        assertThat(RecordingReader.ours(file, "ReferenceChainHop")).hasSize(8 * copies);
        Set<Long> sequences = RecordingReader.ours(file).stream().map(event -> event.getLong("sequence")).collect(Collectors.toSet());
        assertThat(RecordingReader.ours(file, "Status")).hasSize(copies);
        assertThat(RecordingReader.ours(file, "LeakAllocation")).hasSize(2 * copies);
        assertThat(sequences).hasSize(15 * copies);
    }

    @Test
    void aRecordingStartedAfterTheLeakWasKnownHasIt() throws Exception {
        register();
        findings.set(Leaks.findings(Leaks.session("4edcf1db")));
        events.findingsChanged();
        assertThat(RecordingReader.ours(recordNothing(), "LeakCandidate")).hasSize(1);
    }

    private Path recordNothing() throws Exception {
        Path file = directory.resolve("later.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        return file;
    }

    @Test
    void fieldsOfALeak() throws Exception {
        register();
        findings.set(Leaks.findings(Leaks.session("4edcf1db")));
        Path file = recordNothing();
        RecordedEvent leak = RecordingReader.ours(file, "LeakCandidate").get(0);
        assertThat(Texts.read(leak, "owner")).isEqualTo("com.acme.Session");
        assertThat(Texts.read(leak, "sampledClasses")).isEqualTo("byte[], com.acme.Session");
        assertThat(Texts.read(leak, "holder")).isEqualTo("com.acme.SessionRegistry#ACTIVE");
        assertThat(Texts.read(leak, "verdict")).isEqualTo("explained");
        assertThat(Texts.read(leak, "outcome")).isEqualTo("chain");
        assertThat(leak.getDouble("share")).isEqualTo(0.987);
        assertThat(leak.getLong("growthPerHour")).isEqualTo(11_953_766);
        assertThat(leak.getInt("survivors")).isEqualTo(120);
        assertThat(leak.getLong("elements")).isEqualTo(41_207);
        assertThat(Texts.read(leak, "distinctAges")).isEqualTo("3 4 5");
        assertThat(leak.getInstant("firstSeen")).isEqualTo(Leaks.SOME_TIME);
        assertThat(Texts.read(leak, "allocationSite")).isEqualTo("com.acme.Login.login(Login.java:42)");
        assertThat(leak.getDouble("confidence")).isEqualTo(0.987);
        RecordedEvent allocation = RecordingReader.ours(file, "LeakAllocation").get(0);
        assertThat(Texts.read(allocation, "leakId")).isEqualTo("4edcf1db");
        assertThat(Texts.read(allocation, "site")).isEqualTo("com.acme.Login.login(Login.java:42)");
        assertThat(Texts.read(allocation, "threads")).isEqualTo("http-1, http-2");
        assertThat(Texts.read(allocation, "stack")).isEqualTo("com.acme.Login.login(Login.java:42)\ncom.acme.Main.main(Main.java:7)");
        assertThat(leak.getStackTrace()).isNull();
        assertThat(leak.getEventType().getCategoryNames()).containsExactly("Holdfast", "Leak");
        assertThat(Texts.read(leak, "trace")).isEqualTo("LEAK 4edcf1db");

        RecordedEvent chain = RecordingReader.ours(file, "ReferenceChain").get(0);
        assertThat(Texts.read(chain, "leakId")).isEqualTo("4edcf1db");
        assertThat(Texts.read(chain, "rootKind")).isEqualTo("static_field");
        assertThat(Texts.read(chain, "targetClass")).isEqualTo("com.acme.Session");
        assertThat(chain.getInt("hops")).isEqualTo(4);
        assertThat(chain.getInt("totalHops")).isEqualTo(4);
        assertThat(chain.getBoolean("truncated")).isFalse();
        assertThat(chain.getInstant("validatedAt")).isEqualTo(Leaks.SOME_TIME);
        assertThat(Texts.read(chain, "trace")).startsWith("static com.acme.SessionRegistry.ACTIVE\n").endsWith("value -> com.acme.Session");
        assertThat(chain.getEventType().getField("leakId").getAnnotationElements()).anyMatch(annotation -> annotation.getTypeName().equals(LeakId.class.getName())
                && annotation.getAnnotationElements().stream().anyMatch(inner -> inner.getTypeName().equals("jdk.jfr.Relational")));

        List<RecordedEvent> hops = RecordingReader.ours(file, "ReferenceChainHop");
        assertThat(hops).extracting(hop -> Texts.read(hop, "edgeKind") + " " + Texts.read(hop, "field") + " " + hop.getInt("arrayIndex")).containsExactly(
                "static_field ACTIVE -1", "field table -1", "element null 17", "field value -1");
        assertThat(hops).extracting(hop -> hop.getBoolean("suspect")).containsExactly(true, false, false, false);
        assertThat(hops).extracting(hop -> hop.getLong("containerSize")).containsExactly(41_207L, -1L, -1L, -1L);
    }

    @Test
    void eachEndedSearchIsWrittenOnce() throws Exception {
        register();
        SearchSummary completed = new SearchSummary(1, SearchState.COMPLETED, AbandonReason.NONE, 9, 100, 500, Leaks.SOME_TIME, 7_000_000, 1_000_000, 4_096);
        events.searchEnded(completed);
        events.searchEnded(new SearchSummary(2, SearchState.ABANDONED, AbandonReason.FRONTIER_CAP, 9, 100, 500, Leaks.SOME_TIME, 1, 1, 1));
        events.searchEnded(new SearchSummary(3, SearchState.ABANDONED, AbandonReason.RECORDING_END, 9, 100, 500, Leaks.SOME_TIME, 1, 1, 1));
        events.searchEnded(RUNNING);
        now.set(Leaks.SOME_TIME.plusSeconds(3_600));
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(directory.resolve("first.jfr"));
            recording.dump(directory.resolve("second.jfr"));
        }
        for (String file : List.of("first.jfr", "second.jfr")) {
            assertThat(RecordingReader.ours(directory.resolve(file), "SearchAbandoned")).hasSize(1);
            assertThat(RecordingReader.ours(directory.resolve(file), "SearchCompleted")).hasSize(1);
            RecordedEvent abandoned = RecordingReader.ours(directory.resolve(file), "SearchAbandoned").get(0);
            assertThat(abandoned.getLong("searchId")).isEqualTo(2);
            assertThat(Texts.read(abandoned, "reason")).isEqualTo("frontier_cap");
            assertThat(Texts.read(abandoned, "settings")).isEqualTo("hops=200");
            RecordedEvent ended = RecordingReader.ours(directory.resolve(file), "SearchCompleted").get(0);
            assertThat(ended.getLong("searchId")).isEqualTo(1);
            assertThat(ended.getDuration("elapsed")).isEqualTo(Duration.ofSeconds(60));
            assertThat(ended.getInstant("endedAt")).isEqualTo(Leaks.SOME_TIME.plusSeconds(60));
            assertThat(ended.getDuration("cpuTime")).isEqualTo(Duration.ofMillis(7));
        }
    }

    @Test
    void refusesTheSeventeenthSearchThatWaits() throws Exception {
        for (int i = 1; i <= 20; i++) {
            events.searchEnded(new SearchSummary(i, SearchState.ABANDONED, AbandonReason.TTL, 9, 100, 500, Leaks.SOME_TIME, 1, 1, 1));
        }
        assertThat(counters.get("jfr.searches.dropped")).isEqualTo(4);
        register();
        assertThat(RecordingReader.ours(recordNothing(), "SearchAbandoned")).extracting(event -> event.getLong("searchId"))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 16).mapToObj(Long::valueOf).toList());
    }

    @Test
    void passesAndProjectionsAreWrittenAsTheyHappen() throws Exception {
        PassReport report = new PassReport(true, false, 1_000_000, 2_000_000, 300_000, 400_000, 55, 66);
        counters.add("liveness.samples.dropped", 4);
        counters.add("refchains.frontier.dropped", 3);
        counters.add("refchains.candidates.found", 100);
        events.pass(report, RUNNING, CONDITIONS);
        register();
        Path file = directory.resolve("pass.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            events.pass(report, RUNNING, CONDITIONS);
            events.projection(1_800.5, 212L << 20, 14);
            recording.stop();
            events.projection(7, 7, 7);
            recording.dump(file);
        }
        RecordedEvent pass = RecordingReader.ours(file, "SearchPass").get(0);
        assertThat(pass.getLong("searchId")).isEqualTo(3);
        assertThat(pass.getInt("pass")).isEqualTo(7);
        assertThat(pass.getBoolean("rootEnumeration")).isTrue();
        assertThat(pass.getDuration("cpuTime")).isEqualTo(Duration.ofMillis(2));
        assertThat(pass.getDuration("longestSlice")).isEqualTo(Duration.ofNanos(400_000));
        assertThat(pass.getLong("admitted")).isEqualTo(55);
        assertThat(pass.getDuration("cpuRemainder")).isEqualTo(Duration.ofMillis(1));
        assertThat(pass.getInt("budget")).isEqualTo(20_000);
        assertThat(pass.getDuration("sliceTarget")).isEqualTo(Duration.ofMillis(5));
        assertThat(pass.getDuration("cadence")).isEqualTo(Duration.ofMillis(100));
        assertThat(pass.getInt("candidates")).isEqualTo(3);
        assertThat(pass.getInt("resolved")).isEqualTo(1);
        assertThat(pass.getInt("backOff")).isEqualTo(8);
        assertThat(pass.getDuration("cpuDebt")).isEqualTo(Duration.ofMillis(42));
        assertThat(pass.getBoolean("ramp")).isTrue();
        assertThat(pass.getString("state")).isEqualTo("running");
        assertThat(pass.getString("reason")).isEqualTo("none");
        assertThat(pass.getLong("drops")).isEqualTo(7);
        RecordedEvent projection = RecordingReader.ours(file, "HeapProjection").get(0);
        assertThat(projection.getDouble("secondsToExhaustion")).isEqualTo(1_800.5);
        assertThat(projection.getLong("floorBytes")).isEqualTo(212L << 20);
        assertThat(projection.getLong("epoch")).isEqualTo(14);
        assertThat(RecordingReader.ours(file, "SearchPass")).hasSize(1);
        assertThat(RecordingReader.ours(file, "HeapProjection")).hasSize(1);
        // The last one stands at the beginning of each chunk.
        RecordedEvent again = RecordingReader.ours(recordNothing(), "HeapProjection").get(0);
        assertThat(again.getDouble("secondsToExhaustion")).isEqualTo(7);
        assertThat(again.getLong("floorBytes")).isEqualTo(7);
    }

    @Test
    void closeWritesForTheLastTimeAndAfterThatNobodyAsks() throws Exception {
        register();
        findings.set(Leaks.findings(Leaks.session("4edcf1db")));
        Path file = directory.resolve("closed.jfr");
        int atClose;
        try (Recording recording = new Recording()) {
            recording.start();
            events.searchEnded(new SearchSummary(2, SearchState.ABANDONED, AbandonReason.TTL, 9, 100, 500, Leaks.SOME_TIME, 1, 1, 1));
            events.close();
            atClose = asked.get();
            recording.dump(file);
            recording.dump(directory.resolve("again.jfr"));
        }
        assertThat(asked).hasValue(atClose);
        assertThat(events.registered()).isFalse();
        assertThat(RecordingReader.ours(file, "LeakCandidate")).hasSize(1);
        assertThat(RecordingReader.ours(file, "ReferenceChainHop")).hasSize(4);
        assertThat(RecordingReader.ours(file, "SearchAbandoned")).hasSize(1);
        events.register();
        assertThat(events.registered()).isFalse();
        assertThat(RecordingReader.ours(recordNothing())).isEmpty();
    }

    @Test
    void asksNobodyAndWritesNothingWhileNoRecordingRuns() throws Exception {
        register();
        Await.until("the look at the start", () -> asked.get() == 1);
        findings.set(Leaks.findings(Leaks.session("4edcf1db")));
        events.pass(new PassReport(true, false, 1, 1, 1, 1, 1, 1), RUNNING, CONDITIONS);
        assertThat(asked).hasValue(1);
    }

    @Test
    void aSecondRunInTheSameJvmWritesAgain() throws Exception {
        register();
        events.close();
        Findings others = Leaks.findings(Leaks.session("second00"));
        LeakEvents second = Leaks.events(() -> others, counters, Leak::id, () -> 9);
        try (second) {
            second.register();
            Await.until("the event types", second::registered);
            assertThat(RecordingReader.ours(recordNothing(), "LeakCandidate")).extracting(event -> Texts.read(event, "leakId")).containsExactly("second00");
        }
    }

    @Test
    void findingsPublishedWhileAChunkEndsDoNotTearIt() throws Exception {
        Findings before = Leaks.findings(Leaks.session("before00"));
        Findings after = Leaks.findings(Leaks.session("after000"), Leaks.session("after001"));
        AtomicInteger asks = new AtomicInteger();
        try (LeakEvents torn = Leaks.events(() -> asks.getAndIncrement() % 2 == 0 ? before : after, counters, Leak::id, () -> 9)) {
            torn.register();
            Await.until("the event types", torn::registered);
            for (int i = 0; i < 2; i++) {
                Path file = recordNothing();
                RecordedFindings read = FindingsReader.read(file);
                assertThat(read.gaps()).isEmpty();
                assertThat(read.leaks()).isIn(before.leaks(), after.leaks());
                assertThat(RecordingReader.ours(file))
                        .extracting(event -> event.getLong("asOf")).containsOnly(read.asOf().toEpochMilli());
            }
        }
    }

    @Test
    void withoutAStatusTheNewestFindingsAreWritten() throws Exception {
        register();
        findings.set(Leaks.findings(Leaks.session("before00")));
        for (String wanted : List.of("holdfast.Status", "holdfast.LeakCandidate")) {
            Path file = directory.resolve("only.jfr");
            try (Recording recording = new Recording()) {
                RegisteredEvents.NAMES.forEach(name -> recording.disable(name));
                recording.enable(wanted);
                recording.start();
                recording.stop();
                recording.dump(file);
            }
            if (wanted.endsWith("Status")) {
                assertThat(RecordingReader.ours(file, "Status")).hasSize(1);
                findings.set(Leaks.findings(Leaks.session("after000")));
            } else {
                assertThat(RecordingReader.ours(file)).extracting(event -> Texts.read(event, "leakId")).containsExactly("after000");
            }
        }
    }

    @Test
    void aSupplierThatThrowsDisturbsNobody() throws Exception {
        Counters faulty = new Counters();
        try (LeakEvents broken = new LeakEvents(() -> {
            throw new IllegalStateException("from the supplier");
        }, faulty, Leak::id, () -> 9, "")) {
            broken.register();
            Await.until("the event types", broken::registered);
            broken.findingsChanged();
            assertThat(RecordingReader.ours(recordNothing())).isEmpty();
        }
        assertThat(faulty.get("jfr.events.faults")).isGreaterThanOrEqualTo(4);
    }

    @Test
    void whatDoesNotFitTheTimeOfAChunkIsCounted() throws Exception {
        register();
        findings.set(Leaks.findings(IntStream.range(0, 10).mapToObj(i -> Leaks.session("leak000" + i)).toList(), List.of()));
        nanosPerLook.set(5_000_000);
        Path file = recordNothing();
        nanosPerLook.set(0);
        // A look before each event but the first: three leaks are written within 12 ms, one site within 4, then the chunk's 40 ms are over, and only the
        // first of each kind is written.
        assertThat(RecordingReader.ours(file, "LeakCandidate")).extracting(event -> Texts.read(event, "leakId"))
                .containsExactly("leak0000", "leak0001", "leak0002");
        assertThat(RecordingReader.ours(file, "LeakAllocation")).hasSize(1);
        assertThat(RecordingReader.ours(file, "ReferenceChain")).hasSize(1);
        assertThat(RecordingReader.ours(file, "ReferenceChainHop")).hasSize(4);
        assertThat(counters.get("jfr.events.dropped")).isEqualTo(7 + 9 + 9 + 36);
    }

    /** The worst leak is in every chunk; the others have their turn, and after a few chunks a recording has all. */
    @Test
    void whatAChunkHadNoTimeForComesFirstInTheNext() throws Exception {
        register();
        findings.set(Leaks.findings(IntStream.range(0, 10).mapToObj(i -> Leaks.session("leak000" + i)).toList(), List.of()));
        List<List<String>> written = new ArrayList<>();
        for (int chunk = 0; chunk < 5; chunk++) {
            nanosPerLook.set(5_000_000);
            Path file = recordNothing();
            nanosPerLook.set(0);
            written.add(RecordingReader.ours(file, "LeakCandidate").stream().map(event -> Texts.read(event, "leakId")).toList());
        }
        assertThat(written).containsExactly(List.of("leak0000", "leak0001", "leak0002"), List.of("leak0000", "leak0003", "leak0004"),
                List.of("leak0000", "leak0005", "leak0006"), List.of("leak0000", "leak0007", "leak0008"), List.of("leak0000", "leak0009", "leak0001"));
        // Other findings are other texts: they begin anew.
        findings.set(Leaks.findings(IntStream.range(0, 10).mapToObj(i -> Leaks.session("next000" + i)).toList(), List.of()));
        nanosPerLook.set(5_000_000);
        Path file = recordNothing();
        nanosPerLook.set(0);
        assertThat(RecordingReader.ours(file, "LeakCandidate")).extracting(event -> Texts.read(event, "leakId")).containsExactly("next0000", "next0001", "next0002");
    }

    @Test
    void longChainsAreCutInTheMiddleAndSayHowLongTheyWere() throws Exception {
        register();
        findings.set(Leaks.findings(Leaks.withChains("long0000", List.of(Leaks.longChain(5_000, "com.acme.Node"), Leaks.longChain(300, "x".repeat(3_000))))));
        Path file = recordNothing();
        List<RecordedEvent> chains = RecordingReader.ours(file, "ReferenceChain");
        List<RecordedEvent> hops = RecordingReader.ours(file, "ReferenceChainHop");
        for (RecordedEvent chain : chains) {
            String trace = Texts.read(chain, "trace");
            assertThat(EventText.utf8Bytes(trace)).isLessThanOrEqualTo(64 << 10);
            assertThat(chain.getBoolean("truncated")).isTrue();
            assertThat(chain.getInt("totalHops")).isIn(5_000, 300);
            int kept = chain.getInt("hops");
            assertThat(kept).isBetween(20, ReferenceChain.MAX_HOPS);
            List<Integer> indices = hops.stream().filter(hop -> hop.getInt("chain") == chain.getInt("chain")).map(hop -> hop.getInt("index")).toList();
            assertThat(indices).hasSize(kept).contains(0, chain.getInt("totalHops") - 1);
            // The root, the hops, and the line that says what is missing.
            assertThat(trace.lines()).hasSize(1 + kept + 1);
            assertThat(trace).contains("  … " + (chain.getInt("totalHops") - kept) + " hops left out\n");
        }
        assertThat(chains).hasSize(2);
    }
}
