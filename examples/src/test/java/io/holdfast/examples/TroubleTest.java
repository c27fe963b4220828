package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bad input and trouble: one clear line each, and the program runs on with its own result. Uses the finished one-jar agent. */
class TroubleTest {
    @TempDir
    Path scratch;

    private String hello(String options, String... flags) throws Exception {
        ForkedJvm.Result result = new ForkedJvm().flags(flags).agent(options).run(scratch, Programs.Hello.class);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("result 42").doesNotContain("\tat ");
        return result.output();
    }

    @Test
    void anUnknownOptionIsNamedWithItsNearestMatch() throws Exception {
        assertThat(hello("refrencechains=true")).containsOnlyOnce("refrencechains").contains("Did you mean 'referencechains'?");
    }

    @Test
    void aBadValueIsNamedWithWhatIsAllowed() throws Exception {
        assertThat(hello("delay=soon").lines().filter(l -> l.contains("delay=soon"))).hasSize(1);
    }

    @Test
    void aReportThatCannotBeWrittenIsOneLine() throws Exception {
        Path file = Files.createFile(scratch.resolve("file"));
        assertThat(hello("report=" + file.resolve("report.json")).lines().filter(l -> l.contains("cannot be written"))).hasSize(1);
    }

    @Test
    void aBareReferencechainsSaysWhyItActivatesNothing() throws Exception {
        assertThat(hello("referencechains=true").lines().filter(l -> l.contains("activates nothing by itself"))).hasSize(1);
    }

    @Test
    void theAgentGivenTwiceRunsOnce() throws Exception {
        String output = hello("", "-javaagent:" + ForkedJvm.AGENT);
        assertThat(output.lines().filter(l -> l.contains("already"))).as(output).hasSize(1);
    }

    @Test
    void withoutPermissionToAttachItSaysSoAndRunsOn() throws Exception {
        ForkedJvm.Result result = new ForkedJvm().flags("-XX:+DisableAttachMechanism").run(scratch, Programs.StartedAndClosed.class);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(l -> l.contains("no agent ("))).as(result.output()).hasSize(1);
        assertThat(result.output()).contains("left []", "kept true").doesNotContain("\tat ");
    }

    @Test
    void aProgramWhoseMainReturnsEnds() throws Exception {
        ForkedJvm.Result result = new ForkedJvm().run(scratch, Programs.EndsByItself.class);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("result 42").doesNotContain("\tat ");
    }

    @Test
    void aSecondStartIsOneLineAndTheSameHoldfast() throws Exception {
        ForkedJvm.Result result = new ForkedJvm().run(scratch, Programs.StartedTwice.class);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output().lines().filter(l -> l.contains("already running"))).hasSize(1);
        assertThat(result.output()).contains("same true", "current false", "result 42").doesNotContain("\tat ");
    }

    @Test
    void closedItLeavesNothingBehindAndTheRecordingTellsWhatTheReportDoes() throws Exception {
        Path report = scratch.resolve("report.json");
        Path recording = scratch.resolve("recording.jfr");
        ForkedJvm.Result result = new ForkedJvm().run(scratch, Programs.StartedAndClosed.class, "report=" + report + ",jfr=" + recording);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("left []", "property null", "recordings 0", "kept true").doesNotContain("\tat ");
        assertThat(report).isRegularFile();

        ForkedJvm.Result command = ForkedJvm.command(scratch, "report", recording.toString(), "--json");
        assertThat(command.status()).as(command.output()).isZero();
        JsonObject read = JsonParser.parseString(command.output()).getAsJsonObject();
        JsonObject written = JsonParser.parseString(Files.readString(report)).getAsJsonObject();
        for (String key : List.of("schema", "holdfast", "pid", "jvm", "verdict", "limits")) {
            assertThat(read.get(key)).as(key).isEqualTo(written.get(key));
        }
        assertThat(read.getAsJsonArray("leaks").size()).isEqualTo(written.getAsJsonArray("leaks").size());
        assertThat(ForkedJvm.command(scratch, "report", recording.toString()).output()).startsWith("Holdfast ").contains("verdict: ");
    }

    @Test
    void aReportOfWhatIsNoRecordingIsOneLineAndStatusTwo() throws Exception {
        Path foreign = Files.writeString(scratch.resolve("foreign.jfr"), "no recording");
        for (Path file : List.of(foreign, scratch.resolve("missing.jfr"))) {
            ForkedJvm.Result result = ForkedJvm.command(scratch, "report", file.toString());
            assertThat(result.status()).as(result.output()).isEqualTo(2);
            assertThat(result.output()).startsWith("holdfast: " + file).hasLineCount(1);
        }
        ForkedJvm.Result html = ForkedJvm.command(scratch, "report", foreign.toString(), "-o", "report.html");
        assertThat(html.status()).isEqualTo(2);
        assertThat(html.output()).isEqualToIgnoringNewLines("holdfast: report writes text and JSON (-o FILE.json); HTML is not there yet.");
    }
}
