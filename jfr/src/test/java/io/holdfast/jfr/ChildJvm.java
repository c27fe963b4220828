package io.holdfast.jfr;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the test sources in a JVM of its own, the same JDK, and gives its output. */
final class ChildJvm {
    private ChildJvm() { }

    static String run(Class<?> main, String... jvmArguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx256m", "-Xlog:disable", "-Xlog:all=error:stderr"));
        command.addAll(List.of(jvmArguments));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Process child = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (!child.waitFor(600, TimeUnit.SECONDS)) {
                throw new AssertionError("The child does not end: " + output);
            }
            return output;
        } finally {
            child.destroyForcibly();
        }
    }
}
