package io.holdfast.core;

/**
 * What one pass did and cost.
 *
 * @param rootEnumeration whether root enumeration ran
 * @param truncated       whether a budget or deadline cut the pass short
 * @param walkNanos       wall time inside walker slices
 * @param cpuNanos        CPU time of the whole pass
 * @param stoppedNanos    wall time of calls that really stop application threads (class list)
 * @param longestSliceNanos longest uninterrupted slice
 * @param admitted        objects newly admitted
 * @param references      references read
 */
public record PassReport(boolean rootEnumeration, boolean truncated, long walkNanos, long cpuNanos, long stoppedNanos, long longestSliceNanos,
                         long admitted, long references) { }
