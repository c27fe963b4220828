package io.holdfast.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class in a JVM of its own, with the finished artifacts, and collects what it prints. */
final class ForkedJvm {
    static final Path AGENT = Path.of("..", "agent", "target", "holdfast-agent.jar").toAbsolutePath().normalize();
    private static final int LIMIT_SECONDS = 900;

    private final List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m"));

    /** What came of it. */
    record Result(int status, String output) { }

    ForkedJvm flags(String... flags) {
        command.addAll(List.of(flags));
        return this;
    }

    /** The one-jar agent, nothing else of Holdfast on the class path. */
    ForkedJvm agent(String options) {
        return flags("-javaagent:" + AGENT + (options.isEmpty() ? "" : "=" + options));
    }

    Result run(Path scratch, Class<?> main, String... args) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(command);
        whole.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        whole.addAll(List.of(args));
        return run(scratch, whole);
    }

    /** Runs the finished jar as a program: {@code java -jar holdfast-agent.jar ARGUMENTS}. */
    static Result command(Path scratch, String... arguments) throws IOException, InterruptedException {
        List<String> whole = new ArrayList<>(new ForkedJvm().command);
        whole.addAll(List.of("-jar", AGENT.toString()));
        whole.addAll(List.of(arguments));
        return run(scratch, whole);
    }

    private static Result run(Path scratch, List<String> whole) throws IOException, InterruptedException {
        Path output = Files.createTempFile(scratch, "output", ".txt");
        Process process = new ProcessBuilder(whole).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("not finished after " + LIMIT_SECONDS + " s:\n" + Files.readString(output));
        }
        return new Result(process.exitValue(), Files.readString(output));
    }
}
