package io.holdfast.agent;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The whole agent of a self-attach. A copy of this class is loaded by the system class loader, whatever loader Holdfast is in, so it refers to the
 * JDK only, and is public because the JVM and {@link SelfAttach} call it across loaders. The static field is the only way to hand something over
 * here; it is empty again as soon as the instrumentation has been taken.
 */
public final class InstrumentationHolder {
    private static final AtomicReference<Instrumentation> HELD = new AtomicReference<>();

    private InstrumentationHolder() { }

    /** Called by the JVM. */
    public static void agentmain(String ignored, Instrumentation instrumentation) {
        HELD.set(instrumentation);
    }

    /** Hands the instrumentation over, once; null when there is none. */
    public static Instrumentation take() {
        return HELD.getAndSet(null);
    }
}
