package io.holdfast.agent;

import io.holdfast.core.ReportEntry;
import java.io.PrintStream;
import java.util.List;

/** Stands for the engine's part of the command line. */
public final class TestReport implements ReportEntry {
    @Override
    public int report(List<String> arguments, PrintStream out, PrintStream err) {
        if (arguments.equals(List.of("throws"))) {
            throw new IllegalStateException("from the engine");
        }
        out.print(arguments + "\n");
        return 17;
    }
}
