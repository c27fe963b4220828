package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list that only a local variable of a running method holds is found, in a JVM of its own, with each collector. */
class StackRootTest {
    private static final long LIMIT_SECONDS = 600;
    private static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    private static final String CLASS_PATH = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    private Path directory;

    private List<String> java(String... arguments) throws Exception {
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(Files.readString(out)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = new ArrayList<>(Files.readAllLines(out));
        lines.add("status " + process.exitValue());
        return lines;
    }

    private List<String> program(String collector, String kind) throws Exception {
        Assumptions.assumeTrue(java(collector, "-version").contains("status 0"), "this JVM has no such collector");
        List<String> lines = java("-Xmx128m", collector, "-cp", CLASS_PATH, StackRootProgram.class.getName(), kind);
        lines.removeIf(line -> line.startsWith("WARNING: ")); // JDK 21 and later about agents that come late
        return lines;
    }

    private static void isFound(List<String> lines, String thread) {
        assertThat(lines).hasSize(7);
        assertThat(lines.get(0)).isEqualTo("hooked: true");
        assertThat(lines.get(1)).isEqualTo("outcome: chain");
        assertThat(lines.get(2)).matches("root: stack_local local 'imported' of com\\.acme\\.orders\\.OrderImport\\.importOrders\\(OrderImport\\.java:\\d+\\) "
                + "on thread \"" + thread + "\"");
        assertThat(lines.get(3)).isEqualTo("local: imported -> java.util.ArrayList ... com.acme.orders.OrderImport$Order");
        assertThat(lines.get(4)).isEqualTo("holder: com.acme.orders.OrderImport#importOrders(imported) of com.acme.orders.OrderImport$Order");
        assertThat(lines.get(5)).isEqualTo("not kept: true true");
        assertThat(lines.get(6)).isEqualTo("faults: 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC", "-XX:+UseParallelGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC"})
    void aLocalOfAPlatformThread(String collector) throws Exception {
        List<String> lines = program(collector, "platform");
        assertThat(lines.remove(lines.size() - 1)).as(lines.toString()).isEqualTo("status 0");
        isFound(lines, "importer");
    }

    @Test
    void aLocalOfAVirtualThread() throws Exception {
        Assumptions.assumeTrue(Runtime.version().feature() >= 21, "virtual threads");
        List<String> lines = program("-XX:+UseG1GC", "virtual");
        assertThat(lines.remove(lines.size() - 1)).as(lines.toString()).isEqualTo("status 0");
        isFound(lines, "");
    }
}
