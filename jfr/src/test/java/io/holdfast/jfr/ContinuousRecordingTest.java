package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ContinuousRecordingTest {
    private static final Findings FINDINGS = Leaks.findings(Leaks.session("4edcf1db"));
    private final Counters counters = new Counters();
    private final LeakEvents events = Leaks.events(() -> FINDINGS, counters, Leak::id, () -> 9);
    private final ContinuousRecording recording = new ContinuousRecording(counters);

    @TempDir
    Path directory;

    @Name("com.acme.Request")
    static final class ApplicationEvent extends Event { }

    @Name("com.acme.Late")
    static final class LateApplicationEvent extends Event { }

    @BeforeEach
    void start() throws Exception {
        // The other way round than usual: the types become known to a recording that is already running.
        recording.start();
        events.register();
        Await.until("the event types", events::registered);
    }

    @AfterEach
    void leavesNothing() throws IOException {
        recording.close();
        recording.close();
        events.close();
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        try (Stream<Path> files = Files.walk(directory)) {
            assertThat(files.map(file -> file.getFileName().toString())).noneMatch(name -> name.endsWith(".part"));
        }
    }

    @Test
    void eachDumpIsCompleteAndReplacesTheOneBefore() throws Exception {
        Path file = directory.resolve("not/yet/there.jfr");
        for (int i = 1; i <= 3; i++) {
            assertThat(recording.dump(file)).as(() -> recording.failure().toString()).isTrue();
            assertThat(RecordingReader.ours(file, "LeakCandidate")).hasSize(i);
            assertThat(RecordingReader.ours(file, "ReferenceChainHop")).hasSize(4 * i);
        }
        assertThat(recording.failure()).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    }

    @Test
    void switchesOnNothingButOurs() throws Exception {
        FlightRecorder.register(ApplicationEvent.class);
        Path file = directory.resolve("ours.jfr");
        assertThat(recording.dump(file)).isTrue();
        assertThat(new ApplicationEvent().isEnabled()).isFalse();
        FlightRecorder.register(LateApplicationEvent.class);
        assertThat(recording.dump(file)).isTrue();
        assertThat(new LateApplicationEvent().isEnabled()).isFalse();
        assertThat(RecordingFile.readAllEvents(file)).extracting(event -> event.getEventType().getName())
                .allMatch(name -> name.startsWith("holdfast.") || Runtime.version().feature() < 19 && name.startsWith("jdk."));
        FlightRecorder.unregister(ApplicationEvent.class);
        FlightRecorder.unregister(LateApplicationEvent.class);
    }

    @Test
    void aRecordingOfTheUserIsNotDisturbed() throws Exception {
        FlightRecorder.register(ApplicationEvent.class);
        Path file = directory.resolve("user.jfr");
        try (Recording user = new Recording()) {
            user.enable(ApplicationEvent.class).withoutThreshold();
            user.start();
            Map<String, String> settings = user.getSettings();
            new ApplicationEvent().commit();
            assertThat(recording.dump(directory.resolve("ours.jfr"))).isTrue();
            new ApplicationEvent().commit();
            recording.close();
            new ApplicationEvent().commit();
            assertThat(user.getSettings()).isEqualTo(settings);
            user.dump(file);
        }
        assertThat(RecordingFile.readAllEvents(file).stream().filter(event -> event.getEventType().getName().equals("com.acme.Request"))).hasSize(3);
        if (Runtime.version().feature() >= 19) {
            assertThat(RecordingFile.readAllEvents(directory.resolve("ours.jfr"))).extracting(RecordedEvent::getEventType)
                    .allMatch(type -> type.getName().startsWith("holdfast."));
        }
        FlightRecorder.unregister(ApplicationEvent.class);
    }

    @Test
    void whatARecordingOfTheUserLeavesOpenIsOnWhetherItBeganBeforeOursOrLater() throws Exception {
        FlightRecorder.register(ApplicationEvent.class);
        assertThat(recording.dump(directory.resolve("ours.jfr"))).isTrue();
        assertThat(new ApplicationEvent().isEnabled()).isFalse();
        try (Recording user = new Recording()) {
            user.start();
            Await.until("the application's events", () -> new ApplicationEvent().isEnabled());
            recording.close();
            try (ContinuousRecording later = new ContinuousRecording(counters, null)) {
                later.start();
                assertThat(later.dump(directory.resolve("later.jfr"))).isTrue();
                assertThat(new ApplicationEvent().isEnabled()).isTrue();
            }
        }
        FlightRecorder.unregister(ApplicationEvent.class);
    }

    @Test
    void saysWhyAFileWasNotWrittenAndGoesOn() throws Exception {
        Path blocked = Files.writeString(directory.resolve("file"), "not a directory");
        assertThat(recording.dump(blocked.resolve("x.jfr"))).isFalse();
        assertThat(recording.failure()).hasValueSatisfying(text -> assertThat(text).startsWith("The file of option jfr was not written: FileAlreadyExistsException: ")
                .doesNotContain("\n"));
        assertThat(counters.get("jfr.recording.failures")).isEqualTo(1);
        assertThat(recording.dump(directory.resolve("x.jfr"))).isTrue();
        assertThat(recording.failure()).isEmpty();
    }

    @Test
    void afterCloseNothingIsWritten() {
        recording.close();
        assertThat(recording.dump(directory.resolve("x.jfr"))).isFalse();
        assertThat(directory.resolve("x.jfr")).doesNotExist();
    }
}
