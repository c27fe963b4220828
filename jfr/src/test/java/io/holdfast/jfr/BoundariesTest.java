package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** However a recording begins and ends, what is in it is whole. */
class BoundariesTest {
    private static final SearchSummary RUNNING = new SearchSummary(3, SearchState.RUNNING, AbandonReason.NONE, 7, 1_000, 5_000,
            Leaks.SOME_TIME, 42_000_000, 4_000_000, 65_536);
    private static final SearchSummary ENDED = new SearchSummary(3, SearchState.COMPLETED, AbandonReason.NONE, 8, 1_000, 5_000,
            Leaks.SOME_TIME, 42_000_000, 4_000_000, 65_536);

    private final Object session = new Object();
    private final Counters counters = new Counters();
    private final AtomicReference<Findings> findings = new AtomicReference<>(Leaks.findings(List.of(Leaks.session("4edcf1db")),
            List.of(Leaks.sample(session, "http-1", List.of("com.acme.Login.login(Login.java:42)")))));
    private final LeakEvents events = Leaks.events(findings::get, counters, Leak::id, () -> 9);

    @TempDir
    Path directory;

    @BeforeEach
    void register() throws Exception {
        events.register();
        Await.until("the event types", events::registered);
    }

    @AfterEach
    void close() {
        events.close();
        assertThat(counters.get("jfr.events.faults")).isZero();
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        Reference.reachabilityFence(session);
    }

    private static void assertWhole(Path file) throws Exception {
        RecordedFindings read = FindingsReader.read(file);
        assertThat(read.gaps()).isEmpty();
        assertThat(read.leaks()).containsExactly(Leaks.session("4edcf1db"));
        assertThat(RecordingReader.ours(file, "LiveObject")).isNotEmpty();
        assertThat(RecordingReader.ours(file, "AllocationStack")).isNotEmpty();
    }

