package io.holdfast.agent;

import io.holdfast.core.AgentEntry;
import java.lang.instrument.Instrumentation;

/** The engine of the forked tests: runs once in a JVM, as the real one does. */
public final class TestEngine implements AgentEntry {
    private static final String RUNNING = "holdfast.test.running";

    @Override
    public void start(String options, Instrumentation instrumentation, boolean attached) {
        if ("fail".equals(options)) {
            throw new AssertionError("failed in\ntwo lines");
        }
        if (System.getProperty(RUNNING) != null) {
            throw new IllegalStateException("Holdfast already runs in this JVM.");
        }
        System.setProperty(RUNNING, "true");
        System.out.println("engine: " + options + " attached=" + attached);
    }
}
