package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.context.support.GenericApplicationContext;

/** From ready to closed, in JVMs of their own. */
class LifecycleTest {
    private static final long LIMIT_SECONDS = 1_200;

    @TempDir
    private Path directory;

    private List<String> run(String what, String... flags) throws IOException, InterruptedException {
        Path out = directory.resolve("out.txt");
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m"));
        command.addAll(List.of(flags));
        // An application has one health API; we compile against both.
        String classPath = Stream.of(System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")).split(File.pathSeparator))
                .filter(entry -> !entry.contains("spring-boot-health")).collect(Collectors.joining(File.pathSeparator));
        command.addAll(List.of("-cp", classPath, RestartingProgram.class.getName(), what));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
        try {
            assertThat(process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)).as(Files.readString(out)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        List<String> lines = Files.readAllLines(out);
        assertThat(lines).as(Files.readString(out)).contains("done");
        return lines;
    }

    /** Soft references of Spring's caches hold the loader too; here they go with every collection. */
    @Test
    void aRestartLeavesNeitherThreadsNorLoaderBehind() throws Exception {
        List<String> lines = run("restarts", "-XX:SoftRefLRUPolicyMSPerMB=0");
        for (int round = 0; round < 3; round++) {
            assertThat(lines).contains("round " + round + " loader gone true", "round " + round + " threads gone true []",
                    "round " + round + " running Optional.empty Optional.empty");
        }
        assertThat(lines).filteredOn(line -> line.equals("up true")).hasSize(2);
        assertThat(lines).filteredOn(line -> line.equals("its own loader true")).hasSize(3);
        assertThat(lines).filteredOn(line -> line.equals("watched true")).hasSize(2);
        assertThat(lines).filteredOn(line -> line.contains("started  access=self-attached")).hasSize(2);
    }

    @Test
    void twoContextsShareOneHoldfastAndTheOneThatStartedItStopsIt() throws Exception {
        List<String> lines = run("two");
        assertThat(lines).contains("up true", "shared true", "second closed, still running true", "first closed, running false", "up again true", "threads gone true");
        assertThat(lines).filteredOn(line -> line.contains("this context shows its findings and leaves it running")).hasSize(1);
        assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
    }

    @Test
    void withoutPermissionToAttachTheApplicationRunsAndTheReportSaysWhatIsMissing() throws Exception {
        List<String> lines = run("refused", "-XX:+DisableAttachMechanism");
        assertThat(lines).contains("up true", "active true");
        assertThat(lines).anyMatch(line -> line.contains("No agent: attaching is switched off"));
        assertThat(lines).noneMatch(line -> line.startsWith("\tat "));
    }

    /** Where a native image runs it, nothing is started and nothing fails. */
    @Test
    void inANativeImageOneLineSaysThatNothingIsStarted() {
        HoldfastProperties properties = new Binder(new MapConfigurationPropertySource(Map.of())).bindOrCreate("holdfast", Bindable.of(HoldfastProperties.class));
        HoldfastLifecycle lifecycle = new HoldfastLifecycle(properties, List::of, List::of, () -> true);
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            lifecycle.setApplicationContext(context);
            lifecycle.onApplicationEvent(new ApplicationReadyEvent(new SpringApplication(), new String[0], context, null));
        }
        assertThat(lifecycle.get()).isEmpty();
        assertThat(io.holdfast.Holdfast.startedBy()).isEmpty();
    }
}
