package io.holdfast;

import io.holdfast.core.AgentEntry;
import java.lang.instrument.Instrumentation;

/** Started by the agent, which finds it as a service. Public because {@link java.util.ServiceLoader} wants it; not for users. */
public final class AgentEngine implements AgentEntry {
    @Override
    public void start(String options, Instrumentation instrumentation, boolean attached) {
        Holdfast.start(options == null ? "" : options, instrumentation, attached ? "attach" : "-javaagent");
    }
}
