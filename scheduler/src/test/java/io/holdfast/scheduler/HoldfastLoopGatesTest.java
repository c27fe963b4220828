package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.holdfast.core.SearchState;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each gate by itself, with the numbers of the specification. */
class HoldfastLoopGatesTest {
    private static final SchedulerSettings QUICK = LoopRig.SETTINGS.withCadenceNanos(ms(10));

    private LoopRig rig;
    private ScriptedSignal signal;
    private ScriptedSearch search;

    @BeforeEach
    void documentedSettings() {
        use(LoopRig.SETTINGS);
    }

    private void use(SchedulerSettings settings) {
        rig = new LoopRig(settings);
        signal = rig.signal;
        search = rig.search;
    }

    private List<Long> gapsBetweenPasses() {
        List<Long> gaps = new ArrayList<>();
        for (int i = 1; i < search.passes.size(); i++) {
            gaps.add(search.passes.get(i).startNanos() - search.passes.get(i - 1).endNanos());
        }
        return gaps;
    }

    private void startSearch() {
        signal.candidate = true;
        rig.turn();
        assertThat(search.starts).hasSize(1);
    }

    private void endSearchInNextPass() {
        search.passesToEnd = 1;
        long before = search.passes.size();
        while (search.passes.size() == before) {
            rig.turn();
        }
        assertThat(search.state).isEqualTo(SearchState.COMPLETED);
    }

    @Nested
    class FirstSearch {
        @Test
        void aCandidateStartsItAndItsFirstPassRunsInTheSameIteration() {
            signal.candidate = true;
            rig.turn();
            assertThat(search.starts).hasSize(1);
            assertThat(search.passes).hasSize(1);
            assertThat(search.passes.get(0).limits().rootsDue()).isTrue();
            assertThat(search.passes.get(0).limits().rootAdmissions()).isEqualTo(200_000);
            assertThat(search.passes.get(0).limits().admissions()).isEqualTo(4_000);
            assertThat(search.passes.get(0).limits().sliceNanos()).isEqualTo(ms(5));
            assertThat(search.passes.get(0).limits().urgent()).isFalse();
        }

        @Test
        void aHealthyProgramIsNeverWalked() {
            rig.runFor(s(36_000));
            assertThat(search.starts).isEmpty();
            assertThat(rig.gate()).isEqualTo(Gate.NO_CANDIDATE);
            assertThat(rig.listener.iterations).isEqualTo(36_000);
            assertThat(rig.signal.maintained).isEqualTo(36_000);
        }

        @Test
        void aSurveyThatIsDueIsASearchWithoutCandidates() {
            signal.surveyDue = true;
            search.surveys = true;
            rig.turn();
            assertThat(search.starts).hasSize(1);
            assertThat(search.slotsGiven).isZero();
            assertThat(search.passes).hasSize(1);
        }

        @Test
        void aSurveyDoesNotMakeTheFirstCandidateWait() {
            signal.surveyDue = true;
            search.surveys = true;
            search.cpu = s(1);
            search.passesToEnd = 1;
            rig.turn();
            rig.turn();
            signal.surveyDue = false;
            signal.candidate = true;
            rig.runFor(s(3));
            assertThat(search.starts).as("at 1 % a second of CPU time is owed for 100 seconds").hasSize(2);
        }

        @Test
        void aCandidateThatComesDuringASurveyIsSoughtAndPaidForLikeAnyOther() {
            signal.surveyDue = true;
            search.surveys = true;
            rig.turn();
            signal.candidate = true;
            rig.turn();
            assertThat(search.slotsGiven).isEqualTo(1);
            search.cpu = s(1);
            search.passesToEnd = search.passesOfThisSearch + 1;
            rig.runFor(s(3));
            assertThat(rig.gate()).isEqualTo(Gate.CPU_DEBT);
        }

