package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.scouted.Allocations;
import com.acme.scouted.Marker;
import com.acme.scouted.OwnThreadMarker;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Counters;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.Ticker;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AllocationScoutTest {
    private static final String FIXTURE = Allocations.class.getName();

    private final ConcurrentLinkedQueue<ScoutedAllocation> seen = new ConcurrentLinkedQueue<>();
    private final Counters counters = new Counters();

    @Test
    void namesTheAllocatingInstructionExactly() throws Exception {
        Thread own = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                Allocations.ownThread();
                Thread.yield();
            }
        }, "holdfast");
        own.setDaemon(true);
        try (AllocationScout scout = new AllocationScout(seen::add, counters)) {
            scout.start(1_000);
            own.start();
            Set<String> wanted = Set.of("object@0", "primitives@3", "references@3", "rectangle@6", "capture@1", "copy@3", "reflective@7");
            Await.until("a sample of every kind", () -> {
                Allocations.all();
                OwnCodeAllocations.all();
                assertThat(scout.failure()).isEmpty();
                return sites().containsAll(wanted) && counters.get("jfr.scout.skipped.ownthread") > 0 && counters.get("jfr.scout.skipped.owncode") > 0;
            });
        } finally {
            own.interrupt();
        }
        String marker = Marker.class.getName();
        assertThat(classesAt("object", 0)).containsExactly(marker);
        assertThat(classesAt("primitives", 3)).containsExactly("int[]");
        assertThat(classesAt("references", 3)).containsExactly("java.lang.String[]");
        assertThat(classesAt("rectangle", 6)).isSubsetOf("short[][]", "short[]");
        assertThat(classesAt("copy", 3)).containsExactly("int[]");
        assertThat(classesAt("capture", 1)).isNotEmpty().allMatch(name -> name.startsWith(FIXTURE + "$$Lambda"));
        assertThat(classesAt("reflective", 7)).contains(marker);
        // No other instruction of these methods is ever named.
        assertThat(sites()).isSubsetOf("object@0", "primitives@3", "references@3", "rectangle@6", "capture@1", "copy@3", "reflective@7", "reflective@4");
        assertThat(seen).noneMatch(sample -> sample.allocatedClass().equals(OwnThreadMarker.class.getName()));
        assertThat(seen).noneMatch(sample -> sample.className().contains("LambdaForm") || sample.className().contains("$$Lambda"));
        assertThat(seen).noneMatch(sample -> sample.className().startsWith("io.holdfast."));
        assertThat(seen).allMatch(sample -> sample.weightBytes() > 0 && sample.descriptor().startsWith("("));
        ScoutedAllocation object = seen.stream().filter(sample -> sample.methodName().equals("object")).findFirst().orElseThrow();
        assertThat(object.descriptor()).isEqualTo("()Ljava/lang/Object;");
        assertThat(object.line()).isPositive();
        assertThat(counters.get("jfr.scout.faults")).isZero();
    }

    @Test
    void closeLeavesNoRecordingAndNoThreadOfOurs() throws Exception {
        AllocationScout scout = new AllocationScout(seen::add, counters);
        ClassLoader usual = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader application = new URLClassLoader(new URL[0])) {
            Thread.currentThread().setContextClassLoader(application);
            scout.start(150);
            Await.until("the stream's thread", () -> threadNames().stream().anyMatch(name -> name.startsWith("JFR Event Stream")));
            assertThat(Thread.getAllStackTraces().keySet()).filteredOn(thread -> thread != Thread.currentThread())
                    .noneMatch(thread -> thread.getContextClassLoader() == application);
        } finally {
            Thread.currentThread().setContextClassLoader(usual);
        }
        scout.throttle(10);
        scout.close();
        scout.close();
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        Await.until("the end of all threads of ours", () -> threadNames().stream().noneMatch(name -> name.equals(StartThread.NAME) || name.startsWith("JFR Event Stream")));
        int before = seen.size();
        Allocations.all();
        assertThat(seen).hasSize(before);
        assertThat(scout.failure()).isEmpty();
    }

    @Test
    void anUnchangedRateIsToldOnce(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("settings.jfr");
        try (AllocationScout scout = new AllocationScout(seen::add, counters); Recording recording = new Recording()) {
            recording.enable("jdk.ActiveSetting");
            recording.start();
            scout.start(150);
            Await.until("the end of the start", () -> !threadNames().contains(StartThread.NAME));
            for (int i = 0; i < 100; i++) {
                scout.throttle(10);
            }
            recording.stop();
            recording.dump(file);
            assertThat(scout.failure()).isEmpty();
        }
        long told = RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals("jdk.ActiveSetting") && "10/s".equals(event.getString("value"))).count();
        // Flight Recorder writes the setting at each of the few steps of one change, and perhaps again at the end of a chunk.
        assertThat(told).isBetween(1L, 20L);
    }

    @Test
    void closeBeforeTheStartIsThroughClosesWhatWasStarted() throws Exception {
        AllocationScout scout = new AllocationScout(seen::add, counters);
        scout.start(150);
        scout.close();
        scout.start(150);
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        Await.until("the end of the start thread", () -> !threadNames().contains(StartThread.NAME));
    }

    @Test
    void aConsumerThatThrowsIsCountedAndDoesNotEndTheStream() throws Exception {
        try (AllocationScout scout = new AllocationScout(sample -> {
            seen.add(sample);
            throw new IllegalStateException("from the consumer");
        }, counters)) {
            scout.start(1_000);
            Await.until("two faults in different flushes", () -> {
                Allocations.all();
                return counters.get("jfr.scout.faults") > 200;
            });
            assertThat(scout.failure()).isEmpty();
        }
    }

    @Test
    void volumesNameClassSiteAndThread() throws Exception {
        try (AllocationScout scout = new AllocationScout(seen::add, counters)) {
            scout.start(1_000);
            Await.until("a sample of the marker", () -> {
                Allocations.all();
                return scout.volumes().classes().rows().stream().anyMatch(row -> row.name().equals(Marker.class.getName()))
                        && scout.volumes().sites().rows().stream().anyMatch(row -> row.name().startsWith(FIXTURE + ".object:"));
            });
            AllocationVolumes volumes = scout.volumes();
            assertThat(volumes.samples()).isPositive();
            assertThat(volumes.bytesPerSecond()).isPositive();
            assertThat(volumes.threads().rows()).anyMatch(row -> row.name().equals(Thread.currentThread().getName()));
            assertThat(volumes.classes().bytes()).isEqualTo(volumes.threads().bytes()).isEqualTo(volumes.sites().bytes());
        }
    }

    @Test
    void whereNoStreamOpensARecordingIsRead() throws Exception {
        AllocationScout.Opening refuses = (rate, events, collections, error, ended) -> {
            throw new IllegalStateException("no stream today");
        };
        try (AllocationScout scout = new AllocationScout(seen::add, counters, null, Ticker.system(), refuses, 1_000)) {
            scout.start(1_000);
            untilPolled(scout, "IllegalStateException: no stream today.");
            scout.throttle(10);
            assertThat(counters.get("jfr.scout.failures")).isZero();
        }
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        Await.until("the end of the reader", () -> threadNames().stream().noneMatch(name -> name.startsWith("JFR poll")));
    }

    /** As a user may do who stops all recordings. */
    @Test
    void aStreamWhoseRecordingIsClosedByOthersIsReplacedByARecording() throws Exception {
        try (AllocationScout scout = new AllocationScout(seen::add, counters, null, Ticker.system(), AllocationStream::open, 1_000)) {
            scout.start(1_000);
            Await.until("a sample of the stream", () -> {
                Allocations.all();
                return !seen.isEmpty();
            });
            assertThat(scout.failure()).isEmpty();
            FlightRecorder.getFlightRecorder().getRecordings().forEach(Recording::close);
            Await.until("the end of the stream", () -> counters.get("jfr.scout.stream.failures") > 0);
            seen.clear();
            untilPolled(scout, "IllegalStateException: the stream was ended by somebody else.");
            // And that one too.
            FlightRecorder.getFlightRecorder().getRecordings().forEach(Recording::close);
            Await.until("the end of all", () -> scout.failure().orElse("").startsWith("Allocation samples are not available: "));
            assertThat(counters.get("jfr.scout.failures")).isEqualTo(1);
        }
        assertThat(counters.get("jfr.scout.stream.failures")).isEqualTo(1);
    }

    private void untilPolled(AllocationScout scout, String why) throws Exception {
        Await.until("a sample from a recording", () -> {
            Allocations.all();
            return seen.stream().anyMatch(sample -> sample.className().equals(FIXTURE));
        });
        assertThat(scout.failure()).hasValue("Allocation samples are read from a recording every 1 s, so new sites are learned that much later, because the stream "
                + "does not work: " + why);
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).extracting(Recording::getName).containsExactly(PolledAllocations.NAME);
        assertThat(counters.get("jfr.scout.stream.failures")).isEqualTo(1);
    }

    private Set<String> sites() {
        return seen.stream().filter(sample -> sample.className().equals(FIXTURE) && !sample.methodName().equals("ownThread") && !sample.methodName().equals("<clinit>"))
                .map(sample -> sample.methodName() + "@" + sample.bytecodeIndex()).collect(Collectors.toCollection(TreeSet::new));
    }

    private List<String> classesAt(String method, int bytecodeIndex) {
        return seen.stream().filter(sample -> sample.className().equals(FIXTURE) && sample.methodName().equals(method) && sample.bytecodeIndex() == bytecodeIndex)
                .map(ScoutedAllocation::allocatedClass).distinct().sorted().toList();
    }

    private static List<String> threadNames() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).toList();
    }
}
