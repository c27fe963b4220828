package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The Java compiler, with hooks in all its classes and the JDK's, writes the same bytes as without. */
class InstrumentedCompilerTest {
    private static final String CLASS_PATH = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private static final long LIMIT_SECONDS = 600;
    private static final Path HOUSE = Path.of("..").toAbsolutePath().normalize();

    @TempDir
    private Path directory;

    @Test
    void everyByteIsTheSame() throws Exception {
        List<String> plain = compile("plain");
        List<String> hooked = compile("allsites");
        assertThat(plain).containsExactly("compiled: true");
        assertThat(hooked).first().isEqualTo("compiled: true");
        assertThat(hooked).last().isEqualTo("refused: 0");
        // Not all: native code and hidden classes allocate too, and on this thread the rewriting of the compiler's classes does.
        assertThat(Integer.parseInt(hooked.get(1).replaceAll("\\D", ""))).isBetween(50, 110);
        Map<String, byte[]> expected = files("plain");
        Map<String, byte[]> actual = files("allsites");
        assertThat(expected).hasSizeGreaterThan(120);
        assertThat(actual.keySet()).isEqualTo(expected.keySet());
        expected.forEach((name, bytes) -> assertThat(actual.get(name)).as(name).isEqualTo(bytes));
    }

    private List<String> compile(String mode) throws Exception {
        Path out = directory.resolve(mode + ".txt");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx400m",
                "-Djdk.attach.allowAttachSelf=true"));
        if (Runtime.version().feature() >= 21) {
            command.add("-XX:+EnableDynamicAgentLoading");
        }
        command.addAll(List.of("-cp", CLASS_PATH, CompilerProgram.class.getName(), mode, Files.createDirectories(directory.resolve(mode)).toString()));
        for (String module : List.of("core", "agent")) {
            command.add(HOUSE.resolve(module).resolve("src/main/java").toString());
        }
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return Files.readAllLines(out);
    }

    private Map<String, byte[]> files(String mode) throws Exception {
        Path root = directory.resolve(mode);
        Map<String, byte[]> contents = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                contents.put(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return contents;
    }
}
