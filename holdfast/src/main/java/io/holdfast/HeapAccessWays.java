package io.holdfast;

import io.holdfast.agent.AttachResult;
import io.holdfast.agent.SelfAttach;
import io.holdfast.core.TrustedLookup;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.Optional;

/**
 * How far into the JVM Holdfast could get, best way first: the agent's, an agent attached by ourselves, the trusted lookup without an agent, plain
 * reflection.
 *
 * @param instrumentation present at the levels agent and self-attached
 * @param trusted         present at all levels but plain
 * @param level           {@code agent}, {@code self-attached}, {@code trusted} or {@code plain}
 * @param refusal         why there is no agent, or null
 */
record HeapAccessWays(Optional<Instrumentation> instrumentation, Optional<MethodHandles.Lookup> trusted, String level, String refusal) {
    /** Takes up to 15 seconds when a helper process has to be started. */
    static HeapAccessWays open(Instrumentation given) {
        if (given != null) {
            return new HeapAccessWays(Optional.of(given), TrustedLookup.fromInstrumentation(given), "agent", null);
        }
        AttachResult attached = SelfAttach.attach();
        if (attached.attached()) {
            return new HeapAccessWays(Optional.of(attached.instrumentation()), TrustedLookup.fromInstrumentation(attached.instrumentation()),
                    "self-attached", null);
        }
        return withoutAgent(attached.reason());
    }

    /** What can be had without one. */
    static HeapAccessWays withoutAgent(String refusal) {
        Optional<MethodHandles.Lookup> trusted = TrustedLookup.fromUnsafe();
        return new HeapAccessWays(Optional.empty(), trusted, trusted.isPresent() ? "trusted" : "plain", refusal);
    }
}
