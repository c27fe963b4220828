package io.holdfast;

import io.holdfast.core.ReportEntry;
import io.holdfast.jfr.FindingsReader;
import io.holdfast.jfr.UnreadableRecordingException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/** {@code report FILE.jfr [-o FILE] [--json]}. Public because {@link java.util.ServiceLoader} wants it; not for users. */
public final class RecordingReport implements ReportEntry {
    private static final int DONE = 0;
    private static final int FAILED = 1;
    private static final int NOT_UNDERSTOOD = 2;

    @Override
    public int report(List<String> arguments, PrintStream out, PrintStream err) {
        ReportArguments given;
        try {
            given = ReportArguments.parse(arguments);
        } catch (IllegalArgumentException e) {
            err.println("holdfast: " + e.getMessage());
            return NOT_UNDERSTOOD;
        }
        String text;
        try {
            LeakReport report = RecordedReport.of(FindingsReader.read(given.recording()));
            text = given.json() ? JsonReport.render(report) : TextReport.render(report);
        } catch (UnreadableRecordingException e) {
            err.println("holdfast: " + e.getMessage());
            return NOT_UNDERSTOOD;
        } catch (LinkageError e) {
            err.println("holdfast: this Java runtime has no module jdk.jfr, so it cannot read recordings.");
            return FAILED;
        }
        if (given.output() == null) {
            out.print(text);
            out.flush();
            return DONE;
        }
        try {
            new ReportFile(given.output()).write(text);
            return DONE;
        } catch (IOException e) {
            err.println("holdfast: " + given.output() + " cannot be written (" + e.getClass().getSimpleName() + ": " + e.getMessage() + ").");
            return FAILED;
        }
    }

    /**
     * What was asked for.
     *
     * @param output where to, or null for standard output
     */
    private record ReportArguments(Path recording, Path output, boolean json) {
        /** @throws IllegalArgumentException with one line for people */
        static ReportArguments parse(List<String> arguments) {
            Path recording = null;
            Path output = null;
            boolean json = false;
            for (int i = 0; i < arguments.size(); i++) {
                String argument = arguments.get(i);
                if (argument.equals("--json")) {
                    json = true;
                } else if (argument.equals("-o") && i + 1 < arguments.size() && output == null) {
                    output = path(arguments.get(++i));
                } else if (argument.startsWith("-") || recording != null) {
                    throw new IllegalArgumentException("report does not understand '" + argument + "'; it needs FILE.jfr, and may have -o FILE and --json.");
                } else {
                    recording = path(argument);
                }
            }
            if (recording == null) {
                throw new IllegalArgumentException("report needs the file of a recording.");
            }
            return new ReportArguments(recording, output, json || isJson(output));
        }

        private static boolean isJson(Path output) {
            String name = output == null ? "" : String.valueOf(output.getFileName());
            if (name.endsWith(".html")) {
                throw new IllegalArgumentException("report writes text and JSON (-o FILE.json); HTML is not there yet.");
            }
            return name.endsWith(".json");
        }

        private static Path path(String argument) {
            try {
                return Path.of(argument);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("'" + argument + "' is no file name.", e);
            }
        }
    }
}
