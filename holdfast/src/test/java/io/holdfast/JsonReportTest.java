package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.holdfast.core.AbandonReason;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The keys and their order are a contract with tools: schema 1. */
class JsonReportTest {
    static LeakReport report(List<Leak> leaks, boolean settled) {
        return new LeakReport("0.1.0", Fixtures.NOON, Fixtures.NOON, 4711, new LeakReport.Jvm("17.0.15+6", "G1", "agent"), settled, leaks,
                List.of(new SearchSummary(1, SearchState.COMPLETED, AbandonReason.NONE, 12, 20_000, 60_000, Fixtures.NOON, 34_567_890, 4_321_000, 1_000)),
                List.of(1L, 2L), -1, Map.of("a.b", 3L), new LeakReport.Cost(35.5, 0.00123, 4_321, 1_000, -1, 22.5), List.of("JNI is not visible."), null);
    }

    private static List<String> keys(JsonElement element) {
        return List.copyOf(element.getAsJsonObject().keySet());
    }

    @Test
    void schemaOne() {
        JsonObject json = JsonParser.parseString(JsonReport.render(report(List.of(LeakTextTest.sessionLeak()), false))).getAsJsonObject();
        assertThat(keys(json)).containsExactly("schema", "holdfast", "writtenAt", "startedAt", "pid", "jvm", "verdict", "leaks", "searches", "heap", "allocation",
                "counters", "cost", "limits");
        assertThat(json.get("schema").getAsInt()).isEqualTo(1);
        assertThat(json.get("verdict").getAsString()).isEqualTo("leaks");
        JsonObject leak = json.getAsJsonArray("leaks").get(0).getAsJsonObject();
        assertThat(keys(leak)).containsExactly("id", "class", "state", "outcome", "sampledClasses", "trend", "live", "accumulation", "allocation", "chains",
                "hints", "confirmation");
        assertThat(keys(leak.get("trend"))).contains("distinctAges", "growth", "folds", "firstSeen");
        assertThat(keys(leak.get("live"))).containsExactly("tracked", "estimatedInstances", "estimatedBytes", "bytesPerHour", "relativeError");
        assertThat(keys(leak.get("accumulation"))).contains("holder", "containerClass", "elements", "elementsGrowth", "share");
        assertThat(keys(leak.getAsJsonArray("allocation").get(0))).containsExactly("site", "threads", "tracked", "stack");
        JsonObject chain = leak.getAsJsonArray("chains").get(0).getAsJsonObject();
        assertThat(keys(chain)).containsExactly("root", "edges", "totalHops", "truncated", "instances", "share", "growth", "validatedAt", "signature");
        assertThat(keys(chain.get("root"))).containsExactly("kind", "label", "thread");
        JsonArray edges = chain.getAsJsonArray("edges");
        assertThat(edges).hasSize(5);
        assertThat(keys(edges.get(0))).containsExactly("holder", "declaringClass", "kind", "field", "index", "local", "target");
        assertThat(edges.get(2).getAsJsonObject().get("index").getAsInt()).isEqualTo(17);
        assertThat(edges.get(0).getAsJsonObject().get("index").isJsonNull()).isTrue();
        assertThat(keys(json.getAsJsonArray("searches").get(0))).containsExactly("id", "state", "reason", "passes", "visited", "startedAt", "cpuMillis",
                "longestSliceMicros");
        assertThat(keys(json.get("cost"))).containsExactly("cpuMillis", "cpuShare", "longestSliceMicros", "bytesHeld", "hookSlowPathNanosP99",
                "stoppedMillis");
    }

