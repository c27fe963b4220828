package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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
        try (LeakEvents events = new LeakEvents(() -> findings, new Counters(), Leak::id, () -> 9, "")) {
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

    @Test
    void bytesBehindTheLastChunkAreForeign() throws Exception {
        byte[] longer = Arrays.copyOf(whole, whole.length + 100);
        assertRefused(file(longer), "is no Flight Recorder recording");
        assertThat(List.of(whole.length, longer.length)).doesNotHaveDuplicates();
    }
}
