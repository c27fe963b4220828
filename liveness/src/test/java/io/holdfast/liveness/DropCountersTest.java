package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 10 of the specification: everything that is left out is counted. What the table and the queue drop is tested in {@link AdmissionTest}. */
class DropCountersTest {
    private final World world = new World();
    private final List<Held> held = new ArrayList<>();

    @Test
    void thread_trends_that_make_way_for_others() {
        for (int thread = 1; thread <= 10; thread++) {
            held.add(world.allocate(new Session(), 3, thread));
        }
        world.collect();
        assertThat(world.counters.get(ClassHistories.THREAD_TRENDS_EVICTED)).isEqualTo(10 - ClassHistory.MAX_TID_TRENDS);
        assertThat(world.counters.get(ClassHistories.THREADS_IGNORED)).isZero();
    }

    @Test
    void survivors_of_threads_beyond_the_scratch() {
        for (int thread = 1; thread <= ClassFold.MAX_THREADS + 3; thread++) {
            held.add(world.allocate(new Session(), 3, thread));
            held.add(world.allocate(new Session(), 3, thread));
        }
        world.collect();
        assertThat(world.counters.get(ClassHistories.THREADS_IGNORED)).isEqualTo(6);
    }

    @Test
    void labels_beyond_those_told_apart() {
        for (int label = 0; label < Sites.MAX_LABELS + 5; label++) {
            Object object = new Object();
            held.add(new Held(object, null));
            world.tracker.watch(object, "label " + label);
        }
        world.secondPasses();
        assertThat(world.counters.get(Sites.LABELS_MERGED)).isEqualTo(5);
    }

    @Test
    void watched_threads_beyond_eight() {
        World trend = new World(World.TREND_ONLY);
        for (int epoch = 0; epoch < 16; epoch++) {
            for (int thread = 1; thread <= 8; thread++) {
                held.add(trend.allocate(new Session(), 3, thread));
                held.add(trend.allocate(new World.Order(), 4, 100 + thread));
            }
            trend.collect();
        }
        assertThat(trend.candidates()).hasSize(2);
        trend.secondPasses();
        assertThat(trend.tracker.status().watchedThreads()).isEqualTo(LivenessTracker.MAX_QUALIFYING_TIDS);
        assertThat(trend.counters.get(LivenessTracker.WATCHED_THREADS_DROPPED)).isEqualTo(8);
    }
}
