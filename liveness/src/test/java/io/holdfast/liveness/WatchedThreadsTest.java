package io.holdfast.liveness;

import static io.holdfast.liveness.World.TREND_ONLY;
import static io.holdfast.liveness.World.leak;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Section 7 of the specification: watched threads. The boost has its test in {@link AdmissionBoostTest}. */
class WatchedThreadsTest {
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
}
