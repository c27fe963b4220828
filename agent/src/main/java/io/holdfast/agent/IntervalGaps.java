package io.holdfast.agent;

import java.util.random.RandomGenerator;

/**
 * Distances between samples: exponentially distributed bytes, so that no rhythm of the program can hide from them, and so that what is left of a distance is
 * distributed as a new one (a stripe may be drawn again at any time without favour). One state per stripe; threads of one stripe may race, which
 * repeats or skips numbers and nothing else.
 */
final class IntervalGaps {
    /** Bytes that no countdown uses up. */
    static final long NEVER = Long.MAX_VALUE / 2;
    /** Each allocation. */
    static final long EVERY = -1;
    private static final double TO_UNIT = 0x1.0p-53;

    private final RandomStates random;

    IntervalGaps(int stripes, RandomGenerator seeds) {
        random = new RandomStates(stripes << HookBytecode.STRIPE_SHIFT, seeds);
    }

    /** @param meanBytes 0 = every allocation */
    long next(int slot, long meanBytes) {
        return meanBytes <= 0 ? EVERY : (long) Math.min(NEVER, -Math.log(unit(slot)) * meanBytes);
    }

    /** Whether an object of that size would have ended a distance that began just before it. */
    boolean chance(int slot, long sizeBytes, long meanBytes) {
        return meanBytes <= 0 || unit(slot) < -Math.expm1(-(double) sizeBytes / meanBytes);
    }

    /** Over 0 and at most 1. */
    private double unit(int slot) {
        return ((random.next(slot) >>> 11) + 1) * TO_UNIT;
    }
}