        @Test
        void withoutASignalOrAPainBudgetNothingIsSurveyed() {
            signal.surveyDue = true;
            signal.enabled = false;
            rig.runFor(s(60));
            assertThat(search.starts).isEmpty();
            use(LoopRig.SETTINGS.withPainBudget(0));
            signal.surveyDue = true;
            rig.runFor(s(60));
            assertThat(search.starts).isEmpty();
        }

        @Test
        void surveysKeepToTheOrdinaryShareOfTheThread() {
            rig.metered();
            signal.surveyDue = true;
            search.surveys = true;
            search.cpu = ms(5);
            search.elapsed = ms(5);
            search.passesToEnd = 20;
            rig.runFor(s(3_600));
            assertThat(search.starts.size()).isGreaterThan(100);
            assertThat(rig.usage.cpu).isLessThan((long) (1.02 * 0.01 * s(3_600)) + s(3));
        }

        @Test
        void theFirstSurveysDoNotWaitUntilOtherWorkIsPaidOff() {
            rig.metered();
            signal.cpu = ms(200);
            long start = rig.ticker.nanos();
            rig.turn();
            signal.cpu = 0;
            signal.surveyDue = true;
            search.surveys = true;
            rig.runFor(s(6));
            assertThat(search.starts).as("0.2 s are paid off after 4 s at 5 %, after 20 s at 1 %").hasSize(1);
            assertThat(search.starts.get(0) - start).isBetween(s(3), s(6));
        }

        @Test
        void surveysOfTheFirstMinutesAreHurriedForHalfOfTheCredit() {
            use(LoopRig.SETTINGS.withCadenceNanos(ms(100)));
            rig.metered();
            signal.surveyDue = true;
            search.surveys = true;
            search.cpu = ms(20);
            search.elapsed = ms(20);
            search.passesToEnd = 20;
            rig.runFor(s(60));
            assertThat(rig.usage.cpu).as("more than 1 % of a minute").isGreaterThan(s(2));
            rig.runFor(s(60));
            assertThat(rig.usage.cpu).as("three seconds, what 1 % of the time brings, and one search").isBetween(s(3), s(3) + s(1.2) + ms(400));
            assertThat(rig.loop.status().quickCreditNanos()).as("kept for candidates").isGreaterThan(s(2.5));
            long before = rig.usage.cpu;
            rig.runFor(s(600));
            assertThat(rig.usage.cpu - before).isLessThan((long) (1.02 * 0.01 * s(600)));
        }

        @Test
        void withoutASignalItNeverStartsAndNobodyIsAskedForCandidates() {
            signal.enabled = false;
            signal.candidate = true;
            rig.runFor(s(600));
            assertThat(search.starts).isEmpty();
            assertThat(rig.gate()).isEqualTo(Gate.NO_SIGNAL);
            assertThat(signal.probes).isZero();
        }

        @Test
        void urgencyDoesNotReplaceACandidateButIsCounted() {
            signal.seconds = 10;
            rig.turn();
            rig.turn();
            rig.turn();
            assertThat(search.starts).isEmpty();
            assertThat(rig.counters.get(HoldfastLoop.URGENT_NO_CANDIDATE)).isEqualTo(3);
        }

        @Test
        void urgencyIsCountedOnlyWhenTheGatesBeforeLetTheProbeRun() {
            signal.seconds = 10;
            search.stopped = s(1);
            search.passesToEnd = 1;
            startSearch();
            rig.turn();
            int probes = signal.probes;
            signal.candidate = false;
            rig.turn();
            assertThat(rig.gate()).isEqualTo(Gate.SAFEPOINT_DEBT);
            assertThat(signal.probes).isEqualTo(probes);
            assertThat(rig.counters.get(HoldfastLoop.URGENT_NO_CANDIDATE)).isZero();
        }

        @Test
        void withNoPainBudgetTheFirstExpenseIsTheLast() {
            use(LoopRig.SETTINGS.withPainBudget(0));
            signal.candidate = true;
            rig.runFor(s(3_600));
            assertThat(search.passes).hasSize(1);
            assertThat(rig.loop.status().waiting()).isEqualTo("CPU debt 2.00 ms, never drains (painbudget=0)");
        }

