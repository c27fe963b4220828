package io.holdfast.jfr;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import java.nio.file.Path;

/** Uses everything in a JVM where Flight Recorder cannot run, and prints what is said about it. */
final class WithoutFlightRecorder {
    private static final Findings FINDINGS = Leaks.findings(Leaks.session("4edcf1db"));

    private WithoutFlightRecorder() { }

    public static void main(String[] arguments) throws Exception {
        Counters counters = new Counters();
        AllocationScout scout = new AllocationScout(sample -> { }, counters);
        LeakEvents events = new LeakEvents(() -> FINDINGS, counters, Leak::id, () -> 9, "");
        ContinuousRecording recording = new ContinuousRecording(counters);
        scout.start(150);
        events.register();
        recording.start();
        SearchSummary summary = new SearchSummary(2, SearchState.ABANDONED, AbandonReason.TTL, 9, 100, 500, Leaks.SOME_TIME, 1, 1, 1);
        events.searchEnded(summary);
        events.pass(new PassReport(true, false, 1, 1, 1, 1, 1, 1), summary, new PassConditions(1, 1, 1, 1, 1, 1, 1, false));
        events.projection(1, 1, 1);
        events.findingsChanged();
        Await.until("the failures", () -> scout.failure().isPresent() && events.failure().isPresent() && recording.failure().isPresent());
        System.out.println(scout.failure().orElseThrow());
        System.out.println(events.failure().orElseThrow());
        System.out.println(recording.failure().orElseThrow());
        System.out.println(recording.dump(Path.of("never.jfr")));
        scout.throttle(10);
        scout.close();
        events.close();
        recording.close();
        System.out.println(counters.get("jfr.scout.failures") + " " + counters.get("jfr.events.failures") + " " + counters.get("jfr.recording.failures"));
    }
}
