package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.liveness.World.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** A leak that is a thousandth of the allocated bytes is a candidate as soon as one that is half of them, once its site is known. */
class TokenLaneTest {
    private static final int HALF = 0;
    private static final int THOUSANDTH = 1;
    /** Sites of objects that die. */
    private static final int HEALTHY = 30;
    private static final int STEPS_PER_SECOND = 10;

    @Property(tries = 20)
    void on_a_virtual_clock_both_are_candidates_after_the_same_fold(@ForAll @IntRange(min = 2, max = 6) int secondsPerEpoch,
                                                                   @ForAll boolean earlyRule) {
        Program program = new Program(earlyRule ? new LivenessSettings(100_000, 1, true, true, 1L << 30, 1) : World.TREND_ONLY);
        // 64 bytes each: half of 1.28 MB a second against a thousandth of it.
        long[] folds = program.run(10_000, 20, secondsPerEpoch, 30);
        assertThat(folds[HALF]).isPositive();
        assertThat(folds[THOUSANDTH]).isPositive().isLessThanOrEqualTo(folds[HALF] + 1);
    }

    @Property(tries = 20)
    void a_site_gets_its_samples_whatever_it_allocates(@ForAll @IntRange(min = 10, max = 5_000) int perSecond) {
        Program program = new Program(World.TREND_ONLY);
        program.run(10_000, perSecond, 4, 10);
        assertThat(program.taken[THOUSANDTH]).isBetween(program.taken[HALF] / 3, program.taken[HALF] * 3);
    }

    @Test
    void in_a_jvm_of_its_own_both_are_candidates_before_three_more_folds() throws Exception {
        String printed = ForkedJvm.run(TokenLaneMain.class, List.of("-Xmn16m"));
        System.out.print(printed);
        assertThat(printed).contains("both");
    }

    private static final class Program {
        private final World world;
        private final List<Held> leaked = new ArrayList<>();
        private final long[] taken = new long[HEALTHY + 2];

        Program(LivenessSettings settings) {
            world = new World(settings);
        }

        /** Folds after which the leak at each of the first two sites was a candidate, 0 = never. */
        long[] run(int halfPerSecond, int smallPerSecond, int secondsPerEpoch, int epochs) {
            long[] folds = new long[2];
            for (int epoch = 0; epoch < epochs && (folds[HALF] == 0 || folds[THOUSANDTH] == 0); epoch++) {
                List<Held> mortal = new ArrayList<>();
                for (int step = 0; step < secondsPerEpoch * STEPS_PER_SECOND; step++) {
                    world.nanos += 1_000_000_000L / STEPS_PER_SECOND;
                    allocate(HALF, halfPerSecond, step, World.Session::new, leaked);
                    allocate(THOUSANDTH, smallPerSecond, step, World.Order::new, leaked);
                    for (int site = 2; site < HEALTHY + 2; site++) {
                        allocate(site, halfPerSecond / HEALTHY, step, World.Buffer::new, mortal);
                    }
                    world.tracker.maintain(world.nanos);
                }
                mortal.forEach(Held::die);
                world.epochs.advance(false);
                world.tracker.maintain(world.nanos);
                List<String> candidates = world.candidateClasses();
                long fold = world.tracker.status().folds();
                folds[HALF] = folds[HALF] == 0 && candidates.contains(World.Session.class.getName()) ? fold : folds[HALF];
                folds[THOUSANDTH] = folds[THOUSANDTH] == 0 && candidates.contains(World.Order.class.getName()) ? fold : folds[THOUSANDTH];
            }
            return folds;
        }

        /** The hook: as long as the site has tokens, an allocation is a sample. */
        private void allocate(int site, int perSecond, int step, Supplier<Object> type, List<Held> into) {
            int allocations = perSecond * (step + 1) / STEPS_PER_SECOND - perSecond * step / STEPS_PER_SECOND;
            int samples = Math.min(allocations, world.sites.granted.getOrDefault(site, 0));
            world.sites.granted.merge(site, -samples, Integer::sum);
            taken[site] += samples;
            for (int i = 0; i < samples; i++) {
                into.add(world.allocate(type.get(), site));
            }
        }
    }
}
