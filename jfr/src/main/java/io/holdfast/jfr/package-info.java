/**
 * Flight Recorder: allocation samples in, Holdfast's events out. The three public types load, and say in one sentence why they do nothing, in a
 * JVM without the {@code jdk.jfr} module.
 *
 * <p>The first use of Flight Recorder in a JVM costs one to two seconds of CPU time, so it happens on a short-lived daemon thread,
 * {@code holdfast-jfr-start}; every {@code start} and {@code register} here returns at once.
 */
package io.holdfast.jfr;
