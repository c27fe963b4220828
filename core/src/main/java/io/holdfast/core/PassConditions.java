package io.holdfast.core;

/**
 * Under which conditions the scheduler ran one pass.
 *
 * @param budget       objects it might newly admit
 * @param sliceNanos   slice length aimed at, 0 = no limit
 * @param cadenceNanos time between passes in force before it
 * @param candidates   candidates without a chain when it began
 * @param resolved     how many of them had one when it ended, or lost their slot because the search ended
 * @param multiplier   back-off after it, 1 … 16
 * @param cpuDebtNanos CPU time not paid off after it
 * @param ramp         whether the heap was projected to be exhausted within half an hour
 */
public record PassConditions(int budget, long sliceNanos, long cadenceNanos, int candidates, int resolved, int multiplier, long cpuDebtNanos,
                             boolean ramp) { }
