package io.holdfast.proofs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, of the version the tests run on, and collects what it prints. */
final class ForkedJvm {
    private static final int LIMIT_SECONDS = 600;
    private static final int DUMP_SECONDS = 5;

    private final List<String> command = new ArrayList<>();

    /** What came of it. */
    record Result(int status, String output) { }

    ForkedJvm(List<String> flags) {
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        if (Runtime.version().feature() >= 21) {
            command.add("-XX:+EnableDynamicAgentLoading");
        }
    }

    /** Whether a JVM starts with these flags: not every build has every collector. */
    static boolean starts(List<String> flags) throws IOException, InterruptedException {
        List<String> command = new ForkedJvm(flags).command;
        command.add("-version");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return process.waitFor() == 0;
    }

    Result run(Path scratch, Class<?> main, String... args) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        whole.addAll(List.of(args));
        Path output = Files.createTempFile(scratch, "output", ".txt");
        Process process = new ProcessBuilder(whole).directory(scratch.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            // Where it stands goes to its output.
            new ProcessBuilder("kill", "-QUIT", Long.toString(process.pid())).start().waitFor(DUMP_SECONDS, TimeUnit.SECONDS);
            process.waitFor(DUMP_SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly().waitFor();
            throw new AssertionError("not finished after " + LIMIT_SECONDS + " s:\n" + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }
}
