package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Option {@code confirm=jfr} with the finished agent: what only a JNI reference holds is explained by the VM. */
class ConfirmTest {
    @TempDir
    Path scratch;

    @Test
    void aLeakThatNothingInJavaHoldsIsFoundAndTheVmSaysWhatHoldsIt() throws Exception {
        Path report = scratch.resolve("report.json");
        Path recording = scratch.resolve("recording.jfr");
        ForkedJvm.Result result = new ForkedJvm().agent("confirm=jfr,report=" + report + ",jfr=" + recording).flags("-Xmx256m", "-javaagent:" + keeper())
                .run(scratch, HeldByNativeCode.class, report.toString());
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).contains("found true").doesNotContain("\tat ");
        assertThat(result.output().lines().filter(line -> line.contains("confirm=jfr: asked the VM"))).as(result.output()).hasSize(1);
        assertThat(result.output()).contains("UNEXPLAINED", "JNI Global, Global JNI Handle", "not read again by Holdfast");

        JsonObject json = JsonParser.parseString(Files.readString(report)).getAsJsonObject();
        JsonObject leak = leak(json);
        assertThat(leak.get("outcome").getAsString()).isEqualTo("unreached");
        assertThat(leak.getAsJsonArray("chains")).isEmpty();
        JsonObject answer = leak.getAsJsonObject("confirmation");
        assertThat(answer.get("source").getAsString()).isEqualTo("jdk.OldObjectSample");
        assertThat(answer.get("match").getAsString()).isEqualTo("class_and_site");
        assertThat(answer.getAsJsonObject("root").get("type").getAsString()).isEqualTo("Global JNI Handle");
        assertThat(answer.getAsJsonArray("path").asList()).anySatisfy(step -> {
            assertThat(step.getAsJsonObject().get("holder").getAsString()).isEqualTo(HeldByNativeCode.class.getName() + "$Keeper");
            assertThat(step.getAsJsonObject().get("field").getAsString()).isEqualTo("kept");
        });
        assertThat(answer.get("pauseMillis").getAsDouble()).isPositive();
        assertThat(json.getAsJsonObject("cost").get("stoppedMillis").getAsDouble()).isGreaterThanOrEqualTo(Math.floor(answer.get("pauseMillis").getAsDouble()));
        assertThat(json.getAsJsonObject("counters").get("confirm.asked").getAsLong()).isEqualTo(1);
        assertThat(json.getAsJsonObject("allocation").getAsJsonObject("classes").getAsJsonArray("top")).isNotEmpty();

        ForkedJvm.Result back = ForkedJvm.command(scratch, "report", recording.toString(), "--json");
        assertThat(back.status()).as(back.output()).isZero();
        assertThat(leak(JsonParser.parseString(back.output()).getAsJsonObject()).get("confirmation")).isEqualTo(answer);
    }

    private static JsonObject leak(JsonObject report) {
        JsonArray leaks = report.getAsJsonArray("leaks");
        return leaks.asList().stream().map(leak -> leak.getAsJsonObject()).filter(leak -> leak.get("class").getAsString().endsWith("$Ticket")).findFirst()
                .orElseThrow(() -> new AssertionError("no such leak: " + report));
    }

    /** A jar that names the class on the class path; it needs none of its own. */
    private Path keeper() throws Exception {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", HeldByNativeCode.class.getName());
        Path jar = scratch.resolve("keeper.jar");
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest)) {
            out.finish();
        }
        return jar;
    }
}
