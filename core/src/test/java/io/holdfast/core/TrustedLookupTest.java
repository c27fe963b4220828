package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class TrustedLookupTest {
    @TempDir
    private Path directory;

    /** The JDK that runs the tests, and JDK 25 where {@code holdfast.test.jdk25} (or HOLDFAST_TEST_JDK25) names its home. */
    static Stream<Path> jdks() {
        String newer = System.getProperty("holdfast.test.jdk25", System.getenv("HOLDFAST_TEST_JDK25"));
        Stream<Path> running = Stream.of(Path.of(System.getProperty("java.home")));
        return newer == null || newer.isEmpty() ? running : Stream.concat(running, Stream.of(Path.of(newer)));
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void anAgentGetsItInSilenceAndOpensNothingToTheApplication(Path jdk) throws Exception {
        assertThat(run(jdk, List.of("-javaagent:" + agentJar()), List.of()))
                .containsExactly("present: true", "reads: true", "open to the application: false");
    }

    @ParameterizedTest
    @MethodSource("jdks")
    void unsafeGetsItWithoutAnAgent(Path jdk) throws Exception {
        assertThat(run(jdk, List.of(), List.of("unsafe"))).filteredOn(line -> !line.startsWith("WARNING: "))
                .containsExactly("present: true", "reads: true", "open to the application: false");
    }

    @Test
    void aRefusalIsEmptyRatherThanAnException() throws Exception {
        Path jdk = jdks().reduce((older, newer) -> newer).orElseThrow();
        assumeTrue(Files.readString(jdk.resolve("release")).contains("JAVA_VERSION=\"25"), "needs JDK 25");
        assertThat(run(jdk, List.of("--sun-misc-unsafe-memory-access=deny"), List.of("unsafe")))
                .containsExactly("present: false", "open to the application: false");
    }

    private Path agentJar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", TrustedLookupProbe.class.getName());
        Path jar = directory.resolve("agent.jar");
        try (OutputStream out = Files.newOutputStream(jar); JarOutputStream archive = new JarOutputStream(out, manifest)) {
            archive.finish();
        }
        return jar;
    }

    private List<String> run(Path jdk, List<String> options, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(jdk.resolve("bin").resolve("java").toString(), "-Xshare:auto", "-Xmx64m"));
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), TrustedLookupProbe.class.getName()));
        command.addAll(arguments);
        Path output = directory.resolve("output");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertThat(process.waitFor(300, TimeUnit.SECONDS)).as("ended in time").isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(output);
        assertThat(process.exitValue()).as(String.join("\n", lines)).isZero();
        return lines;
    }
}
