package io.holdfast.agent;

import java.util.random.RandomGenerator;

/**
 * Random numbers for application threads in the middle of a hook: many small generators (xorshift64*, Vigna 2016) in one array. No lock, no class is loaded;
 * threads that race on one of them repeat or skip numbers and nothing else.
 */
final class RandomStates {
    private final long[] states;

    RandomStates(int count, RandomGenerator seeds) {
        states = new long[count];
        for (int i = 0; i < count; i++) {
            states[i] = seeds.nextLong() | 1;
        }
    }

    /** 64 random bits, of which the upper ones are the better. */
    long next(int i) {
        long x = states[i];
        x ^= x << 13;
        x ^= x >>> 7;
        x ^= x << 17;
        states[i] = x;
        return x * 0x2545F4914F6CDD1DL;
    }
}
