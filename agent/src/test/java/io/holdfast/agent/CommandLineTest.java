package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class CommandLineTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int run(String... arguments) {
        return new CommandLine(new PrintStream(out, true, StandardCharsets.UTF_8), new PrintStream(err, true, StandardCharsets.UTF_8)).run(arguments);
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    @Test
    void helpShowsUsageAndOptions() {
        assertThat(run("help")).isZero();
        assertThat(out()).startsWith("Usage:\n").contains("attach PID [OPTIONS]").contains("referencechains=true|false");
        assertThat(err()).isEmpty();
    }

    @Test
    void reportIsForTheEngineWhoeverItIs() {
        assertThat(run("report", "some.jfr", "-o", "some.json")).isEqualTo(17);
        assertThat(out()).isEqualTo("[some.jfr, -o, some.json]\n");
        assertThat(run("report", "throws")).isEqualTo(1);
        assertThat(err()).isEqualTo("holdfast: no report: from the engine\n");
    }

    @Test
    void anythingElseIsNotUnderstood() {
        assertThat(run()).isEqualTo(2);
        assertThat(err()).startsWith("Usage:");
        assertThat(run("atach")).isEqualTo(2);
        assertThat(err()).contains("unknown command 'atach'");
        assertThat(out()).isEmpty();
    }

    @Test
    void attachNeedsAProcessId() {
        assertThat(run("attach")).isEqualTo(2);
        assertThat(err()).startsWith("holdfast: attach needs the process id of a JVM, and at most one text of options.\n");
        assertThat(run("attach", "demo")).isEqualTo(2);
        assertThat(run("attach", "")).isEqualTo(2);
        assertThat(run("attach", "1", "a=b", "c=d")).isEqualTo(2);
    }

    @Test
    void attachRefusesOptionsItDoesNotUnderstand() {
        assertThat(run("attach", "1", "generation=true")).isEqualTo(2);
        assertThat(err()).startsWith("holdfast: ").contains("generation").hasLineCount(1);
    }
}
