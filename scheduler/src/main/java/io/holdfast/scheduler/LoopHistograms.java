package io.holdfast.scheduler;

import org.HdrHistogram.IntCountsHistogram;

/** Distribution of slice and pass lengths and of the time between passes, two digits from 1 µs to an hour, fixed memory. Not thread-safe. */
final class LoopHistograms {
    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 2;
    private static final double PERCENTILE = 99;

    private final IntCountsHistogram slices = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final IntCountsHistogram passes = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final IntCountsHistogram spacings = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);

    void recordPass(long longestSliceNanos, long passNanos) {
        record(slices, longestSliceNanos);
        record(passes, passNanos);
    }

    void recordSpacing(long nanos) {
        record(spacings, nanos);
    }

    Percentiles percentiles() {
        return new Percentiles(p99(slices), p99(passes), p99(spacings), slices.getMaxValue());
    }

    int footprintBytes() {
        return slices.getEstimatedFootprintInBytes() + passes.getEstimatedFootprintInBytes() + spacings.getEstimatedFootprintInBytes();
    }

    private static void record(IntCountsHistogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, Math.min(HIGHEST_NANOS, nanos)));
    }

    private static long p99(IntCountsHistogram histogram) {
        return histogram.getTotalCount() == 0 ? 0 : histogram.getValueAtPercentile(PERCENTILE);
    }

    /** Nanoseconds; 0 = nothing recorded. */
    record Percentiles(long sliceP99, long passP99, long spacingP99, long longestSlice) {
        static final Percentiles NONE = new Percentiles(0, 0, 0, 0);
    }
}
