package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import com.acme.scouted.Parked;
import io.holdfast.core.Counters;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootConfirmation.Outcome;
import io.holdfast.core.Ticker;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootConfirmerTest {
    private final Counters counters = new Counters();
    private final RootConfirmer confirmer = new RootConfirmer(counters, Ticker.system());

    @TempDir
    Path directory;

    @AfterEach
    void leavesNothing() {
        confirmer.close();
        confirmer.close();
        assertThat(FlightRecorder.getFlightRecorder().getRecordings()).isEmpty();
        assertThat(confirmer.failure()).isEmpty();
    }

    private void start() throws Exception {
        confirmer.start();
        Await.until("the recording", confirmer::running);
    }

    /** The thread allocates nothing and waits; no plain Java can look into its frame. */
    @Test
    void anObjectThatOnlyALocalOfAParkedThreadHoldsIsExplained() throws Exception {
        start();
        try (Parked parked = new Parked()) {
            RootConfirmation answer = untilSampled(parked, question(Parked.Entry.class.getName(), parked.site()));
            assertThat(answer.outcome()).isEqualTo(Outcome.CHAIN);
            assertThat(answer.match()).isEqualTo(RootConfirmation.Match.CLASS_AND_SITE);
            assertThat(answer.matched()).isPositive();
            assertThat(answer.samples()).isGreaterThanOrEqualTo(answer.matched());
            assertThat(answer.rootText()).contains("Thread").contains(Parked.THREAD_NAME);
            assertThat(answer.rootClass()).isEqualTo("java.lang.Object[]");
            assertThat(answer.path()).hasSize(1);
            RootConfirmation.Step step = answer.path().get(0);
            assertThat(step.holder()).isEqualTo("java.lang.Object[]");
            assertThat(step.index()).isBetween(0, parked.size() - 1);
            assertThat(step.target()).isEqualTo(Parked.Entry.class.getName());
            assertThat(answer.pauseNanos()).isPositive();
            assertThat(counters.get("confirm.pause.micros")).isPositive();
        }
    }

    private RootConfirmation untilSampled(Parked parked, RootQuestion question) throws Exception {
        List<RootConfirmation> last = new ArrayList<>();
        Await.until("a sample of the parked objects", () -> {
            parked.fill();
            System.gc(); // the VM speaks only of objects that have survived one
            last.clear();
            last.addAll(confirmer.ask(List.of(question)));
            assertThat(confirmer.failure()).isEmpty();
            return last.get(0).outcome() != Outcome.NO_SAMPLE;
        });
        return last.get(0);
    }

    @Test
    void aClassThatIsNotThereHasNoSampleAndAllQuestionsShareOnePause() throws Exception {
        start();
        List<RootConfirmation> answers = confirmer.ask(List.of(question("com.acme.Absent", "com.acme.A.m(A.java:1)"), question("com.acme.Missing", "com.acme.A.m(A.java:1)")));
        assertThat(answers).hasSize(2).extracting(RootConfirmation::outcome).containsOnly(Outcome.NO_SAMPLE);
        assertThat(answers.get(0).pauseNanos()).isEqualTo(answers.get(1).pauseNanos());
        assertThat(counters.get("confirm.asked")).isEqualTo(1);
        assertThat(counters.get("confirm.answers.no.sample")).isEqualTo(2);
    }

    @Test
    void withoutStartNothingIsAsked() {
        assertThat(confirmer.ask(List.of(question("com.acme.Absent", "com.acme.A.m(A.java:1)")))).isEmpty();
        assertThat(counters.get("confirm.asked")).isZero();
    }

    /** Neither what a user's recording says nor what it leaves open is changed; what it wants without paths stays without paths at its own dump. */
    @Test
    void theUsersRecordingsAreAsTheyWere() throws Exception {
        try (Recording user = new Recording()) {
            user.enable("jdk.OldObjectSample").withoutStackTrace().with("cutoff", "0 ns");
            user.enable("jdk.ExecuteVMOperation").with("threshold", "1 h");
            user.start();
            Map<String, String> before = new TreeMap<>(user.getSettings());
            start();
            try (Parked parked = new Parked(); Recording open = new Recording()) {
                open.start();
                OpenEvent event = new OpenEvent();
                assertThat(event.isEnabled()).isTrue();
                untilSampled(parked, question(Parked.Entry.class.getName(), parked.site()));
                assertThat(event.isEnabled()).isTrue();
                assertThat(new TreeMap<>(user.getSettings())).isEqualTo(before);
                Instant asked = Instant.now();
                // The clock of the events is not quite this one.
                Await.until("a gap between what we asked for and what the user does", () -> Instant.now().isAfter(asked.plusSeconds(1)));
                Path file = directory.resolve("user.jfr");
                user.dump(file);
                List<RecordedEvent> own = RecordingFile.readAllEvents(file).stream()
                        .filter(e -> e.getEventType().getName().equals("jdk.OldObjectSample") && e.getStartTime().isAfter(asked.plusMillis(500))).toList();
                assertThat(own).allSatisfy(e -> assertThat(e.<Object>getValue("root")).isNull());
            }
        }
    }

    private static RootQuestion question(String className, String frame) {
        return new RootQuestion(className, List.of(List.of(frame)), Instant.now().minusSeconds(3_600));
    }

    @jdk.jfr.Name("test.Open")
    static final class OpenEvent extends jdk.jfr.Event { }
}
