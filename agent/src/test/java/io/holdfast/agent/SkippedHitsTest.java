package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Which of a site's hits become samples, on a virtual clock. A token comes at a random moment, as {@code TokenRefill} grants them. */
class SkippedHitsTest {
    private static final long MILLISECOND = 1_000_000L;
    private static final int SAMPLES = 20_000;

    private final SplittableRandom random = new SplittableRandom(3);

    /**
     * How often each place of a burst became the sample.
     *
     * @param gapNanos from the end of one burst to the start of the next; within a burst 100 ns lie between two hits
     */
    private int[] places(SkippedHits skipped, int burst, long gapNanos) {
        int[] sampled = new int[burst];
        long now = 0;
        for (int taken = 0; taken < SAMPLES; taken++) {
            // Nobody allocates while nothing happens: a moment at random is before a burst's first hit.
            now += random.nextLong(20 * MILLISECOND);
            boolean open = true;
            while (open) {
                now += gapNanos;
                for (int place = 0; place < burst && open; place++) {
                    now += 100;
                    open = skipped.passes(0, now);
                    if (!open) {
                        sampled[place]++;
                    }
                }
            }
        }
        return sampled;
    }

    @Property(tries = 40)
    void every_place_of_a_burst_is_looked_at(@ForAll @IntRange(min = 2, max = 24) int burst, @ForAll @IntRange(min = 1, max = 200) int gapMillis) {
        int[] sampled = places(new SkippedHits(1, new SplittableRandom(11)), burst, gapMillis * MILLISECOND);
        for (int place = 0; place < burst; place++) {
            assertThat(sampled[place]).as("place %d of %d", place, burst).isGreaterThan(SAMPLES / burst / 5);
        }
    }

    @Test
    void withoutSkippingOnlyTheFirstOfABurstIsEverSampled() {
        assertThat(places(SkippedHits.none(1), 4, MILLISECOND)).containsExactly(SAMPLES, 0, 0, 0);
    }

    @Property(tries = 40)
    void a_site_that_allocates_seldom_loses_at_most_one_hit(@ForAll @IntRange(min = 51, max = 2_000) int gapMillis) {
        SkippedHits skipped = new SkippedHits(1, new SplittableRandom(gapMillis));
        int passed = 0;
        for (long hit = 1; hit <= 1_000; hit++) {
            boolean passes = skipped.passes(0, hit * gapMillis * MILLISECOND);
            passed = passes ? passed + 1 : 0;
            assertThat(passed).isLessThanOrEqualTo(1);
        }
    }

    @Test
    void noMoreHitsPassThanSaid() {
        SkippedHits skipped = new SkippedHits(1, new SplittableRandom(5));
        int passed = 0;
        int longest = 0;
        for (int hit = 0; hit < 1_000_000; hit++) {
            passed = skipped.passes(0, 1) ? passed + 1 : 0;
            longest = Math.max(longest, passed);
        }
        assertThat(longest).isEqualTo(SkippedHits.MOST);
    }

    @Test
    void sitesDoNotDisturbEachOther() {
        SkippedHits together = new SkippedHits(2, new SplittableRandom(5));
        SkippedHits alone = new SkippedHits(2, new SplittableRandom(5));
        for (int hit = 0; hit < 10_000; hit++) {
            together.passes(1, hit);
            assertThat(together.passes(0, hit)).isEqualTo(alone.passes(0, hit));
        }
    }
}
