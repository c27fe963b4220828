package io.holdfast;

import com.google.gson.stream.JsonWriter;
import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.SearchSummary;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;

/** The JSON report, schema 1. Stable order of keys; new keys may be added, none changes its meaning within a schema. */
final class JsonReport {
    static final int SCHEMA = 1;

    private final JsonWriter json;

    private JsonReport(JsonWriter json) {
        this.json = json;
    }

    static String render(LeakReport report) {
        return render(json -> json.write(report));
    }

    /** One leak, as in the report. */
    static String render(Leak leak) {
        return render(json -> json.leak(leak));
    }

    private static String render(Content content) {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setIndent("  ");
            json.setSerializeNulls(true);
            content.writeTo(new JsonReport(json));
        } catch (IOException e) {
            throw new IllegalStateException("a StringWriter does not fail", e);
        }
        return text.append('\n').toString();
    }

    private interface Content {
        void writeTo(JsonReport json) throws IOException;
    }

    private void write(LeakReport report) throws IOException {
        json.beginObject();
        json.name("schema").value(SCHEMA);
        json.name("holdfast").value(report.version());
        json.name("writtenAt").value(report.writtenAt().toString());
        json.name("startedAt").value(report.startedAt().toString());
        json.name("pid").value(report.pid());
        json.name("jvm").beginObject();
        json.name("version").value(report.jvm().version());
        json.name("gc").value(report.jvm().gc());
        json.name("accessLevel").value(report.jvm().accessLevel());
        json.endObject();
        json.name("verdict").value(report.verdict());
        json.name("leaks").beginArray();
        for (Leak leak : report.leaks()) {
            leak(leak);
        }
        json.endArray();
        json.name("searches").beginArray();
        for (SearchSummary search : report.searches()) {
            search(search);
        }
        json.endArray();
        json.name("heap").beginObject();
        json.name("floorBytes").beginArray();
        for (long floor : report.floorBytes()) {
            json.value(floor);
        }
        json.endArray();
        json.name("secondsToExhaustion").value(rounded(report.secondsToExhaustion()));
        json.endObject();
        json.name("allocation");
        volumes(report.allocation());
        json.name("counters").beginObject();
        for (Map.Entry<String, Long> counter : report.counters().entrySet()) {
            json.name(counter.getKey()).value(counter.getValue());
        }
        json.endObject();
        cost(report.cost());
        strings("limits", report.limits());
        json.endObject();
    }

    private void leak(Leak leak) throws IOException {
        json.beginObject();
        json.name("id").value(leak.id());
        json.name("class").value(leak.className());
        json.name("state").value(leak.state().word());
        json.name("outcome").value(leak.outcome());
        strings("sampledClasses", leak.sampledClasses());
        json.name("trend").beginObject();
        json.name("evidence").value(leak.trend().evidence().name().toLowerCase(java.util.Locale.ROOT));
        json.name("distinctAges").beginArray();
        for (int ages : leak.trend().distinctAges()) {
            json.value(ages);
        }
        json.endArray();
        json.name("growth").value(rounded(leak.trend().growth()));
        json.name("folds").value(leak.trend().folds());
        json.name("firstSeen").value(leak.trend().firstSeen().toString());
        json.endObject();
        json.name("live").beginObject();
        json.name("tracked").value(leak.live().tracked());
        json.name("estimatedInstances").value(leak.live().estimatedInstances());
        json.name("estimatedBytes").value(leak.live().estimatedBytes());
        json.name("bytesPerHour").value(leak.live().bytesPerHour());
        json.name("relativeError");
        if (Double.isFinite(leak.live().relativeError())) {
            json.value(rounded(leak.live().relativeError()));
        } else {
            json.nullValue();
        }
        json.endObject();
        json.name("accumulation");
        accumulation(leak.growth());
        json.name("allocation").beginArray();
        for (AllocationEvidence evidence : leak.allocation()) {
            json.beginObject();
            json.name("site").value(evidence.site());
            strings("threads", evidence.threads());
            json.name("tracked").value(evidence.tracked());
            strings("stack", evidence.stack());
            json.endObject();
        }
        json.endArray();
        json.name("chains").beginArray();
        for (ReferenceChain chain : leak.chains()) {
            chain(leak, chain);
        }
        json.endArray();
        strings("hints", leak.hints());
        json.name("confirmation");
        confirmation(leak.confirmation());
        json.endObject();
    }

    private void confirmation(RootConfirmation answer) throws IOException {
        if (answer == null) {
            json.nullValue();
            return;
        }
        json.beginObject();
        json.name("source").value(RootConfirmation.SOURCE);
        json.name("outcome").value(answer.outcome().word());
        json.name("match").value(answer.match() == null ? null : answer.match().word());
        json.name("samples").value(answer.samples());
        json.name("matched").value(answer.matched());
        json.name("pauseMillis").value(rounded(answer.pauseNanos() / 1e6));
        json.name("askedAt").value(answer.askedAt().toString());
        json.name("root");
        if (answer.rootType() == null) {
            json.nullValue();
        } else {
            json.beginObject();
            json.name("system").value(answer.rootSystem());
            json.name("type").value(answer.rootType());
            json.name("detail").value(answer.rootDetail());
            json.name("class").value(answer.rootClass());
            json.endObject();
        }
        json.name("path").beginArray();
        for (RootConfirmation.Step step : answer.path()) {
            json.beginObject();
            json.name("holder").value(step.holder());
            json.name("field").value(step.field());
            json.name("static").value(step.isStatic());
            json.name("index");
            if (step.index() < 0) {
                json.nullValue();
            } else {
                json.value(step.index());
            }
            json.name("skipped").value(step.skipped());
            json.name("target").value(step.target());
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }

    private void volumes(AllocationVolumes volumes) throws IOException {
        if (volumes == null) {
            json.nullValue();
            return;
        }
        json.beginObject();
        json.name("source").value("jdk.ObjectAllocationSample");
        json.name("estimate").value(true);
        json.name("windowSeconds").value(rounded(volumes.windowSeconds()));
        json.name("samples").value(volumes.samples());
        json.name("bytes").value(volumes.classes().bytes());
        json.name("bytesPerSecond").value(Math.round(volumes.bytesPerSecond()));
        table("classes", volumes.classes());
        table("sites", volumes.sites());
        table("threads", volumes.threads());
        json.endObject();
    }

    private void table(String name, AllocationVolumes.Table table) throws IOException {
        json.name(name).beginObject();
        json.name("top").beginArray();
        for (AllocationVolumes.Row row : table.rows()) {
            json.beginObject();
            json.name("name").value(row.name());
            json.name("bytes").value(row.bytes());
            json.name("share").value(rounded(table.share(row.bytes())));
            json.endObject();
        }
        json.endArray();
        json.name("otherBytes").value(table.otherBytes());
        json.endObject();
    }

    private void accumulation(Leak.Growth growth) throws IOException {
        if (growth == null) {
            json.nullValue();
            return;
        }
        json.beginObject();
        json.name("holder").value(growth.holder());
        json.name("containerClass").value(growth.containerClass());
        json.name("elements").value(growth.elements());
        json.name("elementsGrowth").value(growth.elementsGrowth());
        json.name("elementsPerHour").value(rounded(growth.elementsPerHour()));
        json.name("share").value(rounded(growth.share()));
        json.endObject();
    }

    private void chain(Leak leak, ReferenceChain chain) throws IOException {
        json.beginObject();
        json.name("root").beginObject();
        json.name("kind").value(chain.root().kind().word());
        json.name("label").value(chain.root().label());
        json.name("thread").value(chain.root().thread());
        json.endObject();
        json.name("edges").beginArray();
        for (Hop hop : chain.edges()) {
            json.beginObject();
            json.name("holder").value(hop.holder());
            json.name("declaringClass").value(hop.declaringClass());
            json.name("kind").value(hop.kind().word());
            json.name("field").value(hop.field());
            json.name("index");
            if (hop.index() < 0) {
                json.nullValue();
            } else {
                json.value(hop.index());
            }
            json.name("local").value(hop.local());
            json.name("target").value(hop.target());
            json.endObject();
        }
        json.endArray();
        json.name("totalHops").value(chain.totalHops());
        json.name("truncated").value(chain.truncated());
        json.name("instances").value(chain.instances());
        json.name("share").value(rounded(chain.share()));
        json.name("growth").value(leak.growth() == null ? 0 : leak.growth().elementsGrowth());
        json.name("validatedAt").value(chain.validatedAt().toString());
        json.name("signature").value(chain.signature());
        json.endObject();
    }

    private void search(SearchSummary search) throws IOException {
        json.beginObject();
        json.name("id").value(search.id());
        json.name("state").value(search.state().name().toLowerCase(java.util.Locale.ROOT));
        json.name("reason").value(search.reason().word());
        json.name("passes").value(search.passes());
        json.name("visited").value(search.visited());
        json.name("startedAt").value(search.startedAt().toString());
        json.name("cpuMillis").value(rounded(search.cpuNanos() / 1e6));
        json.name("longestSliceMicros").value(search.longestSliceNanos() / 1_000);
        json.endObject();
    }

    private void cost(LeakReport.Cost cost) throws IOException {
        json.name("cost").beginObject();
        json.name("cpuMillis").value(rounded(cost.cpuMillis()));
        json.name("cpuShare").value(rounded(cost.cpuShare()));
        json.name("longestSliceMicros").value(cost.longestSliceMicros());
        json.name("bytesHeld").value(cost.bytesHeld());
        json.name("hookSlowPathNanosP99").value(cost.hookSlowPathNanosP99());
        json.name("stoppedMillis").value(rounded(cost.stoppedMillis()));
        json.endObject();
    }

    private void strings(String name, List<String> values) throws IOException {
        json.name(name).beginArray();
        for (String value : values) {
            json.value(value);
        }
        json.endArray();
    }

    private static double rounded(double value) {
        return Double.isFinite(value) ? Math.round(value * 10_000) / 10_000.0 : -1;
    }
}
