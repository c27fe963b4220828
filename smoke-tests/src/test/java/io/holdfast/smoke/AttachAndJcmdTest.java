package io.holdfast.smoke;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recipe of docs/jmx-and-jcmd.md, as its script runs it. */
class AttachAndJcmdTest {
    @TempDir
    private Path directory;

    @Test
    void aProgramThatIsRunningIsLookedIntoAndItsRecordingTellsTheSame() throws Exception {
        Path output = directory.resolve("output.txt");
        ProcessBuilder builder = new ProcessBuilder("bash", Path.of("..", "examples", "attach-and-jcmd").toAbsolutePath().normalize().toString(), "600")
                .redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        builder.environment().put("SKIP_BUILD", "true");
        Process script = builder.start();
        try {
            assertThat(script.waitFor(900, TimeUnit.SECONDS)).as(Files.readString(output)).isTrue();
            assertThat(script.exitValue()).as(Files.readString(output)).isZero();
            assertThat(Files.readString(output)).contains("holdfast: started in process").contains("holdfast.ReferenceChain").contains("SessionRegistry.ACTIVE")
                    .contains("verdict: 1 leak");
        } finally {
            script.destroy();
        }
    }
}
