package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
import io.holdfast.liveness.World.Session;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/**
 * Populations that come to rest or go up and down. What fills up looks like a leak to any rule while it fills (the walk and the growth of the place decide then);
 * what is asked here is that nothing is suspected of the documented trend once the window has seen it at rest, and that nothing that goes to
 * zero again and again within a window is suspected ever.
 */
class PopulationShapesTest {
    private static final int WINDOW = ClassHistory.KLASS_POPULATION_RING_SIZE;
    private static final int PER_EPOCH = 4;

    @Property(tries = 40)
    void a_step_a_plateau_and_a_warm_up_are_not_suspected_once_the_window_is_past_them(@ForAll @IntRange(min = 1, max = 20) int warmUp) {
        World world = new World(World.TREND_ONLY);
        Deque<Held> held = new ArrayDeque<>();
        for (int epoch = 0; epoch < warmUp + 3 * WINDOW; epoch++) {
            epoch(world, held, epoch < warmUp ? PER_EPOCH : 0, 0);
            if (epoch >= warmUp + WINDOW) {
                assertThat(world.candidateClasses()).as("epoch %d", epoch).isEmpty();
            }
        }
    }

    @Property(tries = 40)
    void a_cache_that_forgets_its_oldest_is_not_suspected_once_it_has_been_full_for_a_window(@ForAll @IntRange(min = 1, max = 20) int lifetime) {
        World world = new World(World.TREND_ONLY);
        Deque<Held> held = new ArrayDeque<>();
        for (int epoch = 0; epoch < lifetime + 3 * WINDOW; epoch++) {
            epoch(world, held, PER_EPOCH, epoch >= lifetime ? PER_EPOCH : 0);
            if (epoch >= lifetime + WINDOW) {
                assertThat(world.candidateClasses()).as("epoch %d", epoch).isEmpty();
            }
        }
    }

    @Property(tries = 40)
    void what_is_flushed_every_few_epochs_is_never_suspected(@ForAll @IntRange(min = 2, max = 5) int period) {
        sawTooth(period, epoch -> PER_EPOCH);
    }

    @Property(tries = 40)
    void what_comes_in_bursts_and_goes_is_never_suspected(@ForAll @IntRange(min = 2, max = 5) int period, @ForAll @IntRange(min = 1, max = 20) int burst) {
        sawTooth(period, epoch -> epoch % period == 0 ? burst : 1);
    }

    private static void sawTooth(int period, IntUnaryOperator arrivals) {
        World world = new World(World.TREND_ONLY);
        Deque<Held> held = new ArrayDeque<>();
        for (int epoch = 0; epoch < 3 * WINDOW; epoch++) {
            epoch(world, held, arrivals.applyAsInt(epoch), epoch % period == 0 ? held.size() : 0);
            assertThat(world.candidateClasses()).as("epoch %d", epoch).isEmpty();
        }
    }

    private static void epoch(World world, Deque<Held> held, int arrivals, int departures) {
        for (int i = 0; i < departures; i++) {
            held.removeFirst().die();
        }
        for (int i = 0; i < arrivals; i++) {
            held.addLast(world.allocate(new Session(), 3));
        }
        world.collect();
    }
}
