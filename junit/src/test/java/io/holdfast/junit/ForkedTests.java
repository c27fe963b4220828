package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Runs test classes in a JVM of their own, with a JUnit of choice instead of the one this build uses. */
final class ForkedTests {
    private static final int LIMIT_SECONDS = 900;
    private static final Pattern OUTCOME = Pattern.compile("#(SUCCESSFUL|FAILED|ABORTED) (\\S+) .*");

    private final Path scratch;
    private final String version;
    private final List<String> flags = new ArrayList<>(List.of("-Xmx128m", "-Dholdfast.junit.search-seconds=600"));

    /** @param version one that the build has put beside the classes: 5.12, 5.14 or 6 */
    ForkedTests(Path scratch, String version) {
        this.scratch = scratch;
        this.version = version;
    }

    ForkedTests flags(String... more) {
        flags.addAll(List.of(more));
        return this;
    }

    /**
     * What became of it.
     *
     * @param outcomes SUCCESSFUL, FAILED or ABORTED with the message, by test; repeated tests one line a repetition, numbered
     */
    record Result(int status, String output, Map<String, String> outcomes) {
        /** The outcome is in the name of the test: pass..., fail..., abort..., error... */
        Result asNamed() {
            assertThat(outcomes).as(output).isNotEmpty();
            outcomes.forEach((test, outcome) -> {
                if (test.startsWith("pass")) {
                    assertThat(outcome).as(test).startsWith("SUCCESSFUL");
                } else if (test.startsWith("fail")) {
                    assertThat(outcome).as(test).startsWith("FAILED").contains("org.opentest4j.AssertionFailedError", "GC Root: ", "<- leaked", "likely cause: ",
                            "leak id ", "objects, ");
                } else if (test.startsWith("abort")) {
                    assertThat(outcome).as(test).startsWith("ABORTED").contains("Holdfast cannot tell: ");
                } else {
                    assertThat(outcome).as(test).startsWith("FAILED").doesNotContain("AssertionFailedError");
                }
            });
            return this;
        }

        String of(String test) {
            assertThat(outcomes).as(output).containsKey(test);
            return outcomes.get(test);
        }
    }

    Result run(String... arguments) throws IOException, InterruptedException {
        // ours as system properties, which JUnit's configuration parameters fall back to
        Stream.of(arguments).filter(a -> a.startsWith("holdfast.")).forEach(a -> flags.add("-D" + a));
        return main("com.acme.shop.RunTests", Stream.of(arguments).filter(a -> !a.startsWith("holdfast.")).toArray(String[]::new));
    }

    Result main(String main, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(flags);
        command.addAll(List.of("-cp", classPath(), main));
        command.addAll(List.of(arguments));
        Path output = Files.createTempFile(scratch, "output", ".txt");
        Process process = new ProcessBuilder(command).directory(scratch.toFile()).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new AssertionError("not finished after " + LIMIT_SECONDS + " s:\n" + Files.readString(output));
        }
        String text = Files.readString(output);
        return new Result(process.exitValue(), text, outcomes(text));
    }

    private static Map<String, String> outcomes(String text) {
        Map<String, StringBuilder> found = new LinkedHashMap<>();
        StringBuilder current = new StringBuilder();
        for (String line : text.split("\n", -1)) {
            Matcher outcome = OUTCOME.matcher(line);
            if (outcome.matches()) {
                current = new StringBuilder(outcome.group(1));
                String name = outcome.group(2);
                for (int i = 2; found.containsKey(name); i++) {
                    name = outcome.group(2) + " " + i;
                }
                found.put(name, current);
            } else {
                current.append('\n').append(line);
            }
        }
        return found.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, e -> e.getValue().toString(), (a, b) -> a, LinkedHashMap::new));
    }

    /** This build's, with another JUnit. */
    private String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(Path.of("target", "junit-" + version))) {
            String own = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> !entry.contains("junit-jupiter") && !entry.contains("junit-platform") && !entry.contains("opentest4j"))
                    .map(entry -> Path.of(entry).toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator));
            return jars.map(jar -> jar.toAbsolutePath().toString()).collect(Collectors.joining(File.pathSeparator)) + File.pathSeparator + own;
        }
    }
}