        @Test
        void candidatesAreWatchedBeforeItStartsAndFiveAtMostAreAskedFor() {
            startSearch();
            assertThat(search.calls.subList(0, 4)).containsExactly("watch", "restart", "watch", "pass");
            assertThat(signal.lastMax).isEqualTo(5);
        }
    }

    @Nested
    class NextSearch {
        @Test
        void needsACandidate() {
            startSearch();
            endSearchInNextPass();
            signal.candidate = false;
            rig.runFor(s(600));
            assertThat(search.starts).hasSize(1);
            assertThat(rig.gate()).isEqualTo(Gate.NO_CANDIDATE);
            signal.candidate = true;
            rig.runFor(s(2));
            assertThat(search.starts).hasSize(2);
        }

        @Test
        void isChargedBeforeTheGate() {
            search.stopped = ms(500);
            startSearch();
            endSearchInNextPass();
            long end = rig.ticker.nanos();
            // 1 000 ms of stopping calls at 1 %: nothing for 100 s. Charged after the gate, the next search would come at once.
            rig.runFor(s(98));
            assertThat(search.starts).hasSize(1);
            assertThat(rig.gate()).isEqualTo(Gate.SAFEPOINT_DEBT);
            rig.runFor(s(4));
            assertThat(search.starts).hasSize(2);
            assertThat(search.starts.get(1) - end).isBetween(s(99), s(101));
        }

        @Test
        void thousandMillisecondsAtHalfAPercentAreFreeAfterTwoHundredSeconds() {
            use(LoopRig.SETTINGS.withPainBudget(0.005));
            search.stopped = ms(1_000);
            search.passesToEnd = 1;
            startSearch();
            rig.runFor(s(199));
            assertThat(search.starts).hasSize(1);
            rig.runFor(s(3));
            assertThat(search.starts).hasSize(2);
        }

        @Test
        void costOfARunningSearchIsChargedOnceAtItsEndAndDoesNotStopIt() {
            search.stopped = s(1);
            startSearch();
            rig.runFor(s(30));
            assertThat(search.passes).hasSizeGreaterThan(10);
            assertThat(rig.loop.status().safepointDebtNanos()).isZero();
            endSearchInNextPass();
            int passes = search.passes.size();
            rig.turn();
            rig.turn();
            assertThat(rig.loop.status().safepointDebtNanos()).isBetween(s(passes) - ms(50), s(passes));
        }

        @Test
        void waitsAfterRootEnumerationTwentyTimesItsLength() {
            search.elapsed = ms(500);
            search.cpu = 0;
            startSearch();
            search.elapsed = ms(1);
            endSearchInNextPass();
            rig.runFor(s(15));
            assertThat(search.starts.get(1) - search.passes.get(0).endNanos()).isBetween(s(10), s(11));
        }

        @Test
        void startsAreTwoSecondsApartAtLeast() {
            search.elapsed = 0;
            search.cpu = 0;
            search.passesToEnd = 1;
            signal.candidate = true;
            rig.runFor(s(21));
            assertThat(search.starts).hasSize(11);
        }

        @Test
        void paysAtTheOrdinaryRateEvenAfterAChase() {
            startSearch();
            search.cpu = ms(40);
            endSearchInNextPass();
            int last = search.passes.size() - 1;
            assertThat(last).isPositive();
            rig.runFor(s(10));
            assertThat(search.starts.get(1) - search.passes.get(last).endNanos()).isBetween(s(4), s(5));
        }

        @Test
        void paysTheLastPassFirst() {
            search.cpu = ms(40);
            search.passesToEnd = 1;
            startSearch();
            rig.runFor(s(10));
            assertThat(search.starts.get(1) - search.passes.get(0).endNanos()).isBetween(s(4), s(5));
        }
    }

