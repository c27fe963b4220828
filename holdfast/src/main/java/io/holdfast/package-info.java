/**
 * Holdfast, the leak profiler: {@link io.holdfast.Holdfast#start()} in {@code main}, {@code -javaagent}, or attached to a running JVM.
 */
package io.holdfast;
