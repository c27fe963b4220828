package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.holdfast.core.Accumulation;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.SearchFinding;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LeakLedgerTest {
    private static final long SECOND = 1_000_000_000L;

    private final Counters counters = new Counters();
    private final List<Long> muted = new ArrayList<>();
    private final List<Long> explained = new ArrayList<>();
    private final List<Long> reached = new ArrayList<>();
    private final List<Leak> told = new ArrayList<>();
    private final List<String> withdrawn = new ArrayList<>();
    private final LeakLedger ledger = new LeakLedger(LedgerSettings.defaults(1L << 30), 0, counters, new CandidateFeedback() {
        @Override
        public void mute(long candidateId) {
            muted.add(candidateId);
        }

        @Override
        public void explained(long candidateId) {
            explained.add(candidateId);
        }

        @Override
        public void reached(long candidateId) {
            reached.add(candidateId);
        }
    }, told::add, withdrawn::add);
    private long now;
    private long size;

    private void run(int seconds, long growthPerSecond) {
        for (int s = 0; s < seconds; s++) {
            now += SECOND;
            size += growthPerSecond;
            ledger.follow(now);
        }
    }

    private void find(long id, String className, Accumulation accumulation) {
        ledger.selected(List.of(Fixtures.candidate(id, className)));
        ledger.found(List.of(Fixtures.finding(id, accumulation, 4, true, true)));
    }

    private Accumulation registry() {
        return Fixtures.registry(() -> size);
    }

    @Test
    void aSteadilyGrowingHolderIsReportedOnceTheBurnInIsOver() {
        find(1, "byte[]", registry());
        run(39, 10);
        assertThat(ledger.leaks()).isEmpty();
        run(2, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> {
            assertThat(leak.className()).isEqualTo("com.acme.Session");
            assertThat(leak.state()).isEqualTo(LeakState.EXPLAINED);
            assertThat(leak.sampledClasses()).containsExactly("byte[]");
            assertThat(leak.growth().elements()).isEqualTo(410);
            assertThat(leak.growth().holder()).isEqualTo("com.acme.SessionRegistry#ACTIVE");
            assertThat(leak.live().bytesPerHour()).isBetween(7_700_000L, 7_800_000L); // 36 000 elements of 216 bytes
        });
        assertThat(told).hasSize(1);
        assertThat(explained).containsExactly(1L);
        run(60, 10);
        assertThat(told).as("said once").hasSize(1);
    }

    @Test
    void aContainerThatKeptEverythingIsFollowedForLessTime() {
        run(100, 0);
        find(1, "byte[]", registry());
        run(9, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void aContainerFromWhichInstancesWentIsFollowedLonger() {
        run(100, 0);
        ledger.selected(List.of(Fixtures.candidate(1, "byte[]")));
        ledger.found(List.of(new SearchFinding(1, 1, SearchFinding.CHAIN, List.of(Fixtures.sessionChain("basket", "byte[]", 20)), 32, 20, 4, 4, true, true,
                registry())));
        run(17, 10);
        assertThat(ledger.leaks()).isEmpty();
        run(2, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void aBatchThatIsFlushedEveryTwentySecondsIsNoLeakHoweverWellItKeepsInBetween() {
        run(100, 0);
        for (int tooth = 0; tooth < 10; tooth++) {
            long flushed = now;
            size = 0;
            run(5, 200);
            ledger.selected(List.of(Fixtures.candidate(1, "byte[]", tooth, tooth + 3, flushed)));
            ledger.found(List.of(Fixtures.finding(1, registry(), 4, true, true)));
            run(15, 200);
            assertThat(ledger.leaks()).isEmpty();
        }
    }

    @Test
    void whatFillsForMinutesAndIsEmptiedIsAtMostAccusedOnce() {
        run(60, 0);
        for (int tooth = 0; tooth < 20; tooth++) {
            size = 0;
            find(1, "byte[]", registry());
            run(150, 5);
        }
        assertThat(told).filteredOn(leak -> leak.state() != LeakState.RESOLVED).hasSizeLessThanOrEqualTo(1);
        assertThat(ledger.leaks()).noneMatch(leak -> leak.state() != LeakState.RESOLVED);
        run(1_000, 5);
        assertThat(ledger.leaks()).as("and when it is not emptied any more").singleElement().satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.EXPLAINED));
    }

    @Test
    void whatIsEmptiedHasNotKeptEverything() {
        run(100, 0);
        find(1, "byte[]", registry());
        run(5, 10);
        size = 0;
        run(1, 0);
        run(9, 100);
        assertThat(ledger.leaks()).as("larger than before, and followed for as long as what was seen to keep everything").isEmpty();
        run(12, 100);
        assertThat(ledger.leaks()).hasSize(1);
    }

    /** A registry that says how many it takes. */
    private Accumulation bounded(long bound) {
        return Fixtures.registry(new GrowthProbe() {
            @Override
            public long elements() {
                return size;
            }

            @Override
            public long bound() {
                return size <= bound + bound / 8 ? bound : UNBOUNDED;
            }
        });
    }

    @Test
    void aCacheThatSaysHowMuchItTakesIsGivenTheTimeToFill() {
        find(1, "byte[]", bounded(10_000));
        run(312, 32);
        assertThat(size).isLessThan(10_000);
        run(1, 10_002 - size);
        run(1_000, 0);
        assertThat(told).isEmpty();
    }

    /** A dozen of reservoirs, of which the last ones fill slowly. */
    @Test
    void whatIsHalfFullMayFillSlowly() {
        size = 6_000;
        find(1, "byte[]", bounded(12_000));
        run(300, 5);
        assertThat(told).isEmpty();
    }

    /** A hash table is always half full of what it calls its maximum. */
    @Test
    void whatIsHalfFullAndWillBeForHoursIsALeak() {
        size = 800_000;
        find(1, "byte[]", bounded(1_570_000));
        run(60, 100);
        assertThat(told).hasSize(1);
    }

    @Test
    void whatHasMoreThanHalfOfTheWayBeforeItAndGoesItSlowlyIsALeak() {
        size = 3_000;
        find(1, "byte[]", bounded(12_000));
        run(100, 5);
        assertThat(told).hasSize(1);
    }

    @Test
    void aQueueThatTakesMoreThanTheHeapIsALeak() {
        find(1, "byte[]", bounded(3_000_000)); // of 216 bytes each: 648 MB
        run(60, 10_000);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void whatOutgrowsItsBoundIsALeak() {
        find(1, "byte[]", bounded(1_000));
        run(100, 10);
        assertThat(ledger.leaks()).isEmpty();
        run(60, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void aBoundThatIsFarAwayIsNone() {
        find(1, "byte[]", bounded(1_000_000));
        run(60, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void theArrayOfAListIsNoLeakBesideWhatTheListHolds() {
        Accumulation array = new Accumulation("java.lang.Thread#threadLocals", "java.util.ArrayList", "java.lang.Object[]", 1, "x", () -> size);
        Accumulation list = new Accumulation("java.lang.Thread#threadLocals", "java.util.ArrayList", "a.A", 1, "x", () -> size);
        find(1, "java.lang.Object[]", array);
        find(2, "a.A", list);
        find(3, "java.lang.Object[]", array);
        run(45, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("a.A"));
    }

    private void findGrown(double perHour) {
        ledger.selected(List.of(Fixtures.grown(-2, "java.util.HashMap$Node", perHour)));
        ledger.found(List.of(Fixtures.finding(-2, registry(), 1, true, false)));
    }

    @Test
    void whatOnlyGrowsIsALeakTooButMustHaveGainedMore() {
        run(30, 0);
        findGrown(36_000);
        run(19, 10);
        assertThat(ledger.leaks()).as("190 gained").isEmpty();
        run(2, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> {
            assertThat(leak.className()).isEqualTo("com.acme.Session");
            assertThat(leak.state()).isEqualTo(LeakState.PROVISIONAL);
            assertThat(leak.allocation()).isEmpty();
            assertThat(leak.trend().evidence()).isEqualTo(CandidateTrend.Evidence.GROWTH);
        });
        assertThat(explained).containsExactly(-2L);
        assertThat(muted).isEmpty();
    }

    @Test
    void whatOnlyGrowsAndSlowsDownIsNoLeak() {
        run(30, 0);
        findGrown(36_000 * 2);
        run(60, 10);
        assertThat(ledger.leaks()).isEmpty();
    }

    @Test
    void whatWasOnceFilledInAHurryMayLeakSlowlyAfterwards() {
        run(30, 0);
        findGrown(36_000 * 50);
        ledger.selected(List.of(Fixtures.grown(-3, "java.util.HashMap$Node", 36_000)));
        ledger.found(List.of(Fixtures.finding(-3, registry(), 1, true, false)));
        run(21, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void whatIsSampledAsWellIsJudgedLikeAnyOther() {
        run(30, 0);
        findGrown(36_000 * 2);
        find(1, "byte[]", registry());
        run(19, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void candidatesWithOneHolderAreOneLeak() {
        find(1, "byte[]", registry());
        find(2, "com.acme.Session", registry());
        find(3, "java.util.HashMap$Node", registry());
        run(45, 10);
        assertThat(ledger.leaks()).singleElement()
                .satisfies(leak -> assertThat(leak.sampledClasses()).containsExactly("byte[]", "com.acme.Session", "java.util.HashMap$Node"));
    }

    @Test
    void aFieldOfTheJdkHoldsManyPopulations() {
        GrowthProbe probe = () -> size;
        find(1, "a.A", new Accumulation("java.lang.Thread#threadLocals", "java.lang.ThreadLocal$ThreadLocalMap", "a.A", 1, "x", probe));
        find(2, "b.B", new Accumulation("java.lang.Thread#threadLocals", "java.lang.ThreadLocal$ThreadLocalMap", "b.B", 1, "x", () -> 2 * size));
        run(45, 10);
        assertThat(ledger.leaks()).hasSize(2);
    }

    @Test
    void aCacheThatStopsGrowingBeforeTheBurnInEndsIsNeverReported() {
        find(1, "byte[]", registry());
        run(20, 400);
        run(300, 0);
        assertThat(told).isEmpty();
        assertThat(ledger.leaks()).isEmpty();
    }

    @Test
    void onlyTheNewestCohortsReachableMutesTheCandidate() {
        ledger.selected(List.of(Fixtures.candidate(1, "byte[]")));
        ledger.found(List.of(Fixtures.finding(1, registry(), 2, false, true)));
        run(60, 10);
        assertThat(muted).containsExactly(1L);
        assertThat(ledger.leaks()).isEmpty();
        assertThat(counters.get("ledger.candidates.onlynewest")).isEqualTo(1);
    }

    private void findOldestOnly(long id) {
        ledger.selected(List.of(Fixtures.candidate(id, "byte[]")));
        ledger.found(List.of(Fixtures.finding(id, registry(), 1, true, false)));
    }

    @Test
    void whatHoldsTheOldestCohortIsFollowedAndTheCandidateSoughtElsewhere() {
        findOldestOnly(1);
        run(60, 10);
        assertThat(muted).containsExactly(1L);
        assertThat(explained).isEmpty();
        assertThat(reached).as("what the VM said about the others still stands").isEmpty();
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.PROVISIONAL));
    }

    @Test
    void theOldestCohortAloneAccusesNoMoreThanGrowthDoes() {
        findOldestOnly(1);
        run(60, 3);
        assertThat(ledger.leaks()).as("180 elements").isEmpty();
        run(10, 3);
        assertThat(ledger.leaks()).as("210 elements").hasSize(1);
    }

    @Test
    void aLaterSearchThatReachedLessTakesNothingBack() {
        find(1, "byte[]", registry());
        findOldestOnly(1);
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.EXPLAINED));
    }

    @Test
    void nothingReachedMutesTheCandidate() {
        ledger.selected(List.of(Fixtures.candidate(1, "byte[]")));
        ledger.found(List.of(new SearchFinding(1, 1, SearchFinding.UNREACHED, List.of(), 10, 0, 4, 0, false, false, null)));
        assertThat(muted).containsExactly(1L);
    }

    @Test
    void aSearchThatWasGivenUpProvesNothing() {
        ledger.selected(List.of(Fixtures.candidate(1, "byte[]")));
        ledger.found(List.of(new SearchFinding(1, 1, "frontier_cap", List.of(), 10, 0, 4, 0, false, false, null)));
        assertThat(muted).isEmpty();
        assertThat(explained).isEmpty();
        assertThat(counters.get("ledger.findings.undecided")).isEqualTo(1);
    }

    private Accumulation lists(GrowthProbe map, GrowthProbe lists) {
        return Fixtures.registry(map).with(List.of(new Accumulation("com.acme.Session#clicks", "java.util.ArrayList", "com.acme.Click", 1,
                "static_field > com.acme.SessionRegistry#ACTIVE > com.acme.Session#clicks", lists)));
    }

    @Test
    void listsThatGrowInAMapThatDoesNotAreTheLeak() {
        find(1, "com.acme.Click", lists(() -> 500, () -> size));
        run(39, 10);
        assertThat(ledger.leaks()).isEmpty();
        run(5, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> {
            assertThat(leak.className()).isEqualTo("com.acme.Click");
            assertThat(leak.growth().holder()).isEqualTo("com.acme.Session#clicks");
        });
    }

    @Test
    void listsThatGrowAreFollowedLongerThanAContainerAlone() {
        run(100, 0);
        find(1, "com.acme.Click", lists(() -> 500, () -> size));
        run(19, 10);
        assertThat(ledger.leaks()).isEmpty();
        run(4, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void listsThatGrowInAMapThatGrowsTooArePartOfItsLeak() {
        find(1, "com.acme.Click", lists(() -> size, () -> 3 * size));
        run(100, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Session"));
    }

    @Test
    void listsOfSessionsThatEndAreNoLeak() {
        find(1, "com.acme.Click", lists(() -> 500, () -> now < 15 * SECOND ? size : GrowthProbe.GONE));
        run(100, 10);
        assertThat(ledger.leaks()).isEmpty();
    }

    private Accumulation pagesOfSessions(GrowthProbe pages, GrowthProbe sessions) {
        return new Accumulation("com.acme.Session#pages", "java.util.ArrayList", "com.acme.Page", 1, "static_field > com.acme.SessionRegistry#ACTIVE > "
                + "com.acme.Session#pages", pages).below(List.of(Fixtures.registry(sessions)));
    }

    @Test
    void whatHoldsManyOfThemEachIsTheLeakWhereThatBecomesMore() {
        find(1, "com.acme.Page", pagesOfSessions(() -> 800, () -> size / 10));
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> {
            assertThat(leak.className()).isEqualTo("com.acme.Session");
            assertThat(leak.growth().holder()).isEqualTo("com.acme.SessionRegistry#ACTIVE");
        });
    }

    @Test
    void whatHoldsManyOfThemIsFollowedLongerThoughAllOfThemWereKept() {
        run(100, 0);
        find(1, "com.acme.Page", pagesOfSessions(() -> 800, () -> size));
        run(17, 10);
        assertThat(ledger.leaks()).isEmpty();
        run(4, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void whereBothGrowTheOuterOneIsTheLeak() {
        find(1, "com.acme.Page", pagesOfSessions(() -> 800 + size, () -> size));
        run(100, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Session"));
    }

    @Test
    void whereOnlyTheContainersGrowTheyAreTheLeak() {
        find(1, "com.acme.Page", pagesOfSessions(() -> 800 + size, () -> 12));
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Page"));
    }

    @Test
    void whereTheOuterOneHasStoppedTheContainersAreTheLeakFromThenOn() {
        find(1, "com.acme.Page", pagesOfSessions(() -> 800 + size, () -> Math.min(size, 3_000)));
        run(299, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Session"));
        run(600, 10);
        assertThat(ledger.leaks()).extracting(Leak::className, Leak::state)
                .containsExactly(tuple("com.acme.Page", LeakState.EXPLAINED), tuple("com.acme.Session", LeakState.RESOLVED));
    }

    @Test
    void anOuterOneThatIsGoneOrCannotBeCountedAnyMoreHidesNothing() {
        for (long end : new long[] {GrowthProbe.GONE, GrowthProbe.UNKNOWN}) {
            LeakLedgerTest fresh = new LeakLedgerTest();
            fresh.find(1, "com.acme.Page", pagesOfSessions(() -> 800 + fresh.size, () -> fresh.now < 30 * SECOND ? fresh.size : end));
            fresh.run(100, 10);
            assertThat(fresh.ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Page"));
        }
    }

    private static Accumulation rowsOfWidgets(GrowthProbe rows, GrowthProbe widgets) {
        Accumulation outer = new Accumulation("com.acme.Widget#children", "java.util.ArrayList", "com.acme.Widget", 1, "x", widgets);
        return new Accumulation("com.acme.Widget#children", "java.util.ArrayList", "com.acme.Row", 1, "x > y", rows).below(List.of(outer));
    }

    @Test
    void anOuterPlaceBehindTheSameFieldIsAPlaceOfItsOwn() {
        find(1, "com.acme.Row", rowsOfWidgets(() -> 800, () -> size));
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Widget"));
    }

    @Test
    void anOuterPlaceBehindTheSameFieldDoesNotNameTheLeak() {
        find(1, "com.acme.Row", rowsOfWidgets(() -> size, () -> 8));
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Row"));
    }

    @Test
    void anOuterPlaceThatWasFoundByItselfIsNotReportedTwice() {
        Accumulation rows = rowsOfWidgets(() -> 800, () -> size);
        find(1, "com.acme.Widget", rows.outer().get(0));
        run(60, 10);
        find(2, "com.acme.Row", rows);
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.growth().elements()).isEqualTo(size));
    }

    @Test
    void whereTheOuterOneGrowsNoInnerOneIsALeakBesideIt() {
        Accumulation words = new Accumulation("com.acme.Page#words", "java.util.ArrayList", "com.acme.Word", 1, "x > y", () -> size);
        find(1, "com.acme.Word", pagesOfSessions(() -> 800, () -> size).with(List.of(words)));
        run(80, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Session"));
    }

    @Test
    void placesThatBranchOffEachOtherInARingAreReported() {
        for (int i = 0; i < 3; i++) {
            int next = (i + 1) % 3;
            Accumulation outer = new Accumulation("a.A" + next + "#f", "java.util.ArrayList", "a.B" + next, 1, "s" + next, () -> size);
            find(i, "a.C" + i, new Accumulation("a.A" + i + "#f", "java.util.ArrayList", "a.B" + i, 1, "s" + i, () -> size).below(List.of(outer)));
        }
        run(60, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    private void findUncounted(int seconds, int newestEpoch) {
        run(seconds, 10);
        ledger.selected(List.of(Fixtures.candidate(1, "byte[]", 2, newestEpoch)));
        ledger.found(List.of(Fixtures.finding(1, Fixtures.registry(() -> GrowthProbe.UNKNOWN), 4, true, true)));
    }

    @Test
    void whatIsTooLargeToCountIsALeakWhenItKeepsEverythingOldAndNew() {
        findUncounted(20, 10);
        findUncounted(15, 14);
        run(50, 10);
        assertThat(explained).as("sought again").isEmpty();
        assertThat(ledger.leaks()).isEmpty();
        findUncounted(1, 19);
        run(2, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> {
            assertThat(leak.state()).as("it was not seen to grow").isEqualTo(LeakState.PROVISIONAL);
            assertThat(leak.growth().elements()).isEqualTo(-1);
            assertThat(LeakText.render(leak)).contains("(HashMap, too large to count)");
        });
        findUncounted(1, 20);
        assertThat(explained).containsExactly(1L);
    }

    @Test
    void whatIsTooLargeToCountAndGetsNothingNewIsNoLeak() {
        for (int i = 0; i < 10; i++) {
            findUncounted(20, 10);
        }
        assertThat(ledger.leaks()).isEmpty();
    }

    @Test
    void aWayThatIsBrokenForAMomentIsFollowedOn() {
        find(1, "byte[]", Fixtures.registry(() -> now % (7 * SECOND) == 0 ? GrowthProbe.GONE : size));
        run(45, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.growth().elements()).isGreaterThan(400));
    }

    @Test
    void theErrorOfALeakIsTheLargestOfWhatItSums() {
        assertThat(relativeErrorOf(0.2, 0.5, 0.1)).isEqualTo(0.5);
    }

    @Test
    void anUnknownErrorOfOnePartIsUnknownOfTheWhole() {
        assertThat(relativeErrorOf(0.2, Double.NaN, 0.1)).isNaN();
    }

    private double relativeErrorOf(double... errors) {
        for (int i = 0; i < errors.length; i++) {
            ledger.selected(List.of(Fixtures.candidate(i + 1, "com.acme.Part" + i, new LiveEstimate(40, 1_000, 216_000, 0, errors[i]))));
            ledger.found(List.of(Fixtures.finding(i + 1, registry(), 4, true, true)));
        }
        run(45, 10);
        assertThat(ledger.leaks()).hasSize(1);
        return ledger.leaks().get(0).live().relativeError();
    }

    @Test
    void aClassThatWasACandidateTwiceCountsOnce() {
        find(1, "byte[]", registry());
        find(2, "byte[]", registry());
        run(45, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.live().tracked()).isEqualTo(40));
    }

    @Test
    void aSlowLeakIsReportedOnceAndStands() {
        find(1, "byte[]", registry());
        run(120, 1);
        assertThat(told).hasSize(1);
        assertThat(withdrawn).isEmpty();
    }

    @Test
    void aCacheThatIsFullLateIsWithdrawnSoonAfter() {
        find(1, "byte[]", registry());
        run(90, 200);
        assertThat(ledger.leaks()).as("nothing tells it from a leak").hasSize(1);
        run(20, 0);
        assertThat(ledger.leaks()).isEmpty();
        assertThat(withdrawn).hasSize(1);
    }

    @Test
    void aLeakThatStopsSoonIsWithdrawnAndOneThatStopsLateIsResolved() {
        find(1, "byte[]", registry());
        run(50, 10);
        assertThat(ledger.leaks()).hasSize(1);
        run(60, 0);
        assertThat(ledger.leaks()).as("withdrawn").isEmpty();
        assertThat(counters.get("ledger.leaks.withdrawn")).isEqualTo(1);
        assertThat(withdrawn).hasSize(1);
        run(400, 10);
        assertThat(ledger.leaks()).as("grows again").hasSize(1);
        run(2_000, 0);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.RESOLVED));
    }

    @Test
    void aContainerThatIsGoneIsFollowedAgainWhenTheNextSearchFindsIt() {
        find(1, "byte[]", Fixtures.registry(() -> -1));
        run(5, 10);
        find(1, "byte[]", registry());
        run(45, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void suspectsAreBoundedAndTheOneThatGrewLeastGivesWay() {
        for (int i = 0; i < LeakLedger.MAX_SUSPECTS + 10; i++) {
            int number = i;
            find(i, "byte[]", new Accumulation("com.acme.Registry" + i + "#ALL", "java.util.ArrayList", "com.acme.E" + i, 1, "s" + i,
                    () -> number == 0 ? size : 5));
            run(1, 10);
        }
        assertThat(ledger.suspects()).isEqualTo(LeakLedger.MAX_SUSPECTS);
        assertThat(counters.get("ledger.suspects.evicted")).isEqualTo(10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.E0"));
    }

    @Test
    void aLeakWhoseContainerIsGoneIsResolved() {
        find(1, "byte[]", Fixtures.registry(() -> now < 100 * SECOND ? size : GrowthProbe.GONE));
        run(99, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.EXPLAINED));
        run(20, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.RESOLVED));
    }

    @Test
    void twoContainersBehindOneFieldHaveEachTheirTurn() {
        Accumulation healthy = new Accumulation("lib.Cache#map", "java.util.HashMap", "a.A", 1, "static_field > a.Users#cache > lib.Cache#map", () -> 500);
        Accumulation leaking = new Accumulation("lib.Cache#map", "java.util.HashMap", "b.B", 1, "static_field > b.Orders#cache > lib.Cache#map", () -> size);
        for (int i = 0; i < 4; i++) {
            find(1, "a.A", healthy);
            find(2, "b.B", leaking);
            run(30, 10);
        }
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.growth().elements()).isGreaterThan(500));
    }

    @Test
    void childrenOfChildrenAreAPlaceOfTheirOwn() {
        Accumulation inner = new Accumulation("com.acme.Widget#children", "java.util.ArrayList", "com.acme.Row", 1, "x > y", () -> size);
        find(1, "com.acme.Row", new Accumulation("com.acme.Widget#children", "java.util.ArrayList", "com.acme.Widget", 1, "x", () -> 40).with(List.of(inner)));
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.className()).isEqualTo("com.acme.Row"));
    }

    @Test
    void twoInnerPlacesBehindOneFieldAreFollowedEach() {
        Accumulation map = new Accumulation("java.lang.Thread#threadLocals", "java.lang.ThreadLocal$ThreadLocalMap", "com.acme.Span", 1, "x", () -> 16);
        Accumulation lists = new Accumulation("java.lang.Thread#threadLocals", "java.util.ArrayList", "com.acme.Span", 1, "x > y", () -> size);
        find(1, "com.acme.Span", new Accumulation("java.lang.Thread#target", "java.lang.Thread", "a.Worker", 1, "t", () -> 50).with(List.of(map, lists)));
        run(60, 10);
        assertThat(ledger.leaks()).singleElement().satisfies(leak -> assertThat(leak.growth().containerClass()).isEqualTo("java.util.ArrayList"));
    }

    @Test
    void anInnerPlaceOfOtherListsIsTheSame() {
        for (String list : List.of("java.util.ArrayList", "java.util.LinkedList")) {
            Accumulation pages = new Accumulation("com.acme.Session#pages", list, "com.acme.Page", 1, "x > y", () -> size);
            find(list.length(), "com.acme.Page", Fixtures.registry(() -> 50).with(List.of(pages)));
        }
        run(60, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void aLambdaOfAClassThatWasChangedIsTheSameLeak() {
        find(1, "byte[]", new Accumulation("java.lang.Thread#target", "java.lang.Thread", "a.App$$Lambda$528/0x00007f1e60212428", 1, "t", () -> size));
        find(2, "char[]", new Accumulation("java.lang.Thread#target", "java.lang.Thread", "a.App$$Lambda$623/0x00007f1e6027e428", 1, "t", () -> size));
        run(60, 10);
        assertThat(ledger.leaks()).hasSize(1);
    }

    @Test
    void evenLeaksAreBounded() {
        for (int i = 0; i < LeakLedger.MAX_SUSPECTS + 5; i++) {
            find(i, "byte[]", new Accumulation("com.acme.Registry" + i + "#ALL", "java.util.ArrayList", "com.acme.E" + i, 1, "s" + i, () -> size));
            run(45, 10);
        }
        assertThat(ledger.suspects()).isEqualTo(LeakLedger.MAX_SUSPECTS);
        assertThat(ledger.leaks()).as("all are in step, and so many joined").hasSize(LeakLedger.MAX_SUSPECTS / (1 + LeaksInStep.MAX_JOINED));
    }

    @Test
    void whatGrowsInStepWithAnotherIsToldOfThere() {
        find(1, "byte[]", registry());
        find(2, "a.Key", new Accumulation("a.Index#KEYS", "java.util.TreeMap", "a.Key", 1, "y", () -> size + 7));
        run(45, 10);
        assertThat(ledger.leaks()).hasSize(1);
        assertThat(told).as("once").singleElement().satisfies(leak -> assertThat(leak.id()).isEqualTo(ledger.leaks().get(0).id()));
    }

    /** Joined with a leak that ends, it has to be told of itself. */
    @Test
    void whatStandsForItselfAgainIsTold() {
        boolean[] gone = {false};
        find(1, "byte[]", registry());
        find(2, "a.Key", new Accumulation("a.Index#KEYS", "java.util.TreeMap", "a.Key", 1, "y", () -> gone[0] ? GrowthProbe.GONE : size + 7));
        run(45, 10);
        assertThat(told).extracting(Leak::className).as("stands for both").containsExactly("a.Key");
        gone[0] = true;
        run(10, 10);
        assertThat(ledger.leaks()).hasSize(2);
        assertThat(told).anySatisfy(leak -> {
            assertThat(leak.className()).isEqualTo("com.acme.Session");
            assertThat(leak.state()).isEqualTo(LeakState.EXPLAINED);
        });
    }

    @Test
    void aFindingWithoutItsCandidateIsCountedAndIgnored() {
        ledger.found(List.of(Fixtures.finding(99, registry(), 4, true, true)));
        assertThat(counters.get("ledger.findings.orphaned")).isEqualTo(1);
    }
}
