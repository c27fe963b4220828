package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveSample;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Each chunk is read alone, as one does who was handed only it: every reference must be resolvable there. Events of other profilers failed here, whose
 * stacks and threads stood in the chunk of the allocation and not in that of the event.
 */
class EveryChunkTest {
    /** Longer than what Flight Recorder keeps once a chunk and refers to. */
    private static final String LONG_NAME = "worker-" + "x".repeat(300);

    private final Counters counters = new Counters();
    private final AtomicReference<Findings> findings = new AtomicReference<>();
    private final AtomicLong epoch = new AtomicLong(10);
    private final LeakEvents events = Leaks.events(findings::get, counters, Leak::id, epoch::get);
    private final List<Object> alive = new ArrayList<>();

    @TempDir
    Path directory;

    static final class Session { }

    @BeforeEach
    void register() throws Exception {
        events.register();
        Await.until("the event types", events::registered);
    }

    @AfterEach
    void close() {
        events.close();
        assertThat(counters.get("jfr.events.faults")).isZero();
    }

    /** An object of a thread that is dead when this returns. */
    private LiveSample allocatedByDeadThread(String threadName, Class<?> type, List<String> stack) throws Exception {
        Thread thread = new Thread(() -> {
            synchronized (alive) {
                alive.add(type == Session.class ? new Session() : type == int[][].class ? new int[3][4] : new byte[9]);
            }
        }, threadName);
        thread.start();
        thread.join();
        return Leaks.sample(alive.get(alive.size() - 1), threadName, stack);
    }

