package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    @Test
    void withoutTheModuleEverythingSaysSoAndNothingThrows() throws Exception {
        assertThat(ChildJvm.run(WithoutFlightRecorder.class, "--limit-modules=java.base,java.management,java.logging")).isEqualToNormalizingNewlines("""
                Allocation samples are not available: this Java runtime has no module jdk.jfr.
                Flight Recorder events are not available: this Java runtime has no module jdk.jfr.
                The recording of option jfr is not running: this Java runtime has no module jdk.jfr.
                false
                1 1 1
                """);
    }

    /** Else a recording that stands in for the stream begins when Flight Recorder has ended, and never returns, with a lock for which the hook waits. */
    @RepeatedTest(3)
    void aShutdownHookMayCloseTheScoutAfterFlightRecorderHasEnded() throws Exception {
        assertThat(ChildJvm.run(ScoutClosedByHook.class).strip()).isEqualTo("closed");
    }

    @Test
    void tellsOfConcurrentCyclesWhereJmxDoesNot() throws Exception {
        assertThat(ChildJvm.run(ConcurrentCycleWatcher.class, "-XX:+UseG1GC", "-XX:+ExplicitGCInvokesConcurrent").strip())
                .isEqualTo(Runtime.version().feature() < 20 ? "cycles seen" : "not needed");
        assertThat(ChildJvm.run(ConcurrentCycleWatcher.class, "-XX:+UseParallelGC").strip()).isEqualTo("not needed");
    }

    @Test
    void knowsTheBeanOfConcurrentCycles() {
        assertThat(ConcurrentCycles.onlySeenByFlightRecorder(List.of("G1 Young Generation", "G1 Old Generation"))).isTrue();
        assertThat(ConcurrentCycles.onlySeenByFlightRecorder(List.of("G1 Young Generation", "G1 Concurrent GC", "G1 Old Generation"))).isFalse();
        assertThat(ConcurrentCycles.onlySeenByFlightRecorder(List.of("PS Scavenge", "PS MarkSweep"))).isFalse();
    }
}
