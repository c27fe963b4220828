package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The behaviours of the JVM's own heap sampler (JEP 331), in JVMs of their own, with all sites instrumented: interpreted, compiled, on each collector. */
class IntervalLaneForkedTest {
    private static final String CLASS_PATH = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    private static final long LIMIT_SECONDS = 600;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
            "-XX:+UseG1GC,                                        1000 statistics",
            "-XX:+UseSerialGC -Xint,                              0",
            "-XX:+UseParallelGC -XX:TieredStopAtLevel=1,          100",
            "-XX:+UseZGC,                                         50",
            "-XX:+UseShenandoahGC,                                50",
    })
    void itBehavesLikeTheJvmsOwnSampler(String flags, String arguments) throws Exception {
        assumeThat(run(List.of(flags.split(" ")), "-version").exitValue()).isZero();
        List<String> expected = new ArrayList<>(List.of(
                "batches without a listener: 0",
                "samples without a listener: 0",
                "rows of an array of arrays: 3",
                "ways to allocate not seen exactly once: {}",
                "unfinished object seen: false",
                "stack of the allocation in the callback: 1 with 21 frames",
                "deepest callback: 1",
                "calls of a listener that throws: true",
                "the other one is told: true",
                "log: [Holdfast: a listener of sampled allocations (LAMBDA) has thrown 8 times, last java.lang.IllegalArgumentException, and is dropped.]",
                "two listeners are told: 1 and 1",
                "one is removed: 0 and 1",
                "on and off: true false true false true false",
                "threads enabled one by one: [worker-0, worker-12, worker-4, worker-8]",
                "told of 16000 objects on eight threads: 16000",
                "samples follow the interval: true true true",
                "negative interval: 0",
                "the interval is raised: true",
                "and comes down: 1000",
                "followed and alive: 99",
                "the dropped one is dead: true",
                "no death of the living: true",
                "faults of a death callback: true",
                "told of 3000 objects on virtual threads: 3000",
                "interval when nobody listens: false"));
        if (arguments.contains("statistics")) {
            expected.add("mixed: true true true");
            expected.add("rhythm: true true");
        }
        expected.add("samples after close: 0");
        expected.add("listeners after close: false");
        expected.add("refused classes: 0");
        List<String> command = new ArrayList<>(List.of(flags.split(" ")));
        command.addAll(List.of("-Xmx256m", "-Djdk.attach.allowAttachSelf=true", "-XX:+UnlockDiagnosticVMOptions", "-XX:+BytecodeVerificationLocal"));
        if (Runtime.version().feature() >= 21) {
            command.add("-XX:+EnableDynamicAgentLoading");
        }
        command.addAll(List.of("-cp", CLASS_PATH, IntervalProgram.class.getName()));
        command.addAll(List.of(arguments.split(" ")));
        Outcome outcome = run(command);
        assertThat(outcome.lines().stream().map(line -> line.replaceAll("\\(io\\.holdfast\\.agent\\.IntervalProgram\\$\\$Lambda[^)]*\\)", "(LAMBDA)")))
                .isEqualTo(expected);
        assertThat(outcome.exitValue()).isZero();
    }

    record Outcome(int exitValue, List<String> lines) { }

    private Outcome run(List<String> flags, String... more) throws Exception {
        Path out = directory.resolve("out");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        Process process = builder.start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(Files.readString(out)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Outcome(process.exitValue(), Files.readAllLines(out));
    }
}
