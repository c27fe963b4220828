package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Recording;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FindingsReaderTest {
    @TempDir
    static Path directory;
    private static byte[] whole;
    private static byte[] foreign;

    @BeforeAll
    static void record() throws Exception {
        Findings findings = Leaks.findings(Leaks.session("4edcf1db"));
        foreign = recorded();
        try (LeakEvents events = Leaks.events(() -> findings, new Counters(), Leak::id, () -> 9)) {
            events.register();
            Await.until("the event types", events::registered);
            whole = recorded();
        }
    }

    private static byte[] recorded() throws Exception {
        Path file = directory.resolve("recorded.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("jdk.JVMInformation").with("period", "beginChunk");
            recording.start();
            recording.dump(directory.resolve("unused.jfr"));
            recording.stop();
            recording.dump(file);
        }
        return Files.readAllBytes(file);
    }

    private static Path file(byte[] bytes) throws Exception {
        return Files.write(directory.resolve("given.jfr"), bytes);
    }

    private static void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> FindingsReader.read(file)).isInstanceOf(UnreadableRecordingException.class).hasMessageStartingWith(file + " ")
                .hasMessageContaining(message).hasMessageEndingWith(".");
    }

    @Test
    void aWholeRecordingIsRead() throws Exception {
        assertThat(FindingsReader.read(file(whole)).leaks()).containsExactly(Leaks.session("4edcf1db"));
    }

    @Test
    void whatIsNoRecordingIsRefused() throws Exception {
        assertRefused(directory.resolve("missing.jfr"), "does not exist");
        assertRefused(directory, "is no file");
        assertRefused(file(new byte[0]), "is empty");
        assertRefused(file("{\"schema\": 1}".getBytes()), "is no Flight Recorder recording");
        assertRefused(file(new byte[100_000]), "is no Flight Recorder recording");
        assertRefused(file(foreign), "holds no events of Holdfast");
    }

    @Test
    void aRecordingCutAnywhereIsRefusedOrWholeUpToThere() throws Exception {
        Random random = new Random(5);
        int[] cuts = random.ints(60, 1, whole.length).toArray();
        int refused = 0;
        for (int cut : cuts) {
            Path file = file(Arrays.copyOf(whole, cut));
            try {
                // Only behind a chunk can it end without being seen; then what is there is whole.
                assertThat(FindingsReader.read(file).leaks()).containsExactly(Leaks.session("4edcf1db"));
            } catch (UnreadableRecordingException e) {
                assertThat(e).hasMessageStartingWith(file + " ");
                refused++;
            }
        }
        assertThat(refused).isGreaterThanOrEqualTo(58);
    }

    @Test
    void aDamagedRecordingIsReadOrRefusedAndNothingElse() throws Exception {
        Random random = new Random(6);
        for (int i = 0; i < 60; i++) {
            byte[] damaged = whole.clone();
            for (int j = 0; j < 20; j++) {
                damaged[16 + random.nextInt(damaged.length - 16)] = (byte) random.nextInt();
            }
            try {
                FindingsReader.read(file(damaged));
            } catch (UnreadableRecordingException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }

    /** Of a chunk's header: where its last constants and its metadata begin, in bytes behind its own. */
    private static final int CONSTANTS_AT = 16;
    private static final int METADATA_AT = 24;

    /** Behind that many numbers of variable length. */
    private static int skipped(ByteBuffer bytes, int position, int numbers) {
        int at = position;
        for (int i = 0; i < numbers; i++) {
            // The ninth byte of a number needs no mark that it is the last.
            for (int length = 1; length < 9 && bytes.get(at) < 0; length++) {
                at++;
            }
            at++;
        }
        return at;
    }

    @Test
    void aPoolOfConstantsWithoutElementsIsRefused() throws Exception {
        ByteBuffer damaged = ByteBuffer.wrap(whole.clone());
        // Size, type, start, duration, distance to the constants before; what kind; how many pools; type of the first.
        int count = skipped(damaged, skipped(damaged, (int) damaged.getLong(CONSTANTS_AT), 5) + 1, 2);
        for (; damaged.get(count) < 0; count++) {
            damaged.put(count, (byte) 0x80);
        }
        damaged.put(count, (byte) 0);
        assertRefused(file(damaged.array()), "InternalError");
    }

    @Test
    void endlessNestingIsRefused() throws Exception {
        ByteBuffer damaged = ByteBuffer.wrap(Arrays.copyOf(whole, (int) ByteBuffer.wrap(whole).getLong(8) + 600_000));
        damaged.putLong(8, damaged.capacity());
        // One text, an empty one; then elements of that name, each with no attribute and one child.
        damaged.position(skipped(damaged, (int) damaged.getLong(METADATA_AT), 5));
        damaged.put((byte) 1).put((byte) 1);
        while (damaged.remaining() >= 3) {
            damaged.put(new byte[] {0, 0, 1});
        }
        Path file = file(damaged.array());
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        new Thread(null, () -> thrown.complete(catchThrowable(() -> FindingsReader.read(file))), "small stack", 256 << 10).start();
        assertThat(thrown.get(300, TimeUnit.SECONDS)).isInstanceOf(UnreadableRecordingException.class).hasMessageContaining("StackOverflowError");
    }

    @Test
    void bytesBehindTheLastChunkAreForeign() throws Exception {
        byte[] longer = Arrays.copyOf(whole, whole.length + 100);
        assertRefused(file(longer), "is no Flight Recorder recording");
        assertThat(List.of(whole.length, longer.length)).doesNotHaveDuplicates();
    }
}