    @Nested
    class Release {
        @Test
        void isTriedAtOnceAndThenOncePerWakeUpAndNothingElseHappens() {
            startSearch();
            search.releaseFailures = 3;
            endSearchInNextPass();
            assertThat(search.releaseCalls).isEqualTo(1);
            assertThat(rig.counters.get(HoldfastLoop.RELEASE_FAILED)).isEqualTo(1);
            int passes = search.passes.size();
            for (int retry = 1; retry <= 3; retry++) {
                rig.ticker.advance(s(60));
                rig.turn();
                assertThat(rig.gate()).isEqualTo(Gate.RELEASE);
                assertThat(search.releaseCalls).isEqualTo(1 + retry);
            }
            // The third retry succeeded; still that wake-up did nothing else.
            assertThat(rig.counters.get(HoldfastLoop.RELEASE_FAILED)).isEqualTo(3);
            assertThat(search.passes).hasSize(passes);
            assertThat(search.starts).hasSize(1);
            rig.turn();
            assertThat(search.starts).hasSize(2);
        }

        @Test
        void happensAlsoWhenTheSearchWasClearedFromOutside() {
            startSearch();
            search.clear();
            signal.candidate = false;
            rig.turn();
            assertThat(search.held).isFalse();
            assertThat(search.releaseCalls).isEqualTo(1);
        }

        @Test
        void isNotTriedAgainAfterSuccess() {
            startSearch();
            endSearchInNextPass();
            signal.candidate = false;
            rig.runFor(s(100));
            assertThat(search.releaseCalls).isEqualTo(1);
        }
    }

    @Nested
    class RunningSearch {
        @Test
        void passesAreACadenceApart() {
            search.slice = ms(5);
            search.cpu = ms(5);
            startSearch();
            rig.runFor(s(20));
            assertThat(gapsBetweenPasses()).hasSize(20).containsOnly(s(1));
        }

        @Test
        void passesAreNeverCloserThanHundredMilliseconds() {
            search.slice = 0;
            search.cpu = 0;
            search.elapsed = 0;
            startSearch();
            rig.runFor(s(300));
            assertThat(rig.loop.status().budget()).isEqualTo(16_000);
            assertThat(rig.loop.status().cadenceNanos()).isEqualTo(ms(10));
            assertThat(gapsBetweenPasses()).allMatch(gap -> gap >= ms(100));
            assertThat(gapsBetweenPasses().get(gapsBetweenPasses().size() - 1)).isEqualTo(ms(100));
        }

        @Test
        void onlyTheRampGoesBelowThat() {
            use(QUICK);
            search.cpu = 0;
            search.elapsed = 0;
            startSearch();
            signal.seconds = 0;
            rig.runFor(s(3));
            List<Long> gaps = gapsBetweenPasses();
            assertThat(gaps.get(gaps.size() - 1)).isEqualTo(ms(10));
            signal.seconds = 900;
            rig.runFor(s(3));
            gaps = gapsBetweenPasses();
            assertThat(gaps.get(gaps.size() - 1)).isEqualTo(ms(100));
            signal.seconds = 1_800;
            rig.runFor(s(3));
            gaps = gapsBetweenPasses();
            assertThat(gaps.get(gaps.size() - 1)).isEqualTo(ms(100));
            assertThat(rig.loop.status().cadenceNanos()).isEqualTo(ms(10));
        }

        @Test
        void withoutASearchTheRampDoesNotQuickenTheLoop() {
            signal.seconds = 0;
            rig.runFor(s(60));
            assertThat(rig.listener.iterations).isEqualTo(60);
        }

        @Test
        void cpuDebtDrainsAHundredTimesFasterWhileACandidateIsUnresolved() {
            // A twentieth of a percent, so that the debt outlasts the longest back-off, 16 passes.
            use(LoopRig.SETTINGS.withPainBudget(0.0005));
            search.slice = ms(5);
            search.cpu = ms(150);
            startSearch();
            assertThat(rig.loop.status().cpuRate()).isEqualTo(0.05);
            rig.runFor(s(30));
            assertThat(gapsBetweenPasses()).allMatch(gap -> gap == s(3));
            search.resolvesInPass = search.passesOfThisSearch + 1;
            int passes = search.passes.size();
            rig.runFor(s(3));
            assertThat(search.passes).hasSize(passes + 1);
            assertThat(rig.loop.status().cpuRate()).isEqualTo(0.0005);
            rig.runFor(s(305));
            List<Long> gaps = gapsBetweenPasses();
            assertThat(gaps.get(gaps.size() - 1)).isEqualTo(s(300));
        }

