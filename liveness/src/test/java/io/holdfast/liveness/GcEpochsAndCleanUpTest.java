package io.holdfast.liveness;

import static io.holdfast.liveness.World.leak;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.TrackedInstance;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Order;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 3 of the specification: epochs, ages, folds. */
class GcEpochsAndCleanUpTest {
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
}
