package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one run learns about a program's allocation sites is used by the next from the moment the class is loaded. */
class LearnedStartTest {
    @TempDir
    Path scratch;

    private JsonObject counters(String name, Class<?> program, Path sites) throws Exception {
        Path report = scratch.resolve(name + ".json");
        ForkedJvm.Result result = new ForkedJvm().flags("-Xmn6m").agent("sites=" + sites + ",report=" + report).run(scratch, program, sites.toString());
        assertThat(result.output()).contains("result 42").doesNotContain("cannot be");
        assertThat(result.status()).isZero();
        return JsonParser.parseString(Files.readString(report)).getAsJsonObject().getAsJsonObject("counters");
    }

    @Test
    void theSecondStartHooksTheClassAsItIsLoaded() throws Exception {
        Path sites = scratch.resolve("sites.txt");
        assertThat(counters("first", Programs.TeachesTheNextStart.class, sites).has("agent.sites.learned")).isFalse();
        JsonObject second = counters("second", Programs.LoadsWhatWasLearned.class, sites);
        assertThat(second.get("agent.sites.learned").getAsLong()).isPositive();
    }
}
