/**
 * When the search may run and how much it may cost: gates, cost budgets, pace, the ramp before an OutOfMemoryError, and the one background
 * loop. Liveness and the walk are known through the ports of {@code io.holdfast.core} only.
 */
package io.holdfast.scheduler;
