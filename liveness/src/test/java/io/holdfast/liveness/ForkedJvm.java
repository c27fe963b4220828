package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a JVM of its own, on a collector of choice. */
final class ForkedJvm {
    private static final long LIMIT_SECONDS = 900;

    private ForkedJvm() { }

    /** Whether this JDK knows these flags. */
    static boolean understands(List<String> flags) throws IOException, InterruptedException {
        List<String> command = java(flags);
        command.add("-version");
        return run(command).status == 0;
    }

    /** Runs to the end and returns what was printed; fails unless the status is 0. */
    static String run(Class<?> main, List<String> flags, String... arguments) throws IOException, InterruptedException {
        List<String> command = java(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        Ended ended = run(command);
        assertThat(ended.status).as("exit status of %s %s, which printed%n%s", main.getSimpleName(), flags, ended.output).isZero();
        return ended.output;
    }

    private static List<String> java(List<String> flags) {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m"));
        command.addAll(flags);
        return command;
    }

    private static Ended run(List<String> command) throws IOException, InterruptedException {
        File output = File.createTempFile("forked", ".log");
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output).start();
            boolean ended = process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
            if (!ended) {
                process.destroyForcibly().waitFor();
            }
            String text = Files.readString(output.toPath(), StandardCharsets.UTF_8);
            assertThat(ended).as("ended within the limit; printed%n%s", text).isTrue();
            return new Ended(process.exitValue(), text);
        } finally {
            Files.deleteIfExists(output.toPath());
        }
    }

    private record Ended(int status, String output) { }
}
