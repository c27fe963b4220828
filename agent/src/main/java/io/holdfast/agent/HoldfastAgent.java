package io.holdfast.agent;

import io.holdfast.core.AgentEntry;
import java.lang.instrument.Instrumentation;
import java.util.ServiceLoader;

/**
 * Entry points of the agent jar, called by the JVM. Nothing escapes from them: the application starts all the same, and one line on standard error
 * says what went wrong. That Holdfast already runs (the agent given twice, say) is for the engine to notice, see {@link AgentEntry#start}.
 */
public final class HoldfastAgent {
    private HoldfastAgent() { }

    /** {@code -javaagent:holdfast-agent.jar=OPTIONS}. */
    public static void premain(String options, Instrumentation instrumentation) {
        start(options, instrumentation, false);
    }

    /** {@code attach PID OPTIONS}, and {@code Launcher-Agent-Class}. */
    public static void agentmain(String options, Instrumentation instrumentation) {
        start(options, instrumentation, true);
    }

    /** {@code java -jar holdfast-agent.jar COMMAND}: exit status 0 = done, 1 = failed, 2 = not understood. */
    public static void main(String[] arguments) {
        System.exit(new CommandLine(Console.of(System.out), System.err).run(arguments));
    }

    private static void start(String options, Instrumentation instrumentation, boolean attached) {
        try {
            AgentEntry entry = ServiceLoader.load(AgentEntry.class, HoldfastAgent.class.getClassLoader()).findFirst().orElseThrow(
                    () -> new IllegalStateException("this jar holds the agent only; the engine is missing"));
            entry.start(options, instrumentation, attached);
        } catch (Throwable e) {
            complain(e);
        }
    }

    private static void complain(Throwable failure) {
        try {
            System.err.println("holdfast: not started: " + FailureText.of(failure));
        } catch (Throwable e) {
            // The application may have replaced System.err by something that throws, or the memory is used up: then there is nobody to tell.
        }
    }
}
