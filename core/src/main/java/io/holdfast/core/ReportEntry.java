package io.holdfast.core;

import java.io.PrintStream;
import java.util.List;

/**
 * The command {@code report} of the agent's jar, which is about a recording and not about a running program. Found with {@link java.util.ServiceLoader},
 * so that the agent needs not know the floors above it.
 */
@FunctionalInterface
public interface ReportEntry {
    /**
     * Renders a recording.
     *
     * @param arguments what stands behind {@code report} on the command line
     * @return exit status: 0 = done, 1 = the result could not be written, 2 = arguments or recording not understood. Everything is said in one line each on
     *         {@code err}; nothing is thrown
     */
    int report(List<String> arguments, PrintStream out, PrintStream err);
}
