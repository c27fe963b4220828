package io.holdfast.liveness;

import static io.holdfast.liveness.World.leak;
import static io.holdfast.liveness.World.suspectedByCohorts;
import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
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

    @Test
    void without_a_rate_what_is_tracked_is_a_lower_bound_of_unknown_error() {
        World world = new World();
        List<Held> held = new ArrayList<>();
        suspectedByCohorts(world, held);
        assertThat(world.candidates().get(0).live().estimatedInstances()).isEqualTo(held.size());
        assertThat(world.candidates().get(0).live().relativeError()).isNaN();
    }

    /** A site of which a part leaks, its rate known to a tenth: as many estimates as should lie within one and two stated errors of the truth. */
    @Test
    void the_stated_error_is_the_error_seen() {
        Random random = new Random(5);
        int trials = 0;
        int withinOne = 0;
        int withinTwo = 0;
        for (int trial = 0; trial < 200; trial++) {
            World world = new World();
            double truth = 1_000;
            double leaking = 0.8;
            world.sites.bytesPerSecond = truth * (1 + 0.1 * random.nextGaussian());
            world.sites.relativeErrorOfRate = 0.1;
            List<Held> held = new ArrayList<>();
            for (int second = 0; second < 8; second++) {
                for (int i = 0; i < 5; i++) {
                    Held one = world.allocate(new Session(), 3);
                    if (random.nextDouble() < leaking) {
                        held.add(one);
                    } else {
                        world.tracker.maintain(world.nanos);
                        one.die();
                    }
                }
                world.collect();
            }
            if (!world.tracker.hasCandidate()) {
                continue; // By chance so many died that nothing is suspected.
            }
            trials++;
            LiveEstimate live = world.candidates().get(0).live();
            double off = Math.abs(live.bytesPerHour() / 3_600.0 - truth * leaking) / live.bytesPerHour() * 3_600.0;
            withinOne += off <= live.relativeError() ? 1 : 0;
            withinTwo += off <= 2 * live.relativeError() ? 1 : 0;
        }
        assertThat(trials).isGreaterThan(150);
        assertThat(withinOne / (double) trials).isBetween(0.55, 0.85);
        assertThat(withinTwo / (double) trials).isGreaterThan(0.88);
    }
}
