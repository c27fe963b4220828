package io.holdfast.liveness;

/**
 * Heap in use after the newest collections, oldest first, all arrays of one length.
 *
 * @param nanos     when
 * @param used      bytes in use in the heap
 * @param container bytes in use in the container, 0 = could not be read
 */
record UsageWindow(long[] nanos, long[] used, long[] container) {
    static final double HEAP_FLOOR_GROWTH_REL_MIN = 0.02;
    static final long HEAP_FLOOR_GROWTH_ABS_MIN = 1L << 20;
    static final double HEAP_FLOOR_FLOOR_REL_MIN = 0.01;
    static final long HEAP_FLOOR_FLOOR_ABS_MIN = 512L << 10;
    static final int HEAP_FLOOR_RECENT_HALF_MIN_FILL = 5;
    /** No projection is known; not the same as safe. */
    static final double NO_PROJECTION = -1;

    int fill() {
        return nanos.length;
    }

    /** Whether both the fitted heap floor and its minimum have risen. */
    boolean heapFloorRising() {
        if (fill() < ClassHistory.KLASS_POPULATION_MIN_FILL_FOR_TREND) {
            return false;
        }
        long recentMinimum = minimum(fill() / 2);
        long earliestMinimum = minimum(0);
        return Regression.fit(fill(), i -> used[i]).rises(HEAP_FLOOR_GROWTH_REL_MIN, HEAP_FLOOR_GROWTH_ABS_MIN)
                && recentMinimum - earliestMinimum >= Math.max(HEAP_FLOOR_FLOOR_REL_MIN * earliestMinimum, HEAP_FLOOR_FLOOR_ABS_MIN);
    }

    /** Seconds until the nearer of heap and container is exhausted; {@link #NO_PROJECTION} when neither is in sight. Limits of 0 and less are unknown. */
    double secondsToExhaustion(long maxHeapBytes, long containerLimitBytes) {
        if (fill() < ClassHistory.KLASS_POPULATION_MIN_FILL_FOR_TREND || maxHeapBytes <= 0) {
            return NO_PROJECTION;
        }
        double span = Regression.fit(fill(), i -> nanos[i] - nanos[0]).growth();
        if (span <= 0) {
            return NO_PROJECTION;
        }
        double heap = project(used, maxHeapBytes, span);
        double outer = containerLimitBytes > 0 && minimum(container) > 0 ? project(container, containerLimitBytes, span) : NO_PROJECTION;
        if (heap < 0 || outer < 0) {
            return Math.max(heap, outer);
        }
        return Math.min(heap, outer);
    }

    private double project(long[] bytes, long limit, double spanNanos) {
        Regression whole = Regression.fit(fill(), i -> bytes[i]);
        int half = fill() / 2;
        int start = fill() - half;
        // A single step that has come to rest still slants the whole window, but not its newer half.
        if (whole.growth() <= 0 || half < HEAP_FLOOR_RECENT_HALF_MIN_FILL || Regression.fit(half, i -> bytes[start + i]).growth() <= 0) {
            return NO_PROJECTION;
        }
        double remaining = limit - whole.recent();
        return remaining <= 0 ? 0 : remaining * spanNanos / whole.growth() / 1e9;
    }

    private long minimum(int from) {
        long minimum = Long.MAX_VALUE;
        for (int i = from; i < used.length; i++) {
            minimum = Math.min(minimum, used[i]);
        }
        return minimum;
    }

    private static long minimum(long[] values) {
        long minimum = Long.MAX_VALUE;
        for (long value : values) {
            minimum = Math.min(minimum, value);
        }
        return minimum;
    }
}
