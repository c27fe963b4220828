package io.holdfast.liveness;

/** Survivors of one class in one fold. Rows are told in the order of their allocation epochs, so a new epoch is a new age. */
final class ClassFold {
    /** Threads told apart per class. Threads that have a trend already come first, so a thread absent because of the cap has none to spoil. */
    static final int MAX_THREADS = 16;

    TrackedClass type;
    private int distinctAges;
    private long lastEpoch;
    private int threads;
    private int survivorsWithoutThread;
    private final long[] threadIds = new long[MAX_THREADS];
    private final int[] threadAges = new int[MAX_THREADS];
    private final int[] threadRetained = new int[MAX_THREADS];
    private final long[] threadLastEpoch = new long[MAX_THREADS];

    void reset(TrackedClass newType) {
        type = newType;
        distinctAges = 0;
        lastEpoch = -1;
        threads = 0;
        survivorsWithoutThread = 0;
        if (newType.history != null) {
            for (ThreadTrend trend : newType.history.threads()) {
                addThread(trend.threadId);
            }
        }
    }

    void survivor(long threadId, long allocationEpoch) {
        if (distinctAges == 0 || allocationEpoch != lastEpoch) {
            distinctAges++;
            lastEpoch = allocationEpoch;
        }
        int thread = indexOf(threadId);
        if (thread < 0) {
            if (threads == MAX_THREADS) {
                survivorsWithoutThread++;
                return;
            }
            thread = addThread(threadId);
        }
        if (threadRetained[thread]++ == 0 || threadLastEpoch[thread] != allocationEpoch) {
            threadAges[thread]++;
            threadLastEpoch[thread] = allocationEpoch;
        }
    }

    int distinctAges() {
        return distinctAges;
    }

    /** Survivors whose thread had no place. */
    int survivorsWithoutThread() {
        return survivorsWithoutThread;
    }

    int threads() {
        return threads;
    }

    long threadId(int thread) {
        return threadIds[thread];
    }

    int threadAges(int thread) {
        return threadAges[thread];
    }

    int threadRetained(int thread) {
        return threadRetained[thread];
    }

    int indexOf(long threadId) {
        for (int i = 0; i < threads; i++) {
            if (threadIds[i] == threadId) {
                return i;
            }
        }
        return -1;
    }

    private int addThread(long threadId) {
        threadIds[threads] = threadId;
        threadAges[threads] = 0;
        threadRetained[threads] = 0;
        return threads++;
    }
}
