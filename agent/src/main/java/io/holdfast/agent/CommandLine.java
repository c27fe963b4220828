package io.holdfast.agent;

import com.sun.tools.attach.VirtualMachine;
import io.holdfast.core.OptionProblem;
import io.holdfast.core.OptionsParser;
import io.holdfast.core.ReportEntry;
import java.io.PrintStream;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** What {@code java -jar holdfast-agent.jar …} does. */
final class CommandLine {
    static final int DONE = 0;
    static final int FAILED = 1;
    static final int USAGE = 2;

    private static final String USAGE_TEXT = """
            Usage:
              java -javaagent:holdfast-agent.jar[=OPTIONS] …          start with the application
              java -jar holdfast-agent.jar attach PID [OPTIONS]       start in a running JVM
              java -jar holdfast-agent.jar report FILE.jfr [-o FILE]  what a recording says about leaks: text,
                                                                      or JSON with --json or -o FILE.json
              java -jar holdfast-agent.jar help                       this text and all options
            """;

    private final PrintStream out;
    private final PrintStream err;

    CommandLine(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Runs the command and returns its exit status. Never throws. */
    int run(String... arguments) {
        String command = arguments.length == 0 ? "" : arguments[0];
        switch (command) {
            case "attach":
                return attach(List.of(arguments).subList(1, arguments.length));
            case "help", "-h", "-help", "--help":
                out.print(USAGE_TEXT);
                out.println();
                out.print(OptionsParser.help());
                return DONE;
            case "report":
                return report(List.of(arguments).subList(1, arguments.length));
            default:
                if (!command.isEmpty()) {
                    err.println("holdfast: unknown command '" + command + "'.");
                }
                err.print(USAGE_TEXT);
                return USAGE;
        }
    }

    private int report(List<String> arguments) {
        try {
            Optional<ReportEntry> engine = ServiceLoader.load(ReportEntry.class, CommandLine.class.getClassLoader()).findFirst();
            if (engine.isEmpty()) {
                err.println("holdfast: this jar holds the agent only; the engine is missing.");
                return FAILED;
            }
            return engine.get().report(arguments, out, err);
        } catch (RuntimeException | Error e) {
            err.println("holdfast: no report: " + FailureText.of(e));
            return FAILED;
        }
    }

    private int attach(List<String> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2 || !arguments.get(0).chars().allMatch(c -> c >= '0' && c <= '9') || arguments.get(0).isEmpty()) {
            err.println("holdfast: attach needs the process id of a JVM, and at most one text of options.");
            listMachines();
            return USAGE;
        }
        String processId = arguments.get(0);
        String options = arguments.size() == 2 ? arguments.get(1) : "";
        // The other JVM would print these where nobody is looking.
        List<OptionProblem> problems = new OptionsParser().parse(options, "command line").problems();
        if (!problems.isEmpty()) {
            problems.forEach(problem -> err.println("holdfast: " + problem.message()));
            return USAGE;
        }
        try {
            AgentLoader.load(processId, ownJar().toString(), options);
            out.println("holdfast: started in process " + processId + ".");
            return DONE;
        } catch (Exception | LinkageError e) {
            err.println("holdfast: cannot start in process " + processId + ": " + FailureText.of(e));
            return FAILED;
        }
    }

    private void listMachines() {
        try {
            String self = Long.toString(ProcessHandle.current().pid());
            VirtualMachine.list().stream().filter(machine -> !machine.id().equals(self))
                    .forEach(machine -> err.println("  " + machine.id() + "  " + machine.displayName()));
        } catch (RuntimeException | LinkageError e) {
            err.println("  (cannot list JVMs: " + FailureText.of(e) + ")");
        }
    }

    private static Path ownJar() throws URISyntaxException {
        CodeSource source = HoldfastAgent.class.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null) {
            throw new IllegalStateException("the agent's jar cannot be found");
        }
        return Path.of(source.getLocation().toURI()).toAbsolutePath();
    }
}
