package io.holdfast.core;

import java.lang.instrument.Instrumentation;

/**
 * Starts Holdfast for its agent. The agent finds the provider with {@link java.util.ServiceLoader}, so that it needs not know the floors above it.
 */
@FunctionalInterface
public interface AgentEntry {
    /**
     * Starts Holdfast and returns soon: anything slow belongs on a thread of its own. Called on the thread that starts the application
     * ({@code -javaagent}) or on the JVM's attach thread.
     *
     * @param options         the agent's argument, or null
     * @param instrumentation of this JVM
     * @param attached        whether the agent came into a running JVM
     * @throws IllegalStateException when Holdfast already runs in this JVM; the message is one line for people, which the agent prints
     */
    void start(String options, Instrumentation instrumentation, boolean attached);
}
