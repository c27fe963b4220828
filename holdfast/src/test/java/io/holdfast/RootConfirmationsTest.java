package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.RootConfirmation.Match;
import io.holdfast.core.RootConfirmation.Outcome;
import io.holdfast.core.RootConfirmation.Step;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.jfr.RootQuestion;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** On a virtual clock, with a VM that answers what it is told. */
class RootConfirmationsTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Step KEPT = new Step("com.acme.Keeper", "kept", false, -1, 0, "java.lang.Object[]");
    private static final Step ELEMENT = new Step("java.lang.Object[]", null, false, 3, 0, "com.acme.Session");
    private static final Step OTHER_ELEMENT = new Step("java.lang.Object[]", null, false, 44, 0, "com.acme.Session");
    private static final Step BASKET = new Step("com.acme.Session", "basket", false, -1, 0, "byte[]");

    private final List<List<RootQuestion>> asked = new ArrayList<>();
    private final List<Leak> told = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final Counters counters = new Counters();
    private final List<Object> alive = new ArrayList<>();
    private Function<RootQuestion, RootConfirmation> vm = question -> chain(question.className().equals("byte[]")
            ? List.of(KEPT, OTHER_ELEMENT, BASKET) : List.of(KEPT, ELEMENT));
    private long now;

    private final Ticker ticker = new Ticker() {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Instant now() {
            return Fixtures.NOON.plusNanos(now);
        }
    };

    private RootConfirmations confirmations(boolean askAboutExplained) {
        return new RootConfirmations(questions -> {
            asked.add(questions);
            return vm == null ? List.of() : questions.stream().map(vm).toList();
        }, askAboutExplained, ticker, 0, counters, told::add, log::add);
    }

    private static RootConfirmation chain(List<Step> path) {
        return new RootConfirmation(Outcome.CHAIN, Match.CLASS_AND_SITE, 200, 5, "JNI Global", "Global JNI Handle", null, "com.acme.Keeper", path, 42_000_000,
                Fixtures.NOON);
    }

    /** Twelve instances, one each four seconds up to now, an epoch each. */
    private LeakCandidate candidate(long id, String className, boolean proved) {
        List<TrackedInstance> instances = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            Object object = new Object();
            alive.add(object);
            instances.add(new TrackedInstance(i, new WeakReference<>(object), 1, 1, i, 12 - i, proved, now - (12 - i) * 4 * SECOND));
        }
        return new LeakCandidate(id, className, new CandidateTrend(CandidateTrend.Evidence.COHORTS, List.of(), 0, 5, Fixtures.NOON), instances,
                List.of(new AllocationEvidence("com.acme.Login.login(Login.java:42)", List.of("main"), 12, List.of())), new LiveEstimate(12, 1_000, 64_000, 5_000));
    }

    private void pass(long seconds) {
        now += seconds * SECOND;
    }

    @Test
    void twoSearchesInVainAndTheVmIsAskedOnceAboutAllThatWait() {
        RootConfirmations confirmations = confirmations(false);
        pass(60);
        LeakCandidate session = candidate(1, "com.acme.Session", true);
        LeakCandidate basket = candidate(2, "byte[]", true);
        confirmations.unreached(session, 1);
        confirmations.unreached(basket, 1);
        confirmations.unreached(session, 1);
        confirmations.follow(now, List.of());
        assertThat(asked).as("one search may be unlucky").isEmpty();
        confirmations.unreached(session, 2);
        confirmations.unreached(basket, 2);
        confirmations.follow(now, List.of());
        assertThat(asked).hasSize(1);
        assertThat(asked.get(0)).extracting(RootQuestion::className).containsExactly("com.acme.Session", "byte[]");
        assertThat(asked.get(0).get(0).since()).isEqualTo(ticker.now().minusSeconds(49));
        // What hangs on the element is held with it: one leak, named after the element.
        Leak leak = told.get(0);
        assertThat(told).hasSize(1);
        assertThat(leak.className()).isEqualTo("com.acme.Session");
        assertThat(leak.state()).isEqualTo(LeakState.UNEXPLAINED);
        assertThat(leak.outcome()).isEqualTo("unreached");
        assertThat(leak.chains()).isEmpty();
        assertThat(leak.sampledClasses()).containsExactly("com.acme.Session", "byte[]");
        assertThat(leak.live().bytesPerHour()).isEqualTo(10_000);
        assertThat(leak.confirmation().holder()).isEqualTo("com.acme.Keeper#kept");
        assertThat(confirmations.with(List.of())).containsExactly(leak);
        assertThat(log).singleElement().asString().contains("byte[], com.acme.Session", "42.0 ms", "JNI Global, Global JNI Handle");
        Reference.reachabilityFence(alive);
    }

    @Test
    void theLeakIsNamedAfterTheElementsEvenIfOnlyTheirContentIsSuspected() {
        RootConfirmations confirmations = confirmations(false);
        pass(60);
        unreachedTwice(confirmations, candidate(2, "byte[]", true));
        confirmations.follow(now, List.of());
        assertThat(told).extracting(Leak::className).containsExactly("com.acme.Session");
        assertThat(told.get(0).sampledClasses()).containsExactly("byte[]");
        String id = told.get(0).id();
        // The elements themselves, suspected later, are the same leak.
        pass(RootConfirmations.INTERVAL.toSeconds());
        unreachedTwice(confirmations, candidate(1, "com.acme.Session", true));
        confirmations.follow(now, List.of());
        assertThat(confirmations.with(List.of())).extracting(Leak::id).containsExactly(id);
        assertThat(told).hasSize(1);
    }

    @Test
    void whatHoldsAPopulation() {
        assertThat(chain(List.of(KEPT, ELEMENT)).holder()).isEqualTo("com.acme.Keeper#kept");
        assertThat(chain(List.of(KEPT, ELEMENT, BASKET)).owner("byte[]")).isEqualTo("com.acme.Session");
        assertThat(chain(List.of(ELEMENT)).owner("com.acme.Session")).isEqualTo("com.acme.Session");
        assertThat(chain(List.of()).holder()).isEqualTo("JNI Global, Global JNI Handle");
        Step map = new Step("com.acme.Keeper", "byName", false, -1, 0, "java.util.HashMap");
        Step table = new Step("java.util.HashMap", "table", false, -1, 0, "java.util.HashMap$Node[]");
        Step node = new Step("java.util.HashMap$Node[]", null, false, 5, 0, "java.util.HashMap$Node");
        Step value = new Step("java.util.HashMap$Node", "value", false, -1, 0, "com.acme.Session");
        RootConfirmation inMap = chain(List.of(map, table, node, value));
        assertThat(inMap.holder()).isEqualTo("com.acme.Keeper#byName");
        assertThat(inMap.owner("com.acme.Session")).isEqualTo("com.acme.Session");
    }

    @Test
    void atMostOnceACandidateAndAtMostEveryFewMinutes() {
        RootConfirmations confirmations = confirmations(false);
        pass(60);
        unreachedTwice(confirmations, candidate(1, "com.acme.Session", true));
        confirmations.follow(now, List.of());
        unreachedTwice(confirmations, candidate(2, "com.acme.Order", true));
        pass(RootConfirmations.INTERVAL.toSeconds() - 1);
        confirmations.follow(now, List.of());
        assertThat(asked).hasSize(1);
        pass(1);
        unreachedTwice(confirmations, candidate(2, "com.acme.Order", true));
        confirmations.follow(now, List.of());
        assertThat(asked).hasSize(2);
        assertThat(asked.get(1)).extracting(RootQuestion::className).containsExactly("com.acme.Order");
        pass(10_000);
        unreachedTwice(confirmations, candidate(1, "com.acme.Session", true));
        unreachedTwice(confirmations, candidate(2, "com.acme.Order", true));
        confirmations.follow(now, List.of());
        assertThat(asked).hasSize(2);
    }

    @Test
    void whatMayBeDeadOrNewOrWasReachedIsNotAskedAbout() {
        RootConfirmations confirmations = confirmations(false);
        pass(39);
        unreachedTwice(confirmations, candidate(1, "com.acme.Session", true));
        confirmations.follow(now, List.of());
        assertThat(asked).as("burn-in").isEmpty();
        confirmations.reached(1);
        pass(21);
        unreachedTwice(confirmations, candidate(2, "com.acme.Dead", false));
        confirmations.follow(now, List.of());
        assertThat(asked).as("survived nothing that would have cleared it, or was reached").isEmpty();
        // A population that was there once and does not grow: all of one time.
        LeakCandidate old = candidate(3, "com.acme.Constant", true);
        unreachedTwice(confirmations, new LeakCandidate(3, "com.acme.Constant", old.trend(), old.instances().stream().map(i -> new TrackedInstance(i.sequence(),
                i.reference(), 1, 1, i.allocationEpoch(), i.age(), true, now - 50 * SECOND)).toList(), old.allocation(), old.live()));
        confirmations.follow(now, List.of());
        assertThat(asked).isEmpty();
    }

    @Test
    void withoutAPathThereIsNoLeak() {
        vm = question -> new RootConfirmation(Outcome.NO_SAMPLE, null, 200, 0, null, null, null, null, List.of(), 5_000_000, Fixtures.NOON);
        RootConfirmations confirmations = confirmations(false);
        pass(60);
        unreachedTwice(confirmations, candidate(1, "com.acme.Session", true));
        confirmations.follow(now, List.of());
        assertThat(told).isEmpty();
        assertThat(confirmations.with(List.of())).isEmpty();
        assertThat(log).singleElement().asString().contains("no_sample", "5.0 ms");
    }

    @Test
    void aVmThatCannotBeAskedIsSaidAndCounted() {
        vm = null;
        RootConfirmations confirmations = confirmations(false);
        pass(60);
        unreachedTwice(confirmations, candidate(1, "com.acme.Session", true));
        confirmations.follow(now, List.of());
        assertThat(counters.get("confirm.unanswered")).isEqualTo(1);
        assertThat(log).singleElement().asString().contains("could not be asked");
        assertThat(confirmations.with(List.of())).isEmpty();
    }

    @Test
    void explainedLeaksAreAskedAboutOnlyWhenWanted() {
        Leak explained = LeakTextTest.sessionLeak();
        pass(60);
        confirmations(false).follow(now, List.of(explained));
        assertThat(asked).isEmpty();
        RootConfirmations confirmations = confirmations(true);
        confirmations.follow(now, List.of(explained));
        assertThat(asked).hasSize(1);
        Leak with = confirmations.with(List.of(explained)).get(0);
        assertThat(with.chains()).isEqualTo(explained.chains());
        assertThat(with.state()).isEqualTo(LeakState.EXPLAINED);
        assertThat(with.confirmation().rootText()).isEqualTo("JNI Global, Global JNI Handle");
        pass(10_000);
        confirmations.follow(now, List.of(with));
        assertThat(asked).hasSize(1);
    }

    @Test
    void aLeakOfWhichNothingLivesIsResolvedAndOneThatIsReachedLaterGivesWay() {
        RootConfirmations confirmations = confirmations(false);
        pass(60);
        LeakCandidate session = candidate(1, "com.acme.Session", true);
        unreachedTwice(confirmations, session);
        confirmations.follow(now, List.of());
        confirmations.follow(now, List.of());
        assertThat(confirmations.with(List.of()).get(0).state()).isEqualTo(LeakState.UNEXPLAINED);
        session.instances().forEach(instance -> instance.reference().clear());
        confirmations.follow(now, List.of());
        assertThat(confirmations.with(List.of()).get(0).state()).isEqualTo(LeakState.RESOLVED);
        pass(10_000);
        vm = question -> chain(List.of(new Step("com.acme.Orders", "open", false, -1, 0, question.className())));
        unreachedTwice(confirmations, candidate(2, "com.acme.Order", true));
        confirmations.follow(now, List.of());
        assertThat(confirmations.with(List.of())).hasSize(2);
        confirmations.reached(2);
        assertThat(confirmations.with(List.of())).extracting(Leak::className).containsExactly("com.acme.Session");
        Reference.reachabilityFence(alive);
    }

    private static void unreachedTwice(RootConfirmations confirmations, LeakCandidate candidate) {
        confirmations.unreached(candidate, candidate.id() * 10 + 1);
        confirmations.unreached(candidate, candidate.id() * 10 + 2);
    }
}
