package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.IsolatedProgram;
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

/** What only a JVM of its own can show. */
class ForkedAgentTest {
    private static final long LIMIT_SECONDS = 600;
    private static final String CLASS_PATH = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));

    @TempDir
    private Path directory;

    record Outcome(int exitValue, List<String> out, List<String> err) { }

    private Outcome fork(List<String> flags, String mainClass, String... arguments) throws Exception {
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Path temporary = Files.createDirectories(directory.resolve("tmp"));
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx128m",
                "-XX:TieredStopAtLevel=1", "-Djava.io.tmpdir=" + temporary));
        if (!flags.contains("-cp")) {
            command.addAll(List.of("-cp", CLASS_PATH));
        }
        command.addAll(1, flags);
        command.add(mainClass);
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("holdfast"))).isEmpty();
        }
        return new Outcome(process.exitValue(), Files.readAllLines(out), Files.readAllLines(err));
    }

    /** The flag that silences JDK 21's warning about agents that come late, where it exists. */
    private static List<String> quiet(String... more) {
        List<String> flags = new ArrayList<>(List.of(more));
        if (Runtime.version().feature() >= 21) {
            flags.add("-XX:+EnableDynamicAgentLoading");
        }
        return flags;
    }

    @Test
    void sitesYieldSamplesAndEverythingIsRestored() throws Exception {
        Outcome outcome = fork(quiet("-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal"), ForkedProgram.class.getName(), "sites");
        List<String> round = List.of("active: [grow=true, login=true, newNode=true] batches: 1",
                "second install: Another Holdfast in this JVM already uses the allocation hook.", "samples without tokens: 0",
                "samples: [grow@grow, login@login, newNode@newNode]",
                "changed classes: [fixtures/LeakyProgram, java/util/ArrayList, java/util/HashMap]", "hammered: true", "changed classes after close: []",
                "samples after close: 0");
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            expected.add("round " + i + " " + round.get(0));
            expected.addAll(round.subList(1, round.size()));
            expected.add("counters: {agent.hits.own_threads=0}");
        }
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).isEqualTo(expected);
        assertThat(outcome.exitValue()).isZero();
    }

    @Test
    void loadersShareSitesAndAreNotKept() throws Exception {
        Outcome outcome = fork(quiet(), ForkedProgram.class.getName(), "loaders");
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).containsExactly("samples: 3", "loaders gone: true true");
    }

    @Test
    void selfAttachWorksWhenHoldfastIsNotInTheSystemLoader() throws Exception {
        Path alone = Files.createDirectories(directory.resolve("alone"));
        Path file = Files.createDirectories(alone.resolve("fixtures")).resolve("IsolatedProgram.class");
        Files.write(file, RewritingLoader.classFile(IsolatedProgram.class.getName()));
        Outcome outcome = fork(quiet("-cp", alone.toString()), IsolatedProgram.class.getName(), CLASS_PATH);
        assertThat(outcome.err()).isEmpty();
        assertThat(outcome.out()).containsExactly("attached: true");
    }

    @Test
    void selfAttachWorksDirectlyToo() throws Exception {
        Outcome outcome = fork(quiet("-Djdk.attach.allowAttachSelf=true"), ForkedProgram.class.getName(), "attach");
        assertThat(outcome.out()).containsExactly("attached, retransforms: true");
        assertThat(outcome.err()).isEmpty();
    }

    @Test
    void whereAttachingIsForbiddenTheReasonIsOneLine() throws Exception {
        Outcome outcome = fork(List.of("-XX:+DisableAttachMechanism"), ForkedProgram.class.getName(), "attach");
        assertThat(outcome.out()).containsExactly("attaching is switched off (-XX:+DisableAttachMechanism)");
        assertThat(outcome.err()).isEmpty();
    }

    private Path agentJar() throws Exception {
        Path jar = directory.resolve("agent.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", HoldfastAgent.class.getName());
        manifest.getMainAttributes().putValue("Can-Retransform-Classes", "true");
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.flush();
        }
        return jar;
    }

    @Test
    void theAgentStartsTheEngineAndASecondOneSaysWhyNot() throws Exception {
        String agent = "-javaagent:" + agentJar() + "=generations=true";
        Outcome outcome = fork(List.of(agent, agent), ForkedProgram.class.getName(), "plain");
        assertThat(outcome.out()).containsExactly("engine: generations=true attached=false", "application runs");
        assertThat(outcome.err()).containsExactly("holdfast: not started: Holdfast already runs in this JVM.");
    }

    @Test
    void nothingEscapesFromTheAgent() throws Exception {
        Outcome outcome = fork(List.of("-javaagent:" + agentJar() + "=fail"), ForkedProgram.class.getName(), "plain");
        assertThat(outcome.out()).containsExactly("application runs");
        assertThat(outcome.err()).containsExactly("holdfast: not started: failed in two lines");
        assertThat(outcome.exitValue()).isZero();
    }

    @Test
    void attachingToAProcessThatIsNotThereIsOneLine() throws Exception {
        Outcome outcome = fork(List.of(), HoldfastAgent.class.getName(), "attach", "999999999");
        assertThat(outcome.exitValue()).isEqualTo(1);
        assertThat(outcome.err()).singleElement().asString().startsWith("holdfast: cannot start in process 999999999: ");
    }
}
