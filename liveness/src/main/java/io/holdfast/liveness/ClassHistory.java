package io.holdfast.liveness;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** How the survivors of one class developed: the documented population ring, its streak, and the trends of the allocating threads. */
final class ClassHistory {
    static final int KLASS_POPULATION_RING_SIZE = 30;
    static final int KLASS_POPULATION_MIN_FILL_FOR_TREND = 10;
    static final int MAX_TID_TRENDS = 8;

    final TrackedClass type;
    final Instant firstSeen;
    private final Ring ring = new Ring(KLASS_POPULATION_RING_SIZE);
    private final List<ThreadTrend> threads = new ArrayList<>(MAX_TID_TRENDS);
    private int folds;
    private int consecutivePositive;
    private double growth;
    private long lastUpdatedEpoch;

    ClassHistory(TrackedClass type, Instant firstSeen) {
        this.type = type;
        this.firstSeen = firstSeen;
    }

    /** Adds what a fold found. Returns how many thread trends had to make way for others. */
    int push(ClassFold fold, long epoch) {
        lastUpdatedEpoch = epoch;
        pushValue(fold.distinctAges());
        int known = threads.size();
        for (int i = 0; i < known; i++) {
            ThreadTrend trend = threads.get(i);
            int thread = fold.indexOf(trend.threadId);
            trend.push(thread < 0 ? 0 : fold.threadAges(thread), thread < 0 ? 0 : fold.threadRetained(thread));
        }
        int evicted = 0;
        // The fold begins with the threads that have a trend.
        for (int thread = known; thread < fold.threads(); thread++) {
            ThreadTrend trend = new ThreadTrend(fold.threadId(thread));
            trend.push(fold.threadAges(thread), fold.threadRetained(thread));
            evicted += add(trend) ? 0 : 1;
        }
        return evicted;
    }

    /** Adds a fold in which no instance survived: a class whose instances are all gone must stop looking like a leak. */
    void pushNothing() {
        pushValue(0);
        for (ThreadTrend trend : threads) {
            trend.push(0, 0);
        }
    }

    List<ThreadTrend> threads() {
        return threads;
    }

    /** Threads with a streak of at least that length. */
    long[] qualifyingThreads(int requiredStreak) {
        return threads.stream().filter(trend -> trend.streak() >= requiredStreak).mapToLong(trend -> trend.threadId).toArray();
    }

    /** The documented selection rule. */
    boolean qualifies(int requiredStreak) {
        return ring.fill() >= KLASS_POPULATION_MIN_FILL_FOR_TREND && growth > 0 && consecutivePositive >= requiredStreak
                && threads.stream().anyMatch(trend -> trend.streak() >= requiredStreak);
    }

    Ring ring() {
        return ring;
    }

    int folds() {
        return folds;
    }

    int consecutivePositive() {
        return consecutivePositive;
    }

    /** Fitted growth over the ring, which also ranks the candidates; 0 with fewer than two values. */
    double growth() {
        return growth;
    }

    long lastUpdatedEpoch() {
        return lastUpdatedEpoch;
    }

    private void pushValue(int value) {
        ring.push(value);
        folds++;
        growth = ring.fit().growth();
        consecutivePositive = GrowthBar.streak(consecutivePositive, GrowthBar.cleared(ring, KLASS_POPULATION_MIN_FILL_FOR_TREND));
    }

    /** Returns whether there was a free place. */
    private boolean add(ThreadTrend newcomer) {
        if (threads.size() < MAX_TID_TRENDS) {
            threads.add(newcomer);
            return true;
        }
        int weakest = 0;
        for (int i = 1; i < threads.size(); i++) {
            if (threads.get(i).weakerThan(threads.get(weakest))) {
                weakest = i;
            }
        }
        threads.set(weakest, newcomer);
        return false;
    }
}
