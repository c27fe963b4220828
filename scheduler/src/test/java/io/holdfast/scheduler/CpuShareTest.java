package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the whole thread may cost: 5 % of one core while a candidate waits for its first explanation and the credit lasts, 1 % otherwise. */
class CpuShareTest {
    private static final SchedulerSettings QUICK = LoopRig.SETTINGS.withCadenceNanos(ms(100));

    private final LoopRig rig = new LoopRig(QUICK).metered();
    private final ScriptedSearch search = rig.search;
    private final ScriptedSignal signal = rig.signal;

    private double shareOver(long nanos) {
        long before = rig.usage.cpu;
        long start = rig.ticker.nanos();
        rig.runFor(nanos);
        return (rig.usage.cpu - before) / (double) (rig.ticker.nanos() - start);
    }

    private void costs(double pass) {
        search.elapsed = ms(pass);
        search.cpu = ms(pass);
        search.slice = ms(Math.min(pass, 5));
    }

    @Test
    void anUnresolvedCandidateMayCostFivePercentAndNoMore() {
        costs(15);
        signal.candidate = true;
        assertThat(shareOver(s(145))).isBetween(0.047, 0.0502);
        assertThat(rig.loop.status().share()).isEqualTo(0.05);
    }

    @Test
    void theStartIsFreeOnce() {
        CpuShare share = new CpuShare(LoopRig.SETTINGS.withStartAllowanceNanos(s(2)), 0);
        share.spend(s(1.5), 0, true, false, 0);
        assertThat(share.passOpensInNanos(0)).isZero();
        share.spend(s(1), 0, true, false, 0);
        assertThat(share.passOpensInNanos(0)).as("half a second at 5 %").isEqualTo(s(10));
        share.spend(s(0.5), 0, false, false, s(10));
        assertThat(share.startOpensInNanos(false, false, s(10))).as("half a second at 1 %").isEqualTo(s(50));
    }

    @Test
    void whileItIsFreeSlicesAreLonger() {
        SchedulerSettings settings = LoopRig.SETTINGS.withStartAllowanceNanos(ms(100)).withStartPauseTargetNanos(ms(20));
        LoopRig starting = new LoopRig(settings).metered();
        starting.signal.candidate = true;
        starting.search.elapsed = ms(20);
        starting.search.cpu = ms(20);
        starting.search.slice = ms(20);
        starting.turn();
        assertThat(starting.loop.status().pauseTargetNanos()).isEqualTo(ms(20));
        starting.runFor(s(60));
        assertThat(starting.loop.status().pauseTargetNanos()).isEqualTo(ms(5));
    }

    @Test
    void whileItIsFreeThereIsNoBackOff() {
        LoopRig starting = new LoopRig(LoopRig.SETTINGS.withCadenceNanos(ms(100)).withStartAllowanceNanos(s(1)).withStartPauseTargetNanos(ms(20))).metered();
        starting.signal.candidate = true;
        starting.search.newSlotsAtNextWatch = 1;
        starting.search.elapsed = ms(20);
        starting.search.cpu = ms(20);
        starting.search.slice = ms(20);
        starting.runFor(s(5));
        assertThat(starting.search.passes.size()).as("one in 120 ms, not in 340").isBetween(40, 42);
        starting.runFor(s(60));
        assertThat(starting.search.passes.size() - 42).as("at 5 %").isLessThanOrEqualTo((int) (0.05 * 60_000 / 20) + 10);
    }

    @Test
    void aTargetThatIsAskedForHoldsFromTheStart() {
        LoopRig starting = new LoopRig(LoopRig.SETTINGS.withStartAllowanceNanos(s(1)).withStartPauseTargetNanos(ms(20)).withPauseTargetNanos(ms(2)));
        starting.turn();
        assertThat(starting.loop.status().pauseTargetNanos()).isEqualTo(ms(2));
    }

    @Test
    void theStartIsOverAfterTwoMinutesWhateverIsLeft() {
        LoopRig idle = new LoopRig(LoopRig.SETTINGS.withStartAllowanceNanos(s(4)).withStartPauseTargetNanos(ms(20)));
        idle.runFor(s(118));
        assertThat(idle.loop.status().pauseTargetNanos()).isEqualTo(ms(20));
        idle.runFor(s(5));
        assertThat(idle.loop.status().pauseTargetNanos()).isEqualTo(ms(5));
    }

