package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.AllocationSample;
import io.holdfast.core.CandidateTrend.Evidence;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.SiteSurvival;
import io.holdfast.core.TrackedInstance;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Node;
import io.holdfast.liveness.World.Order;
import io.holdfast.liveness.World.Session;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class LivenessTrackerTest {
    private static final LivenessSettings TREND_ONLY = new LivenessSettings(100_000, 1.0, false, true, 1L << 30, 1);

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

    @Test
    void the_documented_trend_needs_fourteen_folds() {
        World world = new World(TREND_ONLY);
        List<Held> held = new ArrayList<>();
        for (int fold = 1; fold <= 13; fold++) {
            leak(world, held, 2);
            world.collect();
            assertThat(world.tracker.hasCandidate()).as("after fold %s", fold).isFalse();
        }
        leak(world, held, 2);
        world.collect();
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(candidate.trend().evidence()).isEqualTo(Evidence.TREND);
        assertThat(candidate.trend().growth()).isCloseTo(13.0, within(1e-9));
        assertThat(candidate.trend().folds()).isEqualTo(14);
        assertThat(world.tracker.status().watchedThreads()).isEqualTo(0);
        world.secondPasses();
        assertThat(world.tracker.status().watchedThreads()).isEqualTo(1);
    }

    @Test
    void the_documented_trend_needs_twelve_folds_when_the_heap_floor_rises() {
        World world = new World(TREND_ONLY);
        List<Held> held = new ArrayList<>();
        for (int fold = 1; fold <= 12; fold++) {
            assertThat(world.tracker.hasCandidate()).as("before fold %s", fold).isFalse();
            world.tracker.recordUsage(world.nanos, (100L + 50 * fold) << 20);
            leak(world, held, 2);
            world.collect();
        }
        assertThat(world.tracker.status().heapFloorRising()).isTrue();
        assertThat(world.tracker.hasCandidate()).isTrue();
    }

    @Test
    void bounded_caches_never_qualify_for_the_trend() {
        World world = new World(TREND_ONLY);
        Deque<Held> firstInFirstOut = new ArrayDeque<>();
        List<Held> sawTooth = new ArrayList<>();
        List<Held> filledOnce = new ArrayList<>();
        // The ages of a cache spread until it is full, which looks like growth. Nothing may be suspected once that has left the ring.
        for (int fold = 1; fold <= 90; fold++) {
            firstInFirstOut.add(world.allocate(new Session(), 1));
            if (firstInFirstOut.size() > 8) {
                firstInFirstOut.remove().die();
            }
            sawTooth.add(world.allocate(new Order(), 2));
            if (fold % 4 == 0) {
                sawTooth.forEach(Held::die);
                sawTooth.clear();
            }
            if (fold <= 6) {
                filledOnce.add(world.allocate(new Node(), 3));
            }
            world.collect();
            assertThat(world.candidateClasses()).as("after fold %s", fold).doesNotContain(Order.class.getName());
            if (fold > 8 + ClassHistory.KLASS_POPULATION_RING_SIZE) {
                assertThat(world.tracker.hasCandidate()).as("after fold %s", fold).isFalse();
            }
        }
    }

    @Test
    void collections_between_two_folds_make_one_fold() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        leak(world, held, 4);
        world.tracker.maintain(world.nanos);
        world.epochs.advance(false);
        world.epochs.advance(false);
        world.epochs.advance(false);
        world.secondPasses();
        assertThat(world.tracker.status().folds()).isEqualTo(1);
        assertThat(world.tracker.status().foldedEpoch()).isEqualTo(3);
        assertThat(world.tracker.status().histories().get(0).distinctAges()).containsExactly(1);
        leak(world, held, 1);
        world.collect();
        assertThat(world.candidates().get(0).instances()).extracting(TrackedInstance::age).containsExactly(4, 4, 4, 4, 1);
    }

    @Test
    void folds_keep_a_second_between_them() {
        World world = new World();
        world.collect();
        world.epochs.advance(false);
        world.nanos += 999_999_999L;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().folds()).isEqualTo(1);
        world.nanos += 1;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().folds()).isEqualTo(2);
    }

    @Test
    void an_object_allocated_after_the_collection_has_not_survived_it() {
        World world = new World();
        world.epochs.advance(false);
        Held young = world.allocate(new Session(), 3);
        world.secondPasses();
        assertThat(young.object()).isNotNull();
        assertThat(world.tracker.status().rows()).isEqualTo(1);
        assertThat(world.tracker.status().histories()).isEmpty();
        assertThat(world.tracker.survival().get(0).survivors()).isZero();
    }

    @Test
    void only_enough_disproving_collections_after_admission_prove() {
        World world = new World(new LivenessSettings(1_000, 1.0, true, true, 0, 2));
        List<Held> held = new ArrayList<>();
        leak(world, held, 3);
        world.disprove();
        leak(world, held, 3);
        world.disprove();
        world.collect();
        assertThat(world.candidates().get(0).instances()).extracting(TrackedInstance::disproved)
                .containsExactly(true, true, true, false, false, false);
    }

    @Test
    void candidates_come_by_growth_and_at_most_five() {
        World world = new World(TREND_ONLY);
        List<Held> held = new ArrayList<>();
        List<Supplier<Object>> makers = List.of(Session::new, Order::new, Node::new, World.Buffer::new, World.Page::new, World.Ticket::new,
                World.Visit::new);
        for (int fold = 0; fold < 30; fold++) {
            for (int maker = 0; maker < makers.size(); maker++) {
                // The later a class stands in the list, the more of its epochs leave a survivor.
                if (fold % 14 < 2 * (maker + 1)) {
                    held.add(world.allocate(makers.get(maker).get(), maker));
                }
            }
            world.collect();
        }
        List<LeakCandidate> candidates = world.candidates();
        assertThat(candidates).hasSize(5);
        assertThat(candidates).extracting(candidate -> candidate.trend().growth()).isSortedAccordingTo((a, b) -> Double.compare(b, a));
        assertThat(candidates.get(0).className()).isEqualTo(World.Visit.class.getName());
        assertThat(world.tracker.selectCandidates(2)).extracting(LeakCandidate::id)
                .containsExactly(candidates.get(0).id(), candidates.get(1).id());
        assertThat(world.tracker.selectCandidates(0)).isEmpty();
    }

    @Test
    void several_sites_of_a_class_are_one_candidate_and_it_keeps_its_number() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            for (int i = 0; i < 4; i++) {
                held.add(world.allocate(new Session(), 1, 10));
                held.add(world.allocate(new Session(), 2, 20));
            }
            held.add(world.allocate(new Session(), 2, 30));
            world.collect();
        }
        List<LeakCandidate> candidates = world.candidates();
        assertThat(candidates).hasSize(1);
        assertThat(candidates.get(0).allocation()).extracting(AllocationEvidence::site)
                .containsExactly("com.acme.Login.login(Login.java:42)", "com.acme.Login.login(Login.java:41)");
        assertThat(candidates.get(0).allocation().get(0).threads()).containsExactly("http-20", "http-30");
        assertThat(candidates.get(0).allocation().get(0).tracked()).isEqualTo(15);
        long id = candidates.get(0).id();
        for (int fold = 0; fold < 20; fold++) {
            held.add(world.allocate(new Session(), 1, 10));
            world.collect();
            assertThat(world.candidates()).extracting(LeakCandidate::id).containsExactly(id);
        }
        assertThat(world.candidates().get(0).trend().evidence()).isEqualTo(Evidence.TREND);
    }

    @Test
    void a_muted_candidate_gives_up_its_place_for_eight_epochs() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        long id = suspectedByCohorts(world, held);
        world.tracker.mute(id, Long.MAX_VALUE);
        for (int epoch = 0; epoch < 7; epoch++) {
            world.collect();
            assertThat(world.candidates()).isEmpty();
            assertThat(world.tracker.hasCandidate()).isFalse();
            assertThat(world.tracker.known()).extracting(LeakCandidate::id).containsExactly(id);
        }
        world.collect();
        assertThat(world.candidates()).extracting(LeakCandidate::id).containsExactly(id);
    }

    @Test
    void a_disproving_collection_ends_the_mute_early() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        long id = suspectedByCohorts(world, held);
        world.tracker.mute(id, world.epochs.disprovingCollections() + 1);
        world.collect();
        assertThat(world.candidates()).isEmpty();
        world.disprove();
        assertThat(world.candidates()).extracting(LeakCandidate::id).containsExactly(id);
    }

    @Test
    void an_explained_candidate_rests_and_then_comes_behind_the_others() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        long explained = suspectedByCohorts(world, held);
        world.tracker.explained(explained);
        assertThat(world.candidates()).isEmpty();
        assertThat(world.tracker.known()).extracting(LeakCandidate::id).containsExactly(explained);
        for (int epoch = 0; epoch < 29; epoch++) {
            held.add(world.allocate(new Session(), 3));
            world.collect();
            assertThat(world.candidates()).isEmpty();
        }
        for (int i = 0; i < 3; i++) {
            held.add(world.allocate(new Node(), 5));
            held.add(world.allocate(new Node(), 5));
            world.collect();
        }
        assertThat(world.candidateClasses()).containsExactly(Node.class.getName(), Session.class.getName());
    }

    @Test
    void candidates_without_a_verdict_take_turns() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        List<Supplier<Object>> makers = List.of(Session::new, Order::new, Node::new, World.Buffer::new, World.Page::new, World.Ticket::new,
                World.Visit::new);
        java.util.Set<String> seen = new java.util.HashSet<>();
        for (int epoch = 0; epoch < 40; epoch++) {
            for (int maker = 0; maker < makers.size(); maker++) {
                held.add(world.allocate(makers.get(maker).get(), maker));
                held.add(world.allocate(makers.get(maker).get(), maker));
            }
            world.collect();
            seen.addAll(world.candidateClasses());
        }
        assertThat(seen).hasSize(7);
    }

    @Test
    void a_watched_object_is_suspect_once_it_outlived_two_collections() {
        World world = new World();
        Session session = new Session();
        world.tracker.watch(session, "requests");
        world.collect();
        assertThat(world.tracker.hasCandidate()).isFalse();
        world.collect();
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(candidate.trend().evidence()).isEqualTo(Evidence.WATCHED);
        assertThat(candidate.instances()).hasSize(1);
        assertThat(candidate.instances().get(0).siteId()).isEqualTo(AllocationSample.WATCHED);
        assertThat(candidate.instances().get(0).reference().refersTo(null)).isFalse();
        assertThat(candidate.allocation().get(0).site()).isEqualTo("watched as requests");
        assertThat(candidate.allocation().get(0).threads()).containsExactly(Thread.currentThread().getName());
        assertThat(candidate.allocation().get(0).stack().get(0)).contains("a_watched_object_is_suspect_once_it_outlived_two_collections");
        assertThat(session).isNotNull();
    }

    @Test
    void a_watched_object_is_suspect_after_one_collection_that_proves() {
        World world = new World();
        Session session = new Session();
        world.tracker.watch(session, null);
        world.tracker.watch(null, "nothing");
        world.disprove();
        assertThat(world.candidates()).hasSize(1);
        assertThat(world.candidates().get(0).instances().get(0).disproved()).isTrue();
        assertThat(world.candidates().get(0).allocation().get(0).site()).isEqualTo("watched");
        assertThat(session).isNotNull();
    }

    @Test
    void stacks_are_decoded_for_survivors_only_and_never_outlive_the_first_fold() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            held.add(world.allocate(new Session(), 3, 7, new Throwable()));
            world.allocate(new Order(), 4, 7, new Throwable()).die();
        }
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().undecodedStacks()).isEqualTo(4);
        world.collect();
        assertThat(world.tracker.status().undecodedStacks()).isZero();
        held.add(world.allocate(new Session(), 3));
        world.collect();
        assertThat(world.candidates().get(0).allocation().get(0).stack().get(0)).contains("stacks_are_decoded_for_survivors_only");
    }

    @Test
    void a_full_table_reaps_the_dead_without_taking_the_epoch() {
        World world = new World(new LivenessSettings(10, 1.0, true, true, 0, 1));
        List<Held> held = new ArrayList<>();
        leak(world, held, 10);
        world.tracker.maintain(world.nanos);
        world.epochs.advance(false);
        held.subList(0, 4).forEach(Held::die);
        leak(world, held, 1);
        // Not yet a second since the last fold: only the overflow may clean up.
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().folds()).isEqualTo(1);
        assertThat(world.tracker.status().foldedEpoch()).isEqualTo(1);
    }

    @Test
    void an_overflow_between_folds_leaves_the_epoch_to_the_next_fold() {
        World world = new World(new LivenessSettings(10, 1.0, true, true, 0, 1));
        world.collect();
        List<Held> held = new ArrayList<>();
        leak(world, held, 10);
        world.epochs.advance(false);
        world.tracker.maintain(world.nanos);
        held.subList(0, 4).forEach(Held::die);
        leak(world, held, 1);
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().folds()).isEqualTo(1);
        assertThat(world.tracker.status().rows()).isEqualTo(7);
        assertThat(world.counters.get(LivenessTracker.TABLE_FULL)).isZero();
        world.secondPasses();
        assertThat(world.tracker.status().folds()).isEqualTo(2);
        assertThat(world.tracker.survival().get(0).survivors()).as("the newcomer is younger than the collection").isEqualTo(6);
    }

    @Test
    void a_table_full_of_survivors_thins_itself_once_an_epoch_and_keeps_growing_in_age() {
        World world = new World(new LivenessSettings(64, 1.0, false, true, 0, 1));
        List<Held> held = new ArrayList<>();
        for (int epoch = 0; epoch < 30; epoch++) {
            leak(world, held, 8);
            world.collect();
        }
        assertThat(world.counters.get(LivenessTracker.ROWS_THINNED)).isPositive();
        assertThat(world.tracker.status().rows()).isLessThanOrEqualTo(64);
        assertThat(world.candidates()).as("the trend goes on").hasSize(1);
    }

    @Test
    void newcomers_are_refused_and_counted_while_the_table_is_full() {
        World world = new World(new LivenessSettings(10, 1.0, true, true, 0, 1));
        List<Held> held = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            leak(world, held, 1);
        }
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).isEqualTo(10);
        assertThat(world.counters.get(LivenessTracker.TABLE_FULL)).isPositive();
        assertThat(world.counters.get(LivenessTracker.TABLE_FULL) + world.counters.get(LivenessTracker.ROWS_THINNED)).isEqualTo(30);
    }

    @Test
    void a_full_queue_refuses_and_counts() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        leak(world, held, LivenessTracker.QUEUE_CAPACITY + 5);
        assertThat(world.counters.get(LivenessTracker.SAMPLES_DROPPED)).isEqualTo(5);
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).isEqualTo(LivenessTracker.QUEUE_CAPACITY);
        assertThat(world.tracker.sink().offer(null)).isFalse();
    }

    @Test
    void the_ratio_leaves_samples_out_and_their_weight_passes_on() {
        World world = new World(new LivenessSettings(100_000, 0.25, true, true, 0, 1));
        List<Held> held = new ArrayList<>();
        leak(world, held, 4_000);
        world.collect();
        assertThat(world.tracker.status().rows()).isBetween(850, 1_150);
        assertThat(world.counters.get(LivenessTracker.SAMPLES_SKIPPED)).isEqualTo(4_000L - world.tracker.status().rows());
        assertThat(world.tracker.survival().get(0).admitted()).isBetween(3_950L, 4_000L);
    }

    @Test
    void threads_of_candidates_pass_the_ratio_until_there_is_no_candidate() {
        World world = new World(TREND_ONLY.withRatio(0.5));
        List<Held> held = new ArrayList<>();
        for (int fold = 0; fold < 20; fold++) {
            leak(world, held, 12);
            world.collect();
        }
        assertThat(world.candidates()).hasSize(1);
        int before = world.tracker.status().rows();
        leak(world, held, 400);
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).as("all of the watched thread").isEqualTo(before + 400);
        for (int i = 0; i < 400; i++) {
            held.add(world.allocate(new Session(), 3, 8));
        }
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).as("half of another").isBetween(before + 530, before + 670);
        held.forEach(Held::die);
        world.collect();
        world.collect();
        assertThat(world.candidates()).isEmpty();
        leak(world, held, 400);
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).as("half again").isBetween(130, 270);
    }

    @Test
    void objects_given_to_watch_pass_any_ratio() {
        World world = new World(TREND_ONLY.withRatio(0));
        List<Held> held = new ArrayList<>();
        leak(world, held, 50);
        world.tracker.watch(held, "always");
        world.collect();
        assertThat(world.tracker.status().rows()).isEqualTo(1);
    }

    @Test
    void the_usage_projects_after_five_minutes_only() {
        World world = new World();
        for (int i = 0; i < 20; i++) {
            world.tracker.recordUsage(world.nanos, (500L + 10 * i) << 20);
            world.collect();
        }
        assertThat(world.tracker.secondsToExhaustion()).isEqualTo(-1);
        world.nanos += LivenessTracker.PROJECTION_BURN_IN_NANOS;
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.secondsToExhaustion()).isCloseTo((1024 - 690) / 10.0, within(1e-6));
        assertThat(world.tracker.status().floorBytes()).hasSize(20).startsWith(500L << 20);
    }

    @Test
    void without_a_signal_objects_are_followed_and_nothing_is_suspected() {
        World world = new World(new LivenessSettings(1_000, 1.0, true, false, 1L << 30, 1));
        List<Held> held = new ArrayList<>();
        for (int fold = 0; fold < 20; fold++) {
            leak(world, held, 3);
            world.collect();
        }
        assertThat(world.tracker.enabled()).isFalse();
        assertThat(world.tracker.hasCandidate()).isFalse();
        assertThat(world.candidates()).isEmpty();
        assertThat(world.tracker.survival().get(0).survivors()).isEqualTo(60);
    }

    @Test
    void an_unknown_site_is_counted() {
        World world = new World();
        world.allocate(new Session(), -7);
        world.allocate(new Session(), Sites.MAX_SITES);
        world.tracker.maintain(world.nanos);
        assertThat(world.counters.get(LivenessTracker.SAMPLES_WITHOUT_SITE)).isEqualTo(2);
        assertThat(world.tracker.status().rows()).isZero();
    }

    @Test
    void the_estimate_scales_the_sites_rate_by_the_share_that_survives() {
        World world = new World();
        world.sites.bytesPerSecond = 1_000;
        List<Held> held = new ArrayList<>();
        for (int second = 0; second < 10; second++) {
            leak(world, held, 4);
            for (int i = 0; i < 4; i++) {
                Held mortal = world.allocate(new Session(), 3);
                world.tracker.maintain(world.nanos);
                mortal.die();
            }
            world.collect();
        }
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(candidate.live().tracked()).isEqualTo(40);
        assertThat(candidate.live().estimatedBytes()).isEqualTo(5_000);
        assertThat(candidate.live().estimatedInstances()).isEqualTo(125);
        assertThat(candidate.live().bytesPerHour()).isEqualTo(1_800_000);
    }

    @Test
    void a_close_frees_everything_and_refuses_more() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        suspectedByCohorts(world, held);
        leak(world, held, 1);
        world.tracker.close();
        assertThat(world.tracker.status().rows()).isZero();
        assertThat(world.tracker.status().capacity()).isZero();
        assertThat(world.candidates()).isEmpty();
        assertThat(world.tracker.hasCandidate()).isFalse();
        assertThat(world.tracker.enabled()).isFalse();
        assertThat(world.tracker.sink().offer(new AllocationSample(new WeakReference<>(held), 3, 1, "t", null, 0, 0))).isFalse();
        world.tracker.watch(held, "late");
        world.tracker.maintain(world.nanos);
        assertThat(world.tracker.status().rows()).isZero();
        assertThat(world.tracker.survival()).isEmpty();
    }

    @Test
    void neither_objects_nor_classes_nor_loaders_are_kept_alive() throws Exception {
        World world = new World();
        List<WeakReference<?>> gone = new ArrayList<>();
        List<Object> alive = new ArrayList<>();
        for (int epoch = 0; epoch < 3; epoch++) {
            for (int i = 0; i < 3; i++) {
                alive.add(newForeign(world, gone));
            }
            world.collect();
        }
        assertThat(world.candidates()).isNotEmpty();
        world.tracker.known();
        alive.clear();
        long limit = System.nanoTime() + 20_000_000_000L;
        while (gone.stream().anyMatch(reference -> !reference.refersTo(null))) {
            assertThat(System.nanoTime()).as("unloaded within the limit").isLessThan(limit);
            System.gc();
        }
        world.collect();
        assertThat(world.tracker.status().rows()).isZero();
    }

    private static Object newForeign(World world, List<WeakReference<?>> gone) throws Exception {
        byte[] code;
        try (java.io.InputStream in = Session.class.getResourceAsStream("World$Session.class")) {
            code = in.readAllBytes();
        }
        ClassLoader loader = new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (!name.equals(Session.class.getName())) {
                    throw new ClassNotFoundException(name);
                }
                return defineClass(name, code, 0, code.length);
            }
        };
        Class<?> type = Class.forName(Session.class.getName(), true, loader);
        java.lang.reflect.Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object object = constructor.newInstance();
        for (int i = 0; i < 2; i++) {
            world.allocate(object, 3, 7, new Throwable());
            world.tracker.maintain(world.nanos);
        }
        world.epochs.advance(false);
        world.allocate(object, 3, 7, new Throwable());
        world.allocate(object, 3, 7, new Throwable());
        gone.add(new WeakReference<>(object));
        gone.add(new WeakReference<>(type));
        gone.add(new WeakReference<>(loader));
        return object;
    }

    private static long suspectedByCohorts(World world, List<Held> held) {
        for (int epoch = 0; epoch < 3; epoch++) {
            leak(world, held, 3);
            world.collect();
        }
        return world.candidates().get(0).id();
    }

    private static void leak(World world, List<Held> held, int count) {
        for (int i = 0; i < count; i++) {
            held.add(world.allocate(new Session(), 3));
        }
    }
}