    @Test
    void dumpThenStop() throws Exception {
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(directory.resolve("dumped.jfr"));
            recording.stop();
            recording.dump(directory.resolve("stopped.jfr"));
        }
        assertWhole(directory.resolve("dumped.jfr"));
        assertWhole(directory.resolve("stopped.jfr"));
    }

    @Test
    void aDestinationIsWrittenAtTheStop() throws Exception {
        Path file = directory.resolve("destination.jfr");
        try (Recording recording = new Recording()) {
            recording.setDestination(file);
            recording.start();
            recording.stop();
        }
        assertWhole(file);
    }

    @Test
    void aRecordingInMemoryOnly() throws Exception {
        try (Recording recording = new Recording()) {
            recording.setToDisk(false);
            recording.start();
            recording.dump(directory.resolve("memory.jfr"));
        }
        assertWhole(directory.resolve("memory.jfr"));
    }

    @Test
    void severalRecordingsAtOnceWithSettingsOfTheirOwn() throws Exception {
        try (Recording first = new Recording(); Recording second = new Recording(); Recording without = new Recording()) {
            // What one recording forbids and the others leave open is forbidden: so Flight Recorder adds up settings.
            first.enable("holdfast.LeakCandidate");
            second.enable("holdfast.LeakCandidate");
            first.start();
            without.setSettings(Map.of("holdfast.LeakCandidate#enabled", "false"));
            without.start();
            Map<String, String> settings = first.getSettings();
            second.start();
            first.stop();
            second.dump(directory.resolve("second.jfr"));
            without.stop();
            second.stop();
            first.dump(directory.resolve("first.jfr"));
            second.dump(directory.resolve("again.jfr"));
            assertThat(first.getSettings()).isEqualTo(settings);
            assertThat(without.getSettings()).containsEntry("holdfast.LeakCandidate#enabled", "false");
        }
        assertWhole(directory.resolve("first.jfr"));
        assertWhole(directory.resolve("second.jfr"));
        assertWhole(directory.resolve("again.jfr"));
    }

    @Test
    void aKindThatIsSwitchedOffIsAGapAndNoError() throws Exception {
        Path file = directory.resolve("without.jfr");
        try (Recording recording = new Recording()) {
            recording.disable("holdfast.ReferenceChainHop");
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        RecordedFindings read = FindingsReader.read(file);
        assertThat(read.gaps()).containsExactly("Chain number 1 of leak 4edcf1db is missing in the recording.");
        assertThat(read.leaks()).hasSize(1);
        assertThat(read.leaks().get(0).allocation()).isEqualTo(Leaks.session("4edcf1db").allocation());
    }

    @Test
    void theNewestStateCountsAndOnlyIt() throws Exception {
        Path file = directory.resolve("changed.jfr");
        findings.set(Leaks.findings(Leaks.session("withdraw"), Leaks.session("4edcf1db")));
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(directory.resolve("before.jfr"));
            findings.set(Leaks.findings(Leaks.withChains("4edcf1db", List.of())));
            recording.stop();
            recording.dump(file);
        }
        assertThat(FindingsReader.read(directory.resolve("before.jfr")).leaks()).extracting(Leak::id).containsExactly("withdraw", "4edcf1db");
        assertThat(FindingsReader.read(file).leaks()).containsExactly(Leaks.withChains("4edcf1db", List.of()));
    }

    @Test
    void jcmdStartsDumpsAndStops() throws Exception {
        diagnostic("jfrStart", "name=byjcmd");
        Path dumped = directory.resolve("dumped.jfr");
        diagnostic("jfrDump", "name=byjcmd", "filename=" + dumped);
        Path stopped = directory.resolve("stopped.jfr");
        diagnostic("jfrStop", "name=byjcmd", "filename=" + stopped);
        assertWhole(dumped);
        assertWhole(stopped);
    }

    /** What jcmd runs, without the second process. */
    private static void diagnostic(String command, String... arguments) throws Exception {
        ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), command,
                new Object[] {arguments}, new String[] {String[].class.getName()});
    }

    @Test
    @Timeout(600)
    void passesGoOnWhileRecordingsComeAndGo() throws Exception {
        AtomicBoolean end = new AtomicBoolean();
        CountDownLatch passes = new CountDownLatch(50);
        Thread search = new Thread(() -> {
            while (!end.get()) {
                events.pass(new PassReport(false, true, 1, 1, 1, 1, 1, 1), RUNNING,
                        new PassConditions(1, 1, 1, 1, 1, 1, 1, false));
                passes.countDown();
                LockSupport.parkNanos(100_000); // else the recordings are full of passes and take long to read
            }
        });
        search.start();
        try {
            assertThat(passes.await(300, TimeUnit.SECONDS)).isTrue();
            for (int i = 0; i < 5; i++) {
                Path file = directory.resolve("round" + i + ".jfr");
                try (Recording recording = new Recording()) {
                    recording.start();
                    recording.dump(directory.resolve("middle" + i + ".jfr"));
                    recording.stop();
                    recording.dump(file);
                }
                assertWhole(file);
            }
        } finally {
            end.set(true);
            search.join();
        }
        // The search that ran while recordings were stopped is told of once, in the next one.
        events.searchEnded(ENDED);
        Path next = directory.resolve("next.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(next);
        }
        assertThat(RecordingReader.ours(next, "SearchCompleted")).extracting(event -> event.getLong("searchId")).containsExactly(3L);
        assertThat(FindingsReader.read(next).searches()).containsExactly(ENDED);
    }

    @Test
    @Timeout(600)
    void theEndOfAChunkWaitsForNoLockOfOurs() throws Exception {
        CountDownLatch rendering = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        AtomicReference<Findings> known = new AtomicReference<>(Leaks.findings(Leaks.session("4edcf1db")));
        Counters own = new Counters();
        Thread changer = null;
        try (LeakEvents others = Leaks.events(known::get, own, leak -> {
            if (slow.get() && Thread.currentThread().getName().equals("changer")) {
                rendering.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return leak.id();
        }, () -> 9)) {
            events.close();
            others.register();
            Await.until("the event types", others::registered);
            slow.set(true);
            known.set(Leaks.findings(Leaks.session("90ab1234")));
            changer = new Thread(others::findingsChanged, "changer");
            changer.start();
            assertThat(rendering.await(300, TimeUnit.SECONDS)).isTrue();
            // The Holdfast thread hangs in the middle of a text; whoever stops a recording does not.
            Path file = directory.resolve("unhindered.jfr");
            try (Recording recording = new Recording()) {
                recording.start();
                recording.stop();
                recording.dump(file);
            }
            assertThat(FindingsReader.read(file).leaks()).extracting(Leak::id).containsExactly("90ab1234");
        } finally {
            goOn.countDown();
            if (changer != null) {
                changer.join();
            }
        }
    }

    @Test
    void eventsAreNamedAndGroupedAndHaveUnits() throws Exception {
        Path file = directory.resolve("types.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        for (RecordedEvent event : RecordingReader.ours(file)) {
            assertThat(event.getEventType().getCategoryNames()).containsExactly("Holdfast", "Leak");
            assertThat(event.getEventType().getDescription()).isNotBlank();
            assertThat(event.getEventType().getFields()).allSatisfy(field -> assertThat(field.getLabel()).as(field.getName()).isNotBlank());
        }
        RecordedEvent live = RecordingReader.ours(file, "LiveObject").get(0);
        assertThat(live.getEventType().getField("size").getContentType()).isEqualTo("jdk.jfr.DataAmount");
        assertThat(live.getEventType().getField("allocationTime").getContentType()).isEqualTo("jdk.jfr.Timestamp");
        assertThat(Files.size(file)).isPositive();
    }
}