    @Test
    void surveysAreHurriedForInTheFirstTwoMinutesButNeverInTheRamp() {
        CpuShare share = new CpuShare(LoopRig.SETTINGS, s(10));
        assertThat(share.hurriesSurveys(false, s(11))).isTrue();
        assertThat(share.hurriesSurveys(true, s(11))).as("there nothing that is hurried for is charged").isFalse();
        assertThat(share.hurriesSurveys(false, s(129))).isTrue();
        assertThat(share.hurriesSurveys(false, s(130))).isFalse();
        assertThat(new CpuShare(LoopRig.SETTINGS.withQuickNanos(0), 0).hurriesSurveys(false, 0)).as("without a credit").isFalse();
    }

    @Test
    void aLongerOrUnlimitedSliceIsNotMadeShorterByTheStart() {
        SchedulerSettings settings = LoopRig.SETTINGS.withStartAllowanceNanos(s(1)).withStartPauseTargetNanos(ms(20));
        for (long target : new long[] {0, ms(50)}) {
            LoopRig starting = new LoopRig(settings.withPauseTargetNanos(target).withStartPauseTargetNanos(ms(20)));
            starting.turn();
            assertThat(starting.loop.status().pauseTargetNanos()).isEqualTo(target);
        }
    }

    @Test
    void withoutItTheDocumentedGatesAloneWouldAllowMore() {
        LoopRig documented = new LoopRig(QUICK);
        documented.search.elapsed = ms(15);
        documented.search.cpu = ms(15);
        documented.search.slice = ms(5);
        documented.search.newSlotsAtNextWatch = 1;
        documented.signal.candidate = true;
        documented.runFor(s(600));
        // Back-off of 16 passes of 15 ms, or 100 ms while there is progress.
        assertThat(documented.loop.status().passCpuNanos()).isGreaterThan(ms(0.055 * 600_000));
    }

    @Test
    void searchesForExplainedCandidatesCostOnePercentInTheLongRun() {
        costs(5);
        search.passesToEnd = 40;
        search.resolvesInPass = 30;
        signal.candidate = true;
        rig.runFor(s(60));
        assertThat(shareOver(s(3_600))).isBetween(0.0085, 0.0105);
        assertThat(search.starts).hasSizeGreaterThan(100);
        assertThat(rig.loop.status().share()).isEqualTo(0.01);
    }

    @Test
    void onceItRunsItIsNotStretched() {
        costs(5);
        search.passesToEnd = 40;
        search.resolvesInPass = 40;
        signal.candidate = true;
        rig.runFor(s(600));
        int last = search.passes.size() - 1;
        while (!search.passes.get(last).first()) {
            last--;
        }
        long second = search.passes.get(last + 1).startNanos() - search.passes.get(last).endNanos();
        assertThat(search.starts).hasSizeGreaterThan(5);
        assertThat(second).isLessThan(ms(200));
    }

    @Test
    void aNewCandidateDoesNotWaitForWhatWasSpentOnExplainedOnes() {
        costs(20);
        search.passesToEnd = 20;
        search.resolvesInPass = 20;
        signal.candidate = true;
        // The second search ends with a debt of 400 ms, 40 s at the ordinary share.
        while (search.starts.size() < 2 || search.state == SearchState.RUNNING) {
            rig.turn();
        }
        rig.runFor(s(3));
        assertThat(search.starts).hasSize(2);
        assertThat(rig.gate()).isEqualTo(Gate.CPU_SHARE);
        assertThat(rig.loop.status().waiting()).startsWith("CPU debt ").contains("of the whole thread (its share is 1 %), drains in ");
        signal.candidateId = 2;
        rig.runFor(s(1.1));
        assertThat(search.starts).hasSize(3);
    }

    @Test
    void aChaseIsNotPaidOffAfterwards() {
        costs(5);
        signal.candidate = true;
        search.resolvesInPass = 1_000;
        search.passesToEnd = 1_000;
        while (search.passes.size() < 1_000) {
            rig.turn();
        }
        rig.runFor(s(3));
        assertThat(search.starts).hasSize(2);
    }

    @Test
    void aCandidateThatNobodyHoldsVisiblyIsHurriedForEightTimes() {
        costs(5);
        search.passesToEnd = 40;
        signal.candidate = true;
        while (search.starts.size() < 8 || search.state == SearchState.RUNNING) {
            rig.turn();
        }
        assertThat(rig.loop.status().share()).isEqualTo(0.01);
        assertThat(shareOver(s(3_600))).isBetween(0.0085, 0.0105);
    }