        @Test
        void theQuickRateNeverExceedsOne() {
            use(LoopRig.SETTINGS.withPainBudget(0.05));
            startSearch();
            assertThat(rig.loop.status().cpuRate()).isEqualTo(1);
            use(LoopRig.SETTINGS.withPainBudget(0.002));
            startSearch();
            assertThat(rig.loop.status().cpuRate()).isEqualTo(0.2);
        }

        @Test
        void cpuDebtGatesTheRampToo() {
            search.cpu = ms(50);
            search.elapsed = ms(50);
            signal.seconds = 0;
            startSearch();
            rig.runFor(s(10));
            assertThat(gapsBetweenPasses()).allMatch(gap -> gap >= ms(50));
        }

        @Test
        void backOffSpacesFruitlessPassesAndTheRampOverridesIt() {
            use(QUICK);
            search.slice = ms(1);
            search.cpu = ms(100);
            search.elapsed = ms(100);
            startSearch();
            rig.runFor(s(60));
            List<Long> gaps = gapsBetweenPasses();
            assertThat(gaps.get(gaps.size() - 1)).isEqualTo(ms(1_600));
            assertThat(rig.loop.status().multiplier()).isEqualTo(16);
            assertThat(rig.loop.status().cadenceNanos()).isEqualTo(ms(10));
            search.newSlotsAtNextWatch = 1;
            rig.turn();
            assertThat(rig.loop.status().multiplier()).isEqualTo(1);
            rig.runFor(s(60));
            signal.seconds = 0;
            search.cpu = 0;
            rig.turn();
            rig.turn();
            rig.runFor(ms(50));
            gaps = gapsBetweenPasses();
            assertThat(gaps.get(gaps.size() - 1)).isEqualTo(ms(10));
            assertThat(rig.loop.status().multiplier()).isEqualTo(16);
        }

        @Test
        void waitingForACoreIsNoCost() {
            use(QUICK);
            search.slice = ms(700);
            search.elapsed = ms(700);
            search.cpu = ms(5);
            startSearch();
            rig.runFor(s(60));
            assertThat(rig.loop.status().multiplier()).isEqualTo(16);
            assertThat(gapsBetweenPasses()).allMatch(gap -> gap == ms(100));
            assertThat(rig.loop.status().budget()).isEqualTo(4_000);
            assertThat(rig.loop.status().cadenceNanos()).isEqualTo(ms(10));
        }

        @Test
        void backOffEndsWithTheLastUnresolvedCandidate() {
            use(QUICK.withPainBudget(1));
            search.slice = ms(1);
            search.cpu = ms(100);
            search.elapsed = ms(100);
            search.resolvesInPass = 30;
            startSearch();
            rig.runFor(s(60));
            List<Long> gaps = gapsBetweenPasses();
            assertThat(gaps.get(27)).isEqualTo(ms(1_600));
            assertThat(gaps.get(32)).isEqualTo(ms(100));
            assertThat(rig.loop.status().multiplier()).isEqualTo(1);
        }

        @Test
        void rootsAreDueAgainTwentyTimesTheLastEnumerationLater() {
            search.rootsWheneverDue = true;
            search.elapsed = ms(250);
            search.cpu = 0;
            startSearch();
            rig.runFor(s(60));
            long last = Long.MIN_VALUE;
            int enumerations = 0;
            for (ScriptedSearch.Pass pass : search.passes) {
                assertThat(pass.roots()).isEqualTo(pass.limits().rootsDue());
                if (pass.roots()) {
                    assertThat(last == Long.MIN_VALUE || pass.startNanos() - last >= s(5)).isTrue();
                    last = pass.endNanos();
                    enumerations++;
                }
            }
            assertThat(enumerations).isBetween(8, 12);
        }

