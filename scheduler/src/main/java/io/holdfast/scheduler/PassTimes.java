package io.holdfast.scheduler;

/**
 * What passes took so far; nanoseconds to two digits, 0 = no pass yet. Immutable.
 *
 * @param sliceP99     99th percentile of the longest slice of a pass
 * @param longestSlice longest slice of all
 * @param passP99      99th percentile of the wall time of a pass
 * @param walkP99      99th percentile of the wall time inside slices
 * @param remainderP99 99th percentile of the CPU time of a pass beyond its slices
 * @param spacingP99   99th percentile of the time between the passes of one search
 */
public record PassTimes(long sliceP99, long longestSlice, long passP99, long walkP99, long remainderP99, long spacingP99) {
    static final PassTimes NONE = new PassTimes(0, 0, 0, 0, 0, 0);
}