    @Test
    void oneThatWasNotSampledIsHurriedForTwice() {
        costs(5);
        search.passesToEnd = 40;
        signal.candidate = true;
        signal.evidence = CandidateTrend.Evidence.GROWTH;
        while (search.starts.size() < 2 || search.state == SearchState.RUNNING) {
            rig.turn();
        }
        assertThat(rig.loop.status().share()).isEqualTo(0.01);
    }

    @Test
    void aChainThatExplainsNothingCountsAsNone() {
        costs(5);
        search.passesToEnd = 40;
        search.resolvesInPass = 40;
        rig.listener.explains = false;
        signal.candidate = true;
        while (search.starts.size() < 8) {
            assertThat(rig.loop.status().share()).isEqualTo(search.starts.isEmpty() ? 0.01 : 0.05);
            rig.turn();
        }
        rig.runFor(s(60));
        assertThat(rig.loop.status().share()).isEqualTo(0.01);
    }

    @Test
    void aCandidateIsHurriedForAsLongAsItIsSought() {
        costs(15);
        signal.candidate = true;
        rig.runFor(s(1));
        signal.candidate = false;
        rig.runFor(s(60));
        assertThat(rig.loop.status().share()).isEqualTo(0.05);
        search.passesToEnd = 1;
        rig.runFor(s(5));
        assertThat(search.state).isEqualTo(SearchState.COMPLETED);
        assertThat(rig.loop.status().share()).isEqualTo(0.01);
    }

    @Test
    void theRampLiftsItForAnUnresolvedCandidateOnly() {
        costs(50);
        signal.seconds = 0;
        signal.candidate = true;
        assertThat(shareOver(s(60))).isGreaterThan(0.4);
        search.resolvesInPass = search.passesOfThisSearch + 1;
        search.passesToEnd = 10;
        rig.runFor(s(600));
        assertThat(shareOver(s(600))).isLessThan(0.012);
        int last = search.passes.size() - 1;
        assertThat(search.passes.get(last).startNanos() - search.passes.get(last - 1).endNanos()).isGreaterThan(ms(900));
        // What was spent in the ramp is not owed after it.
        signal.seconds = -1;
        signal.candidateId = 2;
        int starts = search.starts.size();
        rig.runFor(s(3));
        assertThat(search.starts).hasSizeGreaterThan(starts);
    }

    @Test
    void whatTheThreadDoesBesidesSearchingMakesSearchesWait() {
        costs(5);
        signal.candidate = true;
        rig.listener.iterationCpu = ms(3);
        assertThat(shareOver(s(140))).isBetween(0.045, 0.052);
        rig.listener.iterationCpu = ms(60);
        rig.runFor(s(10));
        int passes = search.passes.size();
        rig.runFor(s(60));
        assertThat(search.passes).hasSize(passes);
        assertThat(rig.gate()).isEqualTo(Gate.CPU_SHARE);
    }

    @Test
    void theThreadDoesNotWakeUpForNothingWhileAStartWaitsForTheShare() {
        costs(5);
        search.passesToEnd = 40;
        search.resolvesInPass = 40;
        signal.candidate = true;
        rig.listener.iterationCpu = ms(1);
        rig.runFor(s(3_600));
        int starts = search.starts.size();
        int iterations = rig.listener.iterations;
        int passes = search.passes.size();
        rig.runFor(s(7_200));
        // 240 ms a search with its iterations; at 1 %, less the 0.1 % of an idle second.
        assertThat(search.starts.size() - starts).isGreaterThan(225);
        // One an idle second and one between two passes; it was ten a second.
        assertThat(rig.listener.iterations - iterations - (search.passes.size() - passes)).as("iterations without a pass").isLessThan(20_000);
    }

    @Test
    void whereCpuTimeIsNotMeasuredWallTimeCounts() {
        rig.usage.unmeasured = true;
        costs(15);
        signal.candidate = true;
        rig.runFor(s(140));
        assertThat(search.passes.size() * ms(15) / (double) s(140)).isBetween(0.047, 0.0503);
    }

