package io.holdfast.scheduler;

/**
 * Defaults that follow the size of the heap and the number of processors. The formulas are the documented ones; the base of the budget is
 * ours. Nothing here looks at the running JVM.
 */
public final class AutoTuning {
    /** 5 ms of walking at the measured 350 ns an object are 14 000 objects; a little more, so that the slice target decides, not the budget. */
    public static final int BASE_BUDGET = 20_000;
    public static final int MAX_BUDGET = 1_000_000;
    public static final long BASE_PAUSE_TARGET_NANOS = 5_000_000L;
    public static final long MAX_TUNED_PAUSE_TARGET_NANOS = 50_000_000L;
    public static final double BASE_PAIN_BUDGET = 0.01;
    public static final int MAX_TUNED_PAIN_PERCENT = 5;
    public static final long BASE_TTL_NANOS = 60_000_000_000L;
    public static final long MAX_TUNED_TTL_NANOS = 1_800_000_000_000L;

    private static final double BASE_HEAP_MIB = 512;
    private static final double BYTES_PER_MIB = 1 << 20;
    private static final int TUNED_FIRST_PASS_MULTIPLIER = 10;
    private static final int AUTO_FIRST_PASS_BUDGET_MULTIPLIER = 50;
    private static final int AUTO_FIRST_PASS_BUDGET_CAP = 200_000;

    private AutoTuning() { }

    /** @param maxHeapBytes 0 or less, or {@link Long#MAX_VALUE}: unknown */
    public static boolean heapKnown(long maxHeapBytes) {
        return maxHeapBytes > 0 && maxHeapBytes != Long.MAX_VALUE;
    }

    /** Objects newly admitted per pass: grows with the square root of the heap, 20 000 … 1 000 000. */
    public static int budget(long maxHeapBytes) {
        if (!heapKnown(maxHeapBytes)) {
            return BASE_BUDGET;
        }
        double tuned = Math.floor(BASE_BUDGET * Math.sqrt(relativeHeap(maxHeapBytes)));
        return (int) Math.max(BASE_BUDGET, Math.min(MAX_BUDGET, tuned));
    }

    /** Objects newly admitted by one root enumeration: ten budgets; with an unknown heap fifty, at most 200 000. */
    public static int firstPassBudget(int budget, long maxHeapBytes) {
        return heapKnown(maxHeapBytes)
                ? (int) Math.min((long) budget * TUNED_FIRST_PASS_MULTIPLIER, MAX_BUDGET)
                : (int) Math.min((long) budget * AUTO_FIRST_PASS_BUDGET_MULTIPLIER, AUTO_FIRST_PASS_BUDGET_CAP);
    }

    /** Length of one slice: 5 ms, and 5 ms more for every three processors beyond the first, at most 50 ms. */
    public static long pauseTargetNanos(long maxHeapBytes, int availableProcessors) {
        return heapKnown(maxHeapBytes)
                ? Math.min(BASE_PAUSE_TARGET_NANOS * (1 + (Math.max(1, availableProcessors) - 1) / 3), MAX_TUNED_PAUSE_TARGET_NANOS)
                : BASE_PAUSE_TARGET_NANOS;
    }

    /** Share of wall-clock time: 1 %, and 1 % more for every four processors beyond the first, at most 5 %. */
    public static double painBudget(long maxHeapBytes, int availableProcessors) {
        return heapKnown(maxHeapBytes)
                ? Math.min(1 + (Math.max(1, availableProcessors) - 1) / 4, MAX_TUNED_PAIN_PERCENT) / 100.0
                : BASE_PAIN_BUDGET;
    }

    /** Life of one search: one minute for each 512 MiB of heap, 1 … 30 minutes. */
    public static long ttlNanos(long maxHeapBytes) {
        if (!heapKnown(maxHeapBytes)) {
            return BASE_TTL_NANOS;
        }
        double tuned = BASE_TTL_NANOS * relativeHeap(maxHeapBytes);
        return (long) Math.max(BASE_TTL_NANOS, Math.min(MAX_TUNED_TTL_NANOS, tuned));
    }

    private static double relativeHeap(long maxHeapBytes) {
        return maxHeapBytes / BYTES_PER_MIB / BASE_HEAP_MIB;
    }
}