    @Test
    void everyChunkAloneResolvesWhatItsEventsName() throws Exception {
        List<String> login = List.of("com.acme.Login.login(Login.java:42)", "com.acme.Main.main(Main.java:7)");
        List<String> deep = new ArrayList<>();
        for (int i = 0; i < 64; i++) {
            deep.add("com.acme.deeply.nested.Recursion.descend(Recursion.java:" + i + ")");
        }
        List<LiveSample> samples = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            samples.add(allocatedByDeadThread("http-1", Session.class, login));
        }
        samples.add(allocatedByDeadThread(LONG_NAME, int[][].class, deep));
        samples.add(allocatedByDeadThread("http-3", byte[].class, List.of()));
        findings.set(Leaks.findings(List.of(Leaks.session("4edcf1db")), samples));
        Path whole = directory.resolve("whole.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.dump(directory.resolve("first.jfr"));
            try (Recording other = new Recording()) {
                other.start(); // ends a chunk
                other.stop(); // and another one
            }
            recording.dump(directory.resolve("second.jfr"));
            recording.stop();
            recording.dump(whole);
        }
        List<Path> chunks = RecordingReader.chunks(whole, directory);
        assertThat(chunks).hasSizeGreaterThanOrEqualTo(4);
        for (Path chunk : chunks) {
            assertSelfContained(chunk);
            RecordedFindings read = FindingsReader.read(chunk);
            assertThat(read.gaps()).isEmpty();
            assertThat(read.leaks()).containsExactly(Leaks.session("4edcf1db"));
            assertThat(read.status()).isEqualTo(Leaks.status());
        }
        Reference.reachabilityFence(alive);
    }

    private static void assertSelfContained(Path chunk) throws Exception {
        List<RecordedEvent> live = RecordingReader.ours(chunk, "LiveObject");
        List<RecordedEvent> stacks = RecordingReader.ours(chunk, "AllocationStack");
        assertThat(live).hasSize(7);
        assertThat(live).extracting(event -> event.getClass("objectClass").getName())
                .containsExactly(Session.class.getName(), Session.class.getName(), Session.class.getName(), Session.class.getName(), Session.class.getName(),
                        "[[I", "[B");
        assertThat(live).extracting(event -> Texts.read(event, "className")).startsWith(Session.class.getName()).endsWith("int[][]", "byte[]");
        assertThat(live).extracting(event -> Texts.read(event, "threadName")).startsWith("http-1").endsWith(LONG_NAME, "http-3");
        assertThat(live).extracting(event -> event.getLong("threadId")).containsOnly(77L);
        assertThat(live).extracting(event -> event.getLong("age")).containsOnly(6L);
        assertThat(live).extracting(event -> event.getLong("size")).containsOnly(24L);
        assertThat(live).extracting(event -> event.getInstant("allocationTime")).containsOnly(Leaks.SOME_TIME.minusSeconds(3_600));
        assertThat(live.get(6).getLong("stackId")).isZero();
        Set<Long> named = live.stream().map(event -> event.getLong("stackId")).filter(id -> id != 0).collect(Collectors.toSet());
        assertThat(stacks).extracting(event -> event.getLong("stackId")).containsExactlyInAnyOrderElementsOf(named).hasSize(2);
        assertThat(Texts.read(stacks.get(0), "stack")).isEqualTo("com.acme.Login.login(Login.java:42)\ncom.acme.Main.main(Main.java:7)");
        assertThat(Texts.read(stacks.get(1), "stack")).hasLineCount(64).endsWith("(Recursion.java:63)");
        assertThat(stacks.get(1).getInt("depth")).isEqualTo(64);
        assertNoTextIsMissing(chunk);
    }

    private static void assertNoTextIsMissing(Path chunk) throws Exception {
        // No text of ours may be a reference into another chunk, which reads as null.
        for (RecordedEvent event : RecordingReader.ours(chunk)) {
            event.getFields().stream().filter(field -> field.getTypeName().equals("java.lang.String")).map(field -> field.getName())
                    .filter(name -> !Set.of("rootThread", "local", "declaringClass", "field").contains(name))
                    .forEach(name -> assertThat(Texts.read(event, name)).as(event.getEventType().getName() + "." + name).isNotNull());
        }
    }

    /** JDK 17 lost texts here: a thread's first event relied on texts of the chunk before. */
    @Test
    void whicheverThreadEndsAChunk() throws Exception {
        alive.add(new Session());
        findings.set(Leaks.findings(List.of(Leaks.session("4edcf1db")), List.of(Leaks.sample(alive.get(0), "a thread with a name", List.of("a.B.c(B.java:1)")))));
        Path whole = directory.resolve("whole.jfr");
        for (int round = 0; round < 3; round++) {
            try (Recording recording = new Recording()) {
                recording.start();
                for (int i = 0; i < 4; i++) {
                    Path file = directory.resolve("dump" + i + ".jfr");
                    Thread other = new Thread(() -> {
                        try {
                            recording.dump(file);
                        } catch (java.io.IOException e) {
                            throw new java.io.UncheckedIOException(e);
                        }
                    });
                    other.start();
                    other.join();
                    recording.dump(directory.resolve("own" + i + ".jfr"));
                }
                recording.stop();
                recording.dump(whole);
            }
            List<Path> chunks = RecordingReader.chunks(whole, directory);
            assertThat(chunks).hasSizeGreaterThanOrEqualTo(9);
            for (Path chunk : chunks) {
                assertNoTextIsMissing(chunk);
                assertThat(FindingsReader.read(chunk).leaks()).containsExactly(Leaks.session("4edcf1db"));
            }
        }
        Reference.reachabilityFence(alive);
    }

    @Test
    void anObjectThatDiesIsWrittenNoMore() throws Exception {
        LiveSample dies = Leaks.sample(new Session(), "http-1", List.of("a.B.c(B.java:1)"));
        alive.add(new Session());
        LiveSample lives = Leaks.sample(alive.get(0), "http-1", List.of("a.B.c(B.java:2)"));
        findings.set(Leaks.findings(List.of(), List.of(dies, lives)));
        dies.object().clear();
        Path file = directory.resolve("one.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            epoch.set(14);
            recording.stop();
            recording.dump(file);
        }
        assertThat(RecordingReader.ours(file, "LiveObject")).extracting(event -> event.getLong("sample")).containsExactly(lives.sequence());
        assertThat(RecordingReader.ours(file, "LiveObject").get(0).getLong("age")).isEqualTo(10);
        assertThat(RecordingReader.ours(file, "AllocationStack")).hasSize(1);
        Reference.reachabilityFence(alive);
    }

    @Test
    void noMoreThanAThousandObjectsInAChunkAndTheRestIsCounted() throws Exception {
        List<LiveSample> samples = new ArrayList<>();
        for (int i = 0; i < Findings.MAX_LIVE_SAMPLES + 5; i++) {
            alive.add(new Session());
            samples.add(Leaks.sample(alive.get(i), "http-1", List.of()));
        }
        findings.set(Leaks.findings(List.of(), samples));
        Path file = directory.resolve("many.jfr");
        try (Recording recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(file);
        }
        long written = RecordingFile.readAllEvents(file).stream().filter(event -> event.getEventType().getName().equals("holdfast.LiveObject")).count();
        assertThat(written).isEqualTo(Findings.MAX_LIVE_SAMPLES);
        assertThat(counters.get("jfr.events.dropped")).isEqualTo(5);
        Reference.reachabilityFence(alive);
    }
}
