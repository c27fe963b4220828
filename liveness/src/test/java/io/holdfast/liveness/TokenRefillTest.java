package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AllocationSite;
import io.holdfast.core.SiteCatalogue;
import java.util.Random;
import java.util.function.IntPredicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Scale;
import org.junit.jupiter.api.Test;

class TokenRefillTest {
    private static final long SECOND = 1_000_000_000L;

    private final TokenRefill refill = new TokenRefill(new Random(3));
    private long[] granted;

    @Test
    void each_site_gets_about_eight_tokens_an_epoch() {
        run(10, site -> true, 4, 400, 1, 0, 0);
        for (long tokens : granted) {
            assertThat(tokens / 100.0).as("tokens per epoch of four seconds").isBetween(6.5, 9.5);
        }
        assertThat(refill.epochSeconds()).isBetween(3.9, 4.1);
    }

    @Test
    void the_number_does_not_depend_on_how_often_it_is_called() {
        run(10, site -> true, 4, 400, 10, 0, 0);
        for (long tokens : granted) {
            assertThat(tokens / 100.0).isBetween(6.5, 9.5);
        }
    }

    @Test
    void without_collections_there_is_still_a_token_every_two_seconds() {
        run(10, site -> true, 1_000_000, 2_000, 1, 0, 0);
        for (long tokens : granted) {
            assertThat(tokens).isBetween(850L, 1_250L);
        }
    }

    @Test
    void survivors_earn_more_and_sites_whose_objects_die_fewer() {
        double fresh = TokenRefill.perSecond(4, 0, 0, 1);
        assertThat(TokenRefill.perSecond(4, 15, 0, 1)).isEqualTo(fresh);
        assertThat(TokenRefill.perSecond(4, 16, 0, 1)).isEqualTo(fresh / 4);
        assertThat(TokenRefill.perSecond(4, 64, 0, 1)).as("finally none").isZero();
        assertThat(TokenRefill.perSecond(4, 16, 1, 1)).isEqualTo(fresh * 2);
        assertThat(TokenRefill.perSecond(4, 1_000, 1, 1)).as("one survivor is enough").isEqualTo(fresh * 2);
        assertThat(TokenRefill.perSecond(4, 16, 0, 2)).as("two users, twice the samples").isEqualTo(fresh * 2);
        assertThat(TokenRefill.perSecond(4, 16, 1, 2)).isEqualTo(fresh * 4);
    }

    @Property
    void a_site_gets_at_most_sixteen_a_second_and_nothing_only_when_all_of_many_died(
            @ForAll @Scale(3) @DoubleRange(min = 0.001, max = 1e6) double epochSeconds, @ForAll @IntRange(max = 400) int judged,
            @ForAll @IntRange(max = 10) int survivors, @ForAll @IntRange(min = 1, max = 33) int contexts) {
        double rate = TokenRefill.perSecond(epochSeconds, judged, survivors, contexts);
        if (survivors == 0 && judged >= 64 * Math.min(4, contexts)) {
            assertThat(rate).isZero();
        } else {
            assertThat(rate).isBetween(0.125, 16.0);
        }
    }

    @Property(tries = 50)
    void all_sites_together_stay_within_two_hundred_a_second(@ForAll @IntRange(min = 1, max = 3_000) int sites,
                                                             @ForAll @IntRange(min = 1, max = 20) int callsPerSecond) {
        TokenRefill fresh = new TokenRefill(new Random(sites));
        long[] tokens = {0};
        SiteCatalogue catalogue = catalogue(sites, site -> true, (site, count) -> tokens[0] += count);
        long epoch = 0;
        for (int call = 0; call < 30 * callsPerSecond; call++) {
            fresh.refill(call * SECOND / callsPerSecond, epoch++, catalogue, outlook(1, 1));
        }
        assertThat(tokens[0]).isLessThanOrEqualTo(200 * 30 + 200);
    }

    @Test
    void retired_sites_get_nothing() {
        run(10, site -> site % 2 == 0, 1, 100, 1, 0, 0);
        assertThat(granted[1] + granted[3] + granted[5] + granted[7] + granted[9]).isZero();
        assertThat(granted[0]).isPositive();
    }

    @Test
    void no_site_at_all_is_no_trouble() {
        run(0, site -> true, 1, 10, 1, 0, 0);
        assertThat(granted).isEmpty();
    }

    private void run(int sites, IntPredicate active, int secondsPerEpoch, int seconds, int callsPerSecond, long judged, int survivors) {
        granted = new long[sites];
        SiteCatalogue catalogue = catalogue(sites, active, (site, tokens) -> granted[site] += tokens);
        for (int call = 0; call < seconds * callsPerSecond; call++) {
            long nanos = call * SECOND / callsPerSecond;
            refill.refill(nanos, nanos / SECOND / secondsPerEpoch, catalogue, outlook(judged, survivors));
        }
    }

    private static TokenRefill.Outlook outlook(long judged, int survivors) {
        return new TokenRefill.Outlook() {
            @Override
            public long judged(int siteId) {
                return judged;
            }

            @Override
            public int survivors(int siteId) {
                return survivors;
            }

            @Override
            public int contexts(int siteId) {
                return 1;
            }

            @Override
            public boolean refuses(int siteId) {
                return false;
            }
        };
    }

    private interface Grants {
        void grant(int site, int tokens);
    }

    private static SiteCatalogue catalogue(int sites, IntPredicate active, Grants grants) {
        return new SiteCatalogue() {
            @Override
            public AllocationSite site(int siteId) {
                throw new UnsupportedOperationException();
            }

            @Override
            public int siteCount() {
                return sites;
            }

            @Override
            public boolean active(int siteId) {
                return active.test(siteId);
            }

            @Override
            public void grant(int siteId, int tokens) {
                grants.grant(siteId, tokens);
            }

            @Override
            public double bytesPerSecond(int siteId) {
                return 0;
            }
        };
    }
}
