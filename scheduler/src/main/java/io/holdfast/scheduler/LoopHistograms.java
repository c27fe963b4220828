package io.holdfast.scheduler;

import java.util.stream.Stream;

import org.HdrHistogram.IntCountsHistogram;

import io.holdfast.core.PassReport;

/** Distributions of what passes took and of the time between them, two digits from 1 µs to an hour, fixed memory. Not thread-safe. */
final class LoopHistograms {
    private static final long LOWEST_NANOS = 1_000;
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;
    private static final int DIGITS = 2;
    private static final double PERCENTILE = 99;

    private final IntCountsHistogram slices = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final IntCountsHistogram passes = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final IntCountsHistogram walks = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final IntCountsHistogram remainders = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);
    private final IntCountsHistogram spacings = new IntCountsHistogram(LOWEST_NANOS, HIGHEST_NANOS, DIGITS);

    void recordPass(PassReport report, long passNanos) {
        record(slices, report.longestSliceNanos());
        record(passes, passNanos);
        record(walks, report.walkNanos());
        record(remainders, report.cpuNanos() - report.walkNanos());
    }

    void recordSpacing(long nanos) {
        record(spacings, nanos);
    }

    PassTimes percentiles() {
        return new PassTimes(p99(slices), slices.getMaxValue(), p99(passes), p99(walks), p99(remainders), p99(spacings));
    }

    int footprintBytes() {
        return Stream.of(slices, passes, walks, remainders, spacings).mapToInt(IntCountsHistogram::getEstimatedFootprintInBytes).sum();
    }

    private static void record(IntCountsHistogram histogram, long nanos) {
        histogram.recordValue(Math.max(0, Math.min(HIGHEST_NANOS, nanos)));
    }

    private static long p99(IntCountsHistogram histogram) {
        return histogram.getTotalCount() == 0 ? 0 : histogram.getValueAtPercentile(PERCENTILE);
    }
}
