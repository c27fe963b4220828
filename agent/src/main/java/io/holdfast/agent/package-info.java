/**
 * The allocation hook, and the ways into a JVM.
 *
 * <p>The JVM's own sampler names allocating instructions ({@link io.holdfast.core.ScoutedAllocation}). The few that matter get a hook by
 * retransformation of their classes; the hook hands over objects one token at a time; sites whose objects die lose their hook again.
 */
package io.holdfast.agent;
