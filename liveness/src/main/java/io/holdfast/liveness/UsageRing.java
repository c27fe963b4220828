package io.holdfast.liveness;

/** The newest {@value #SIZE} readings of heap and container. Written after each collection, read by the Holdfast thread; a few nanoseconds under a lock of our own. */
final class UsageRing {
    static final int SIZE = ClassHistory.KLASS_POPULATION_RING_SIZE;

    private final long[] nanos = new long[SIZE];
    private final long[] used = new long[SIZE];
    private final long[] container = new long[SIZE];
    private long recorded;

    synchronized void record(long atNanos, long usedBytes, long containerBytes) {
        int at = (int) (recorded++ % SIZE);
        nanos[at] = atNanos;
        used[at] = usedBytes;
        container[at] = containerBytes;
    }

    /** Readings so far; tells whether there is a new one. */
    synchronized long recorded() {
        return recorded;
    }

    synchronized UsageWindow window() {
        return new UsageWindow(inOrder(nanos), inOrder(used), inOrder(container));
    }

    private long[] inOrder(long[] ring) {
        int fill = (int) Math.min(SIZE, recorded);
        long[] ordered = new long[fill];
        for (int i = 0; i < fill; i++) {
            ordered[i] = ring[(int) ((recorded - fill + i) % SIZE)];
        }
        return ordered;
    }
}
