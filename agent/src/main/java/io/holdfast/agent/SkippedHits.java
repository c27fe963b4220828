package io.holdfast.agent;

import java.util.random.RandomGenerator;

/**
 * Which hit of a site becomes the sample, once the site has a token. Not simply the next one: programs allocate in bursts, a request or a batch at a time, and
 * the next allocation after a random moment is nearly always a burst's first, so that what the same site makes later in a burst would never be looked at. So a
 * random number of hits passes before each sample, 0 to {@value #MOST}, each magnitude as often as the other. Where the burst ends before ({@value #LONGEST_NANOS} ns after the
 * first that passed), as many of the next pass as one of its own places says; a site that allocates a few times a second loses at most one.
 *
 * <p>Called on application threads in the middle of any code: a few array accesses, no lock. Threads that race on one site may let one more or one less pass.
 */
final class SkippedHits {
    static final int MOST = 62;
    static final long LONGEST_NANOS = 50_000_000L;
    private static final int MAGNITUDES = 6;

    private final int magnitudes;
    private final int[] left;
    private final long[] since;
    private final int[] passed;
    private final RandomStates random;

    SkippedHits(int sites, RandomGenerator seeds) {
        this(sites, seeds, MAGNITUDES);
    }

    private SkippedHits(int sites, RandomGenerator seeds, int magnitudes) {
        this.magnitudes = magnitudes;
        left = new int[sites];
        since = new long[sites];
        passed = new int[sites];
        random = new RandomStates(sites, seeds);
        for (int site = 0; site < sites; site++) {
            left[site] = draw(site);
        }
    }

    /** No hit passes: the first after a grant becomes the sample. */
    static SkippedHits none(int sites) {
        return new SkippedHits(sites, () -> 0, 1);
    }

    /** Whether this hit passes. */
    boolean passes(int site, long nowNanos) {
        int remaining = left[site];
        int before = passed[site];
        if (remaining > 0 && before > 0 && nowNanos - since[site] > LONGEST_NANOS) {
            // That burst was shorter. In this one, any of the places it had.
            remaining = (int) (bits(site) % before);
            before = 0;
        }
        if (remaining > 0) {
            if (before == 0) {
                since[site] = nowNanos;
            }
            left[site] = remaining - 1;
            passed[site] = before + 1;
            return true;
        }
        left[site] = draw(site);
        passed[site] = 0;
        return false;
    }

    private long bits(int site) {
        return random.next(site) >>> 16;
    }

    private int draw(int site) {
        long bits = bits(site);
        int least = (1 << bits % magnitudes) - 1;
        return least + (int) (bits >>> 16 & least);
    }
}
