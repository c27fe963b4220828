package io.holdfast.core;

/**
 * Limits of one pass of a search.
 *
 * @param admissions     objects newly admitted by the ordinary phases
 * @param rootAdmissions objects newly admitted by root enumeration
 * @param sliceNanos     length of one uninterrupted slice; each phase ends at its start + this. 0 = no limit
 * @param rootsDue       whether root enumeration may run in this pass
 * @param urgent         whether the urgent latch is set (suppresses abandonment for lack of progress)
 */
public record PassLimits(int admissions, int rootAdmissions, long sliceNanos, boolean rootsDue, boolean urgent) { }
