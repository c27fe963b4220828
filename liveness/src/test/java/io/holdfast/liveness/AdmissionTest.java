package io.holdfast.liveness;

import static io.holdfast.liveness.World.TREND_ONLY;
import static io.holdfast.liveness.World.leak;
import static io.holdfast.liveness.World.suspectedByCohorts;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationSample;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 2 of the specification: what comes into the table, and what happens when it is full. */
class AdmissionTest {
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
    void the_interval_lane_has_a_ratio_of_its_own() {
        World world = new World();
        var quarter = world.tracker.intervalSink(0.25);
        List<Held> held = new ArrayList<>();
        leak(world, held, 100);
        for (int i = 0; i < 4_000; i++) {
            Object object = new Session();
            var reference = new java.lang.ref.WeakReference<>(object);
            held.add(new Held(object, reference));
            quarter.offer(new io.holdfast.core.AllocationSample(reference, 1, 1, "http-1", null, world.nanos, world.epochs.epoch()));
        }
        world.collect();
        assertThat(world.tracker.status().rows()).isBetween(950, 1_250);
        assertThat(world.counters.get(LivenessTracker.SAMPLES_SKIPPED)).isEqualTo(4_100L - world.tracker.status().rows());
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
    void an_unknown_site_is_counted() {
        World world = new World();
        world.allocate(new Session(), -7);
        world.allocate(new Session(), Sites.MAX_SITES);
        world.tracker.maintain(world.nanos);
        assertThat(world.counters.get(LivenessTracker.SAMPLES_WITHOUT_SITE)).isEqualTo(2);
        assertThat(world.tracker.status().rows()).isZero();
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
        long limit = System.nanoTime() + 300_000_000_000L;
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
}
