package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.examples.neighbours.ShiftingAgent;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Other agents, generated classes and mocks beside the finished agent: both do their work. */
class CoexistenceTest {
    private static final String NEIGHBOURS = "io.holdfast.examples.neighbours.Neighbours";

    @TempDir
    Path scratch;

    private static Path jarOf(String name) {
        return Stream.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator)).map(Path::of)
                .filter(path -> path.getFileName().toString().startsWith(name)).findFirst().orElseThrow();
    }

    private String shifting() throws Exception {
        Path jar = scratch.resolve("shifting.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", ShiftingAgent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.flush();
        }
        return "-javaagent:" + jar;
    }

    private void run(List<String> before, String options, List<String> after, String... wanted) throws Exception {
        Path report = scratch.resolve("report.json");
        List<String> flags = new ArrayList<>(before);
        flags.add("-javaagent:" + ForkedJvm.AGENT + "=report=" + report + (options.isEmpty() ? "" : "," + options));
        flags.addAll(after);
        if (Runtime.version().feature() >= 21) {
            flags.add("-XX:+EnableDynamicAgentLoading"); // of Mockito
        }
        ForkedJvm.Result result = new ForkedJvm().flags(flags.toArray(String[]::new))
                .run(scratch, Class.forName(NEIGHBOURS, false, getClass().getClassLoader()), wanted);
        assertThat(result.output()).contains("wrong answers 0", "seen " + Stream.of(wanted).sorted().toList(), "result 42")
                .doesNotContain("\tat ", "VerifyError");
        assertThat(result.status()).isZero();
        JsonObject counters = JsonParser.parseString(Files.readString(report)).getAsJsonObject().getAsJsonObject("counters");
        assertThat(counters.has("agent.classes.refused") ? counters.get("agent.classes.refused").getAsLong() : 0).isZero();
        assertThat(counters.get("agent.interval.samples").getAsLong()).isPositive();
    }

    @Test
    void anAgentBeforeUsThatMovesEveryIndex() throws Exception {
        run(List.of(shifting()), "", List.of(), "ByWork");
    }

    @Test
    void anAgentAfterUsThatMovesEveryIndex() throws Exception {
        run(List.of(), "", List.of(shifting()), "ByWork");
    }

    @Test
    void generatedClassesMocksAndCoverageWithAllSites() throws Exception {
        // Not Mockito's own classes: these two do not get on with each other.
        String coverage = "-javaagent:" + jarOf("org.jacoco.agent") + "=includes=io.holdfast.examples.*,destfile=" + scratch.resolve("jacoco.exec");
        run(List.of(coverage), "allsites=true", List.of(shifting()), "ByWork", "Generated", "Made", "Node");
        assertThat(scratch.resolve("jacoco.exec")).isNotEmptyFile();
    }

    @Test
    void theAgentLeavesClassDataSharingOnAndTheJvmQuiet() throws Exception {
        Path loading = scratch.resolve("loading.txt");
        ForkedJvm.Result result = new ForkedJvm().flags("-Xlog:class+load:file=" + loading).agent("").run(scratch, Programs.EndsWithTheHook.class);
        assertThat(result.output()).contains("result 42").doesNotContain("WARNING", "Sharing is only supported", "loaded dynamically");
        try (Stream<String> lines = Files.lines(loading)) {
            List<String> loaded = lines.filter(line -> line.contains("source:")).toList();
            assertThat(loaded).anyMatch(line -> line.contains("java.lang.HoldfastAllocationHook"));
            assertThat(loaded.stream().filter(line -> line.contains("shared objects file")).count()).isGreaterThan(400);
        }
    }
}