    @Test
    void whatTheVmSaidStandsApartFromTheChains() {
        Leak leak = LeakTextTest.confirmed();
        JsonObject json = JsonParser.parseString(JsonReport.render(report(List.of(leak), false))).getAsJsonObject().getAsJsonArray("leaks").get(0).getAsJsonObject();
        assertThat(json.getAsJsonArray("chains")).isEmpty();
        JsonObject answer = json.getAsJsonObject("confirmation");
        assertThat(keys(answer)).containsExactly("source", "outcome", "match", "samples", "matched", "pauseMillis", "askedAt", "root", "path");
        assertThat(answer.get("source").getAsString()).isEqualTo("jdk.OldObjectSample");
        assertThat(answer.get("pauseMillis").getAsDouble()).isEqualTo(42.275);
        assertThat(answer.get("match").getAsString()).isEqualTo("class_and_site");
        assertThat(keys(answer.get("root"))).containsExactly("system", "type", "detail", "class");
        assertThat(keys(answer.getAsJsonArray("path").get(0))).containsExactly("holder", "field", "static", "index", "skipped", "target");
        JsonObject asked = JsonParser.parseString(JsonReport.render(report(List.of(LeakTextTest.sessionLeak()), false))).getAsJsonObject();
        assertThat(asked.getAsJsonArray("leaks").get(0).getAsJsonObject().get("confirmation").isJsonNull()).isTrue();
        assertThat(asked.get("allocation").isJsonNull()).isTrue();
    }

    @Test
    void allocationVolumesAreThreeTablesOfTheSameBytes() {
        AllocationVolumes.Table classes = new AllocationVolumes.Table(List.of(new AllocationVolumes.Row("byte[]", 900)), 100);
        AllocationVolumes.Table rest = new AllocationVolumes.Table(List.of(), 1_000);
        LeakReport bare = report(List.of(), true);
        LeakReport report = new LeakReport(bare.version(), bare.writtenAt(), bare.startedAt(), bare.pid(), bare.jvm(), true, bare.leaks(), bare.searches(),
                bare.floorBytes(), -1, bare.counters(), bare.cost(), bare.limits(), new AllocationVolumes(20, 77, classes, rest, rest));
        JsonObject json = JsonParser.parseString(JsonReport.render(report)).getAsJsonObject().getAsJsonObject("allocation");
        assertThat(keys(json)).containsExactly("source", "estimate", "windowSeconds", "samples", "bytes", "bytesPerSecond", "classes", "sites", "threads");
        assertThat(json.get("bytesPerSecond").getAsLong()).isEqualTo(50);
        assertThat(keys(json.get("classes"))).containsExactly("top", "otherBytes");
        JsonObject top = json.getAsJsonObject("classes").getAsJsonArray("top").get(0).getAsJsonObject();
        assertThat(keys(top)).containsExactly("name", "bytes", "share");
        assertThat(top.get("share").getAsDouble()).isEqualTo(0.9);
        assertThat(TextReport.render(report)).contains("""
                allocated 50 B/s of late, estimated from 77 samples
                  classes
                    90 %  byte[]
                  sites
                  threads
                """);
    }

    @Test
    void theErrorOfAnEstimateIsANumberOrNull() {
        assertThat(relativeError(0.25).getAsDouble()).isEqualTo(0.25);
        assertThat(relativeError(Double.NaN).isJsonNull()).isTrue();
    }

    private static JsonElement relativeError(double error) {
        Leak leak = LeakTextTest.sessionLeak();
        Leak estimated = new Leak(leak.id(), leak.className(), leak.state(), leak.outcome(), leak.sampledClasses(), leak.trend(),
                new LiveEstimate(40, 1_000, 216_000, 0, error), leak.growth(), leak.allocation(), leak.chains(), leak.hints());
        return JsonParser.parseString(JsonReport.render(report(List.of(estimated), true))).getAsJsonObject().getAsJsonArray("leaks").get(0)
                .getAsJsonObject().getAsJsonObject("live").get("relativeError");
    }

    @Test
    void oneLeakIsTheSameObjectAsInTheReport() {
        Leak leak = LeakTextTest.sessionLeak();
        LeakReport report = report(List.of(leak), true);
        JsonElement whole = JsonParser.parseString(report.toJson());
        assertThat(report.toJson(leak.id()).map(JsonParser::parseString)).contains(whole.getAsJsonObject().getAsJsonArray("leaks").get(0));
        assertThat(report.toJson("00000000")).isEmpty();
        assertThat(report.toText()).contains(Holdfast.describe(leak)).contains("verdict: 1 leak");
    }

    @Test
    void noLeakIsUndecidedUntilEnoughWasSeen() {
        assertThat(report(List.of(), false).verdict()).isEqualTo("undecided");
        assertThat(report(List.of(), true).verdict()).isEqualTo("none");
    }
}
