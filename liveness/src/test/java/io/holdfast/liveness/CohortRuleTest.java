package io.holdfast.liveness;

import static io.holdfast.liveness.World.leak;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend.Evidence;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.SiteSurvival;
import io.holdfast.core.TrackedInstance;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The early rule on whole cohorts. */
class CohortRuleTest {
    @Test
    void a_leak_is_suspected_by_its_cohorts_after_two_collections() {
        World world = new World();
        List<Held> leaked = new ArrayList<>();
        leak(world, leaked, 3);
        world.collect();
        assertThat(world.tracker.hasCandidate()).isFalse();
        leak(world, leaked, 3);
        world.collect();
        assertThat(world.tracker.hasCandidate()).isTrue();
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(candidate.className()).isEqualTo(Session.class.getName());
        assertThat(candidate.trend().evidence()).isEqualTo(Evidence.COHORTS);
        assertThat(candidate.trend().distinctAges()).containsExactly(1, 2);
        assertThat(candidate.instances()).extracting(TrackedInstance::age).containsExactly(2, 2, 2, 1, 1, 1);
        assertThat(candidate.instances()).extracting(TrackedInstance::sequence).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        assertThat(candidate.instances()).extracting(TrackedInstance::disproved).containsOnly(false);
        assertThat(candidate.allocation()).containsExactly(
                new AllocationEvidence("com.acme.Login.login(Login.java:43)", List.of("http-7"), 6, List.of()));
        assertThat(candidate.live().tracked()).isEqualTo(6);
    }

    @Test
    void cohorts_need_two_cohorts_four_survivors_age_two_and_half_of_them_alive() {
        World oneCohort = new World();
        List<Held> held = new ArrayList<>();
        leak(oneCohort, held, 9);
        oneCohort.collect();
        oneCohort.collect();
        oneCohort.collect();
        assertThat(oneCohort.tracker.hasCandidate()).as("one cohort").isFalse();

        World three = new World();
        leak(three, held, 2);
        three.collect();
        leak(three, held, 1);
        three.collect();
        three.collect();
        assertThat(three.tracker.hasCandidate()).as("three survivors").isFalse();
        leak(three, held, 1);
        three.collect();
        assertThat(three.tracker.hasCandidate()).as("the fourth").isTrue();

        World mortal = new World();
        List<Held> firstCohort = new ArrayList<>();
        leak(mortal, firstCohort, 10);
        firstCohort.subList(0, 6).forEach(Held::die);
        mortal.collect();
        leak(mortal, held, 10);
        mortal.collect();
        assertThat(mortal.tracker.hasCandidate()).as("4 of 10 in the closed cohort").isFalse();
        mortal.collect();
        assertThat(mortal.tracker.hasCandidate()).as("14 of 20").isTrue();
    }

    @Test
    void one_whole_cohort_and_a_newer_one_under_way_are_suspected_three_seconds_after_the_collection() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        leak(world, held, 8);
        held.subList(0, 2).forEach(Held::die);
        world.collect();
        assertThat(world.tracker.hasCandidate()).as("at the fold").isFalse();
        leak(world, held, 2);
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.hasCandidate()).as("too early to look at the newer cohort").isFalse();
        world.nanos += LivenessTracker.YOUNG_COHORT_NANOS;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.hasCandidate()).isTrue();
        assertThat(world.candidates().get(0).instances()).extracting(TrackedInstance::age).containsExactly(1, 1, 1, 1, 1, 1, 0, 0);
    }

    @Test
    void one_cohort_of_which_more_than_a_quarter_died_is_not_enough() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        leak(world, held, 9);
        held.subList(0, 3).forEach(Held::die);
        world.collect();
        leak(world, held, 5);
        world.nanos += LivenessTracker.YOUNG_COHORT_NANOS;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.hasCandidate()).as("6 of 9").isFalse();
    }

    @Test
    void one_whole_cohort_without_a_newer_one_is_not_enough() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        leak(world, held, 9);
        world.collect();
        leak(world, held, 1);
        world.nanos += LivenessTracker.YOUNG_COHORT_NANOS;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.hasCandidate()).isFalse();
    }

    @Test
    void the_early_rule_waits_until_the_oldest_survivor_has_lived_long_enough() {
        World world = new World(new LivenessSettings(100_000, 1.0, true, true, 1L << 30, 1, 60_000_000_000L));
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            leak(world, held, 5);
            world.collect();
        }
        assertThat(world.tracker.hasCandidate()).isFalse();
        world.nanos += 60_000_000_000L;
        world.collect();
        assertThat(world.tracker.hasCandidate()).isTrue();
    }

    @Test
    void samples_that_died_in_the_queue_count_against_the_cohort() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        leak(world, held, 4);
        world.tracker.maintain(world.nanos);
        for (int i = 0; i < 5; i++) {
            world.allocate(new Session(), 3).die();
        }
        world.collect();
        leak(world, held, 4);
        world.collect();
        assertThat(world.tracker.hasCandidate()).as("4 of 9").isFalse();
        assertThat(world.counters.get(LivenessTracker.SAMPLES_DEAD)).isEqualTo(5);
        assertThat(world.tracker.survival()).containsExactly(new SiteSurvival(3, 13, 8, 2, 2));
    }
}
