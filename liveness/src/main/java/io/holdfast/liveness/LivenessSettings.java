package io.holdfast.liveness;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Predicate;

/**
 * How liveness tracking behaves.
 *
 * @param maxRows            objects tracked at the most, 0..{@value #MAX_TRACKING_TABLE_SIZE}; 0 = nothing is tracked and no signal arises
 * @param ratio              share of samples admitted to the table, 0..1; what is left out is added to the weight of the next admitted sample
 * @param cohorts            whether the early rule on whole cohorts may suspect a class before the documented trend can
 * @param signal             whether candidates may arise at all; without, objects are tracked and nothing is suspected
 * @param maxHeapBytes       maximum heap; 0 = unknown, then no projection of exhaustion
 * @param provingCollections disproving collections an object must outlive before its survival counts as proof, 1..100. One is enough where
 *                           they stop the world; two where they run concurrently, because an object allocated during marking survives that
 *                           marking whether it is reachable or not
 * @param minLifetimeNanos   lifetime the oldest survivor must have before the early rule suspects: what a request or a session holds for seconds is
 *                           no leak, however many collections a small heap makes of those seconds
 * @param maxYoungRows       objects tracked at the most that no collection has judged yet. Unbounded but where a weak reference keeps a dead object
 *                           alive until the next major cycle (generational ZGC)
 * @param youngSurvivalTells whether an object that has outlived one collection is likelier alive than not. There it is not: what is young when a major cycle
 *                           begins survives that one in any case
 */
public record LivenessSettings(int maxRows, double ratio, boolean cohorts, boolean signal, long maxHeapBytes, int provingCollections,
                               long minLifetimeNanos, int maxYoungRows, boolean youngSurvivalTells) {
    /** Hard cap of tracked objects. */
    public static final int MAX_TRACKING_TABLE_SIZE = 262_144;
    /** Tracked objects when the maximum heap is not known. */
    public static final int ROWS_OF_UNKNOWN_HEAP = 4_096;
    /** Share of the heap the table may take: one part in this many. */
    private static final int HEAP_PARTS = 100;
    private static final int YOUNG_ROWS_WHERE_THEY_COST = 1_024;
    private static final long DEFAULT_MIN_LIFETIME_NANOS = 8_000_000_000L;

    public LivenessSettings {
        maxRows = Math.max(0, Math.min(MAX_TRACKING_TABLE_SIZE, maxRows));
        ratio = ratio >= 0 ? Math.min(1.0, ratio) : 1.0;
        maxHeapBytes = Math.max(0, maxHeapBytes);
        provingCollections = Math.max(1, Math.min(100, provingCollections));
        minLifetimeNanos = Math.max(0, minLifetimeNanos);
        maxYoungRows = Math.max(0, maxYoungRows);
    }

    /** Without a shortest lifetime. */
    LivenessSettings(int maxRows, double ratio, boolean cohorts, boolean signal, long maxHeapBytes, int provingCollections) {
        this(maxRows, ratio, cohorts, signal, maxHeapBytes, provingCollections, 0);
    }

    /** Without a bound of its own on young rows. */
    LivenessSettings(int maxRows, double ratio, boolean cohorts, boolean signal, long maxHeapBytes, int provingCollections, long minLifetimeNanos) {
        this(maxRows, ratio, cohorts, signal, maxHeapBytes, provingCollections, minLifetimeNanos, Integer.MAX_VALUE, true);
    }

    /** The full leak finder on the running collector; rows take at most 1 % of the heap. */
    public static LivenessSettings defaults(long maxHeapBytes) {
        boolean keepsWeaklyHeld = anyCollector(CollectionKind::keepsWeaklyHeld);
        return new LivenessSettings(rowsFor(maxHeapBytes), 1.0, true, true, maxHeapBytes, anyCollector(CollectionKind::marksConcurrently) ? 2 : 1,
                DEFAULT_MIN_LIFETIME_NANOS, keepsWeaklyHeld ? YOUNG_ROWS_WHERE_THEY_COST : Integer.MAX_VALUE, !keepsWeaklyHeld);
    }

    /** Rows that take 1 % of a heap of that size; {@value #ROWS_OF_UNKNOWN_HEAP} when it is not known. */
    static int rowsFor(long maxHeapBytes) {
        if (maxHeapBytes <= 0 || maxHeapBytes == Long.MAX_VALUE) {
            return ROWS_OF_UNKNOWN_HEAP;
        }
        return (int) Math.min(MAX_TRACKING_TABLE_SIZE, maxHeapBytes / HEAP_PARTS / TrackingTable.BYTES_PER_ROW);
    }

    public LivenessSettings withRatio(double newRatio) {
        return new LivenessSettings(maxRows, newRatio, cohorts, signal, maxHeapBytes, provingCollections, minLifetimeNanos, maxYoungRows, youngSurvivalTells);
    }

    public LivenessSettings withMaxRows(int newMaxRows) {
        return new LivenessSettings(newMaxRows, ratio, cohorts, signal, maxHeapBytes, provingCollections, minLifetimeNanos, maxYoungRows, youngSurvivalTells);
    }

    public LivenessSettings withCohorts(boolean newCohorts) {
        return new LivenessSettings(maxRows, ratio, newCohorts, signal, maxHeapBytes, provingCollections, minLifetimeNanos, maxYoungRows, youngSurvivalTells);
    }

    public LivenessSettings withSignal(boolean newSignal) {
        return new LivenessSettings(maxRows, ratio, cohorts, newSignal, maxHeapBytes, provingCollections, minLifetimeNanos, maxYoungRows, youngSurvivalTells);
    }

    public LivenessSettings withProvingCollections(int newProvingCollections) {
        return new LivenessSettings(maxRows, ratio, cohorts, signal, maxHeapBytes, newProvingCollections, minLifetimeNanos, maxYoungRows, youngSurvivalTells);
    }

    LivenessSettings withMaxYoungRows(int newMaxYoungRows) {
        return new LivenessSettings(maxRows, ratio, cohorts, signal, maxHeapBytes, provingCollections, minLifetimeNanos, newMaxYoungRows,
                youngSurvivalTells);
    }

    LivenessSettings withYoungSurvivalTells(boolean tells) {
        return new LivenessSettings(maxRows, ratio, cohorts, signal, maxHeapBytes, provingCollections, minLifetimeNanos, maxYoungRows, tells);
    }

    private static boolean anyCollector(Predicate<String> ofName) {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().map(GarbageCollectorMXBean::getName).anyMatch(ofName);
    }
}
