package io.holdfast.liveness;

import static io.holdfast.liveness.World.leak;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.LeakCandidate;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many instances and bytes are alive, and how well that is known. */
class EstimateTest {
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
}
