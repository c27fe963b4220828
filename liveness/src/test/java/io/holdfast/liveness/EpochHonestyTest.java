package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.holdfast.core.LeakCandidate;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What survival proves: nothing, until a collection has passed that could have cleared the reference. */
class EpochHonestyTest {
    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseSerialGC -Xmn8m", "-XX:+UseParallelGC -Xmn8m", "-XX:+UseG1GC -Xmn8m", "-XX:+UseZGC", "-XX:+UseShenandoahGC",
        "-XX:+UseShenandoahGC -XX:+UnlockExperimentalVMOptions -XX:ShenandoahGCMode=generational"})
    void objects_that_died_old_are_never_confirmed_and_objects_that_live_are(String flags) throws Exception {
        List<String> jvm = Stream.of(flags.split(" ")).toList();
        assumeTrue(ForkedJvm.understands(jvm), "this JDK has no such collector");
        boolean oneGeneration = flags.equals("-XX:+UseShenandoahGC") || flags.equals("-XX:+UseZGC") && Runtime.version().feature() < 24;
        String printed = ForkedJvm.run(PromotedThenDroppedMain.class, jvm, oneGeneration ? "single" : "generational");
        System.out.print(printed);
        if (flags.contains("-Xmn")) {
            assertThat(printed).as("otherwise this proves nothing").contains("dead classes were suspected");
        }
    }

    @Test
    void a_suspicion_is_provisional_until_two_cohorts_have_outlived_collections_that_prove_and_rejected_while_muted() {
        World world = new World();
        List<World.Held> held = new ArrayList<>();
        for (int epoch = 0; epoch < 4; epoch++) {
            for (int i = 0; i < 4; i++) {
                held.add(world.allocate(new World.Session(), 3));
            }
            world.collect();
        }
        LeakCandidate candidate = world.candidates().get(0);
        assertThat(world.tracker.standing(candidate.id())).contains(Standing.PROVISIONAL);
        world.tracker.mute(candidate.id(), world.epochs.disprovingCollections() + 1);
        assertThat(world.tracker.standing(candidate.id())).contains(Standing.REJECTED);
        world.disprove();
        assertThat(world.candidateClasses()).isNotEmpty();
        assertThat(world.tracker.standing(candidate.id())).contains(Standing.CONFIRMED);
        assertThat(world.tracker.standing(candidate.id() + 1)).isEmpty();
        assertThat(held).hasSize(16);
    }

    @Test
    void one_proven_cohort_alone_confirms_nothing() {
        World world = new World();
        List<World.Held> held = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            held.add(world.allocate(new World.Session(), 3));
        }
        world.disprove();
        world.disprove();
        for (int i = 0; i < 8; i++) {
            held.add(world.allocate(new World.Session(), 3));
        }
        world.collect();
        world.collect();
        long id = world.candidates().get(0).id();
        assertThat(world.tracker.standing(id)).contains(Standing.PROVISIONAL);
        assertThat(held).hasSize(16);
    }

    @Test
    void where_whatever_is_young_survives_a_cycle_one_survival_accuses_nobody() {
        for (boolean tells : new boolean[] {true, false}) {
            World world = new World(new LivenessSettings(100_000, 1, true, true, 1L << 30, 2).withYoungSurvivalTells(tells));
            List<World.Held> held = new ArrayList<>();
            world.disprove();
            for (int i = 0; i < 8; i++) {
                held.add(world.allocate(new World.Session(), 3));
            }
            world.disprove();
            for (int i = 0; i < 8; i++) {
                held.add(world.allocate(new World.Session(), 3));
            }
            world.secondPasses();
            world.secondPasses();
            world.secondPasses();
            assertThat(world.tracker.hasCandidate()).as("after one").isEqualTo(tells);
            world.disprove();
            world.secondPasses();
            assertThat(world.tracker.hasCandidate()).as("after two").isTrue();
            assertThat(held).hasSize(16);
        }
    }

    @Test
    void to_warm_up_follows_nothing() {
        World world = new World();
        world.tracker.warmUp();
        world.disprove();
        world.disprove();
        world.disprove();
        assertThat(world.tracker.status().rows()).isZero();
        assertThat(world.tracker.hasCandidate()).isFalse();
        assertThat(world.counters.snapshot().values()).as("nor counts anything").containsOnly(0L);
    }

    @Test
    void where_dead_objects_wait_for_a_major_cycle_few_rows_do() {
        LivenessSettings settings = new LivenessSettings(100_000, 1, true, true, 1L << 30, 2).withMaxYoungRows(100);
        World world = new World(settings);
        List<World.Held> held = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            held.add(world.allocate(new World.Session(), i % 10));
        }
        world.secondPasses();
        assertThat(world.tracker.status().rows()).as("in all").isEqualTo(100);
        assertThat(world.counters.get(LivenessTracker.YOUNG_REFUSED)).isEqualTo(900);
        world.disprove();
        for (int i = 0; i < 50; i++) {
            held.add(world.allocate(new World.Session(), 3));
        }
        world.secondPasses();
        assertThat(world.tracker.status().rows()).as("of one site").isEqualTo(100 + LivenessTracker.MAX_YOUNG_ROWS_PER_SITE);
        world.sites.granted.clear();
        for (int second = 0; second < 10; second++) {
            world.secondPasses();
        }
        assertThat(world.sites.granted).as("what would be refused is not asked for").doesNotContainKey(3).containsKey(4);
        assertThat(held).hasSize(1_050);
    }

    @Test
    void where_dead_objects_wait_for_a_major_cycle_their_arrays_take_one_percent_of_the_heap() {
        LivenessSettings settings = new LivenessSettings(100_000, 1, true, true, 100 << 20, 2).withMaxYoungRows(100);
        World world = new World(settings, object -> 300 << 10);
        List<World.Held> held = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            held.add(world.allocate(new World.Buffer(), i));
        }
        world.secondPasses();
        assertThat(world.tracker.status().rows()).isEqualTo(3);
        assertThat(held).hasSize(10);
    }
}