        @Test
        void rootIntervalIsBetweenTwoAndThirtySeconds() {
            RootEnumerationInterval interval = new RootEnumerationInterval();
            assertThat(interval.opensInNanos(0)).isZero();
            interval.ended(0, ms(99));
            assertThat(interval.opensInNanos(0)).isEqualTo(s(2));
            interval.ended(0, ms(101));
            assertThat(interval.opensInNanos(0)).isEqualTo(ms(2_020));
            interval.ended(0, s(1.5));
            assertThat(interval.opensInNanos(0)).isEqualTo(s(30));
            interval.ended(0, Long.MAX_VALUE);
            assertThat(interval.opensInNanos(s(29))).isEqualTo(s(1));
            assertThat(interval.opensInNanos(s(30))).isZero();
        }

        @Test
        void urgencyIsToldToTheWalk() {
            signal.seconds = 200;
            startSearch();
            assertThat(search.passes.get(0).limits().urgent()).isTrue();
        }

        @Test
        void theRampWidensThePass() {
            signal.seconds = 0;
            startSearch();
            assertThat(search.passes.get(0).limits().admissions()).isEqualTo(16_000);
            assertThat(search.passes.get(0).limits().sliceNanos()).isEqualTo(ms(100));
            assertThat(search.passes.get(0).limits().rootAdmissions()).isEqualTo(200_000);
        }

        @Test
        void aVanishedCandidateDoesNotEndIt() {
            startSearch();
            signal.candidate = false;
            rig.runFor(s(10));
            assertThat(search.passes).hasSizeGreaterThan(5);
        }
    }

    @Nested
    class Order {
        @Test
        void findingsComeAfterTheirPassAndBeforeTheEnd() {
            search.resolvesInPass = 2;
            search.passesToEnd = 2;
            signal.candidate = true;
            rig.runFor(s(3));
            assertThat(rig.listener.calls).startsWith("pass 1", "pass 1", "findings 1", "ended 1 COMPLETED");
            assertThat(search.calls.subList(search.calls.indexOf("release") - 3, search.calls.indexOf("release") + 1))
                    .containsExactly("pass", "findings", "watch", "release");
        }

        @Test
        void everyEndIsToldOnce() {
            search.passesToEnd = 2;
            search.endsAs = SearchState.ABANDONED;
            signal.candidate = true;
            rig.runFor(s(300));
            assertThat(rig.listener.calls.stream().filter(call -> call.startsWith("ended"))).doesNotHaveDuplicates()
                    .contains("ended 1 ABANDONED", "ended 2 ABANDONED");
        }

        @Test
        void candidatesArePolledInEveryIteration() {
            rig.runFor(s(10));
            assertThat(signal.polls).isEqualTo(10);
            assertThat(search.calls).contains("watch", "findings");
        }

        @Test
        void theLatchIsRefreshedWhileTheGatesBlock() {
            search.stopped = s(3_600);
            search.passesToEnd = 1;
            startSearch();
            signal.seconds = 10;
            rig.turn();
            assertThat(rig.gate()).isEqualTo(Gate.SAFEPOINT_DEBT);
            assertThat(rig.loop.status().urgent()).isTrue();
            signal.seconds = -1;
            for (int tick = 0; tick < 4; tick++) {
                rig.turn();
                assertThat(rig.loop.status().urgent()).isTrue();
            }
            rig.turn();
            assertThat(rig.loop.status().urgent()).isFalse();
        }

        @Test
        void livenessIsServedAtLeastOnceASecondHoweverLongTheWait() {
            search.cpu = s(60);
            search.slice = ms(50);
            startSearch();
            assertThat(rig.loop.status().waitNanos()).isGreaterThan(0);
            int before = signal.maintained;
            rig.runFor(s(50));
            assertThat(signal.maintained - before).isBetween(49, 52);
        }
    }
}
