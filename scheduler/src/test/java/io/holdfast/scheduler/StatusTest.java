package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

import io.holdfast.core.PassReport;
import org.junit.jupiter.api.Test;

class StatusTest {
    private static Status at(Gate gate, long waitNanos) {
        return new Status(gate, waitNanos, 4_000, ms(5), s(1), ms(42), 0.01, ms(37), 0.05, s(6), ms(12.5), 8, false, false, -1, 3, 100, s(1), s(2),
                1_000, ms(3), PassTimes.NONE);
    }

    @Test
    void saysWhyTheLoopWaits() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(Arrays.stream(Gate.values()).map(gate -> gate.word() + ": " + at(gate, ms(4_200)).waiting())
                    .collect(Collectors.joining("\n"))).isEqualTo("""
                    not_started: not started
                    open: nothing, a pass has just run
                    safepoint_debt: debt of stopped threads 13 ms, drains in 4.2 s
                    cpu_debt: CPU debt 42 ms, drains in 4.2 s
                    cpu_share: CPU debt 37 ms of the whole thread (its share is 5 %), drains in 4.2 s
                    root_enumeration_interval: roots were enumerated recently, next search in 4.2 s
                    no_signal: no leak signal with these settings
                    no_candidate: no suspected class
                    release: the last search is not freed yet
                    spacing: next pass in 4.2 s
                    backoff: no progress (back-off x8), next pass in 4.2 s
                    stopped: stopped
                    disabled: disabled after a failure""");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void saysWhenADebtNeverDrains() {
        assertThat(at(Gate.CPU_DEBT, Long.MAX_VALUE).waiting()).isEqualTo("CPU debt 42 ms, never drains (painbudget=0)");
    }

    @Test
    void beforeTheStart() {
        Status status = new LoopRig().loop.status();
        assertThat(status.gate()).isEqualTo(Gate.NOT_STARTED);
        assertThat(status.secondsToExhaustion()).isEqualTo(-1);
    }

    @Test
    void showsWhatPassesCost() {
        LoopRig rig = new LoopRig().metered();
        rig.signal.candidate = true;
        rig.signal.cpu = ms(0.1);
        rig.listener.lookCpu = ms(0.2);
        rig.listener.iterationCpu = ms(0.3);
        rig.usage.bytes = 12_345;
        rig.search.stopped = ms(1);
        rig.search.slice = ms(5);
        rig.search.elapsed = ms(8);
        rig.search.cpu = ms(6);
        rig.search.walk = ms(4);
        rig.runFor(s(100));
        Status status = rig.loop.status();
        assertThat(status.passes()).isEqualTo(rig.search.passes.size()).isGreaterThan(90);
        assertThat(status.searches()).isEqualTo(1);
        assertThat(status.passCpuNanos()).isEqualTo(ms(6) * status.passes());
        assertThat(status.threadCpuNanos()).isEqualTo(rig.usage.cpu).isEqualTo(ms(6) * status.passes() + ms(0.6) * rig.listener.iterations);
        assertThat(status.allocatedBytes()).isEqualTo(12_345);
        assertThat(status.stoppedNanos()).isEqualTo(ms(1) * status.passes());
        PassTimes times = status.passTimes();
        assertThat(times.sliceP99()).isBetween(ms(5), ms(5.1));
        assertThat(times.longestSlice()).isBetween(ms(5), ms(5.1));
        assertThat(times.passP99()).isBetween(ms(8), ms(8.1));
        assertThat(times.walkP99()).isBetween(ms(4), ms(4.1));
        assertThat(times.remainderP99()).isBetween(ms(2), ms(2.1));
        assertThat(times.spacingP99()).isBetween(s(1), s(1.02));
    }

    @Test
    void histogramsAreSmallAndTakeAnything() {
        LoopHistograms histograms = new LoopHistograms();
        assertThat(histograms.percentiles()).isEqualTo(PassTimes.NONE);
        histograms.recordPass(new PassReport(false, false, Long.MAX_VALUE, Long.MIN_VALUE / 2, 0, Long.MAX_VALUE, 0, 0), -1);
        histograms.recordSpacing(Long.MIN_VALUE);
        assertThat(histograms.percentiles().sliceP99()).isGreaterThanOrEqualTo(s(3_600));
        assertThat(histograms.footprintBytes()).isLessThan(96 * 1_024);
    }
}