    @Test
    void aLargerConfiguredShareIsKept() {
        LoopRig generous = new LoopRig(QUICK.withPainBudget(0.2)).metered();
        generous.signal.candidate = true;
        generous.turn();
        assertThat(generous.loop.status().share()).isEqualTo(0.2);
    }

    @Nested
    class Looks {
        @Test
        void comeOnceASecondWhileTheyCostLittle() {
            rig.listener.lookCpu = ms(1);
            rig.runFor(s(600));
            assertThat(rig.listener.looks).isEqualTo(600);
            signal.candidate = true;
            search.cpu = 0;
            search.elapsed = 0;
            rig.runFor(s(60));
            assertThat(search.passes).hasSizeGreaterThan(500);
            assertThat(rig.listener.looks).isBetween(655, 660);
        }

        @Test
        void mayUseHalfOfTheShare() {
            rig.listener.lookCpu = ms(50);
            assertThat(shareOver(s(3_600))).isBetween(0.0045, 0.0051);
            signal.candidate = true;
            search.cpu = 0;
            search.elapsed = 0;
            assertThat(shareOver(s(390))).isBetween(0.024, 0.0255);
            // At 1.5 % beyond the ordinary share, 400 s are what the credit is good for. Then looks have what searches leave.
            rig.runFor(s(60));
            assertThat(shareOver(s(3_600))).isBetween(0.0045, 0.0101);
        }

        @Test
        void areQuickForAMinuteAfterTheExplanationBecauseVerdictsWaitForThem() {
            search.cpu = 0;
            search.elapsed = 0;
            search.resolvesInPass = 1;
            search.passesToEnd = 1;
            signal.candidate = true;
            rig.listener.lookCpu = ms(20);
            rig.turn();
            rig.runFor(s(59));
            assertThat(rig.listener.looks).isBetween(58, 60);
            int looks = rig.listener.looks;
            rig.runFor(s(60));
            assertThat(rig.listener.looks - looks).isBetween(14, 17);
        }
    }

    /** The invariant of every moment: spent ≤ share × time + one pass, as long as the rest of the thread's work stays below its share. */
    @Property(tries = 60)
    void neverMoreThanTheShareAndOnePass(@ForAll @LongRange(min = 10_000, max = 40_000_000) long pass,
                                         @ForAll @LongRange(min = 0, max = 200_000) long upkeep, @ForAll @IntRange(min = 1, max = 300) int passesToEnd) {
        LoopRig any = new LoopRig(QUICK).metered();
        any.signal.candidate = true;
        any.listener.explains = false;
        any.signal.cpu = upkeep;
        any.search.elapsed = pass;
        any.search.cpu = pass;
        any.search.slice = Math.min(pass, ms(5));
        any.search.passesToEnd = passesToEnd;
        while (any.ticker.sinceStart() < s(300)) {
            any.turn();
            long allowed = Math.round(0.05 * any.ticker.sinceStart()) + pass + 2 * upkeep;
            assertThat(any.usage.cpu).isLessThanOrEqualTo(allowed);
        }
    }

    @Test
    void whatWasFoundIsNoLongerSought() {
        UnresolvedCandidates candidates = new UnresolvedCandidates();
        candidates.sought(List.of(ScriptedSignal.candidate(1), ScriptedSignal.candidate(2)));
        candidates.found(List.of(new SearchFinding(1, 1, SearchFinding.CHAIN, List.of(), 1, 1, 1, 1, true, true, null)));
        assertThat(candidates.any()).isTrue();
        candidates.found(List.of(new SearchFinding(2, 1, SearchFinding.UNREACHED, List.of(), 1, 0, 1, 0, false, false, null)));
        assertThat(candidates.any()).isFalse();
    }

    @Test
    void remembersABoundedNumberOfCandidates() {
        UnresolvedCandidates candidates = new UnresolvedCandidates();
        candidates.explained(0);
        candidates.selected(List.of(ScriptedSignal.candidate(0)));
        assertThat(candidates.any()).isFalse();
        for (long id = 1; id <= UnresolvedCandidates.MAX_REMEMBERED; id++) {
            candidates.found(List.of(new SearchFinding(id, 1, SearchFinding.UNREACHED, List.of(), 1, 0, 1, 0, false, false, null)));
        }
        // Asking does not keep it; after 512 others it is as good as new.
        candidates.explained(UnresolvedCandidates.MAX_REMEMBERED + 1L);
        assertThat(candidates.any()).isTrue();
    }
}
