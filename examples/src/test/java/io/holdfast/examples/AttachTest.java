package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code java -jar holdfast-agent.jar attach PID OPTIONS} on a program that knows nothing of Holdfast. */
class AttachTest {
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path scratch;

    @Test
    void theFinishedJarAttachesToARunningProgram() throws Exception {
        Path report = scratch.resolve("report.json");
        Path output = scratch.resolve("program.txt");
        Process program = new ProcessBuilder(JAVA, "-Xmx64m", "-cp", System.getProperty("java.class.path"), Programs.ReadsUntilEnd.class.getName())
                .redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> Files.readString(output).contains("ready"));
            Process attach = new ProcessBuilder(JAVA, "-jar", ForkedJvm.AGENT.toString(), "attach", Long.toString(program.pid()), "report=" + report)
                    .redirectErrorStream(true).redirectOutput(scratch.resolve("attach.txt").toFile()).start();
            assertThat(attach.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(attach.exitValue()).as(Files.readString(scratch.resolve("attach.txt"))).isZero();
            Awaitility.await().atMost(Duration.ofMinutes(5)).until(() -> Files.exists(report) && Files.readString(report).contains("\"accessLevel\": \"agent\""));
            program.getOutputStream().close();
            assertThat(program.waitFor(5, TimeUnit.MINUTES)).isTrue();
            assertThat(program.exitValue()).isZero();
            assertThat(Files.readString(output)).contains("result 42").doesNotContain("\tat ");
        } finally {
            program.destroyForcibly();
        }
    }
}
