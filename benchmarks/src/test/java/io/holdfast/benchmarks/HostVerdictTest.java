package io.holdfast.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.List;
import org.junit.jupiter.api.Test;

class HostVerdictTest {
    private static final List<String> OUTPUT = List.of("learning operations 1 ns_cpu 1.0 ns_wall 1.0 gc_ms 0",
            "steady operations 9 ns_cpu 7.0 ns_wall 2000000.0 gc_ms 1", "in all 9 sent, 8 received", "bye");
    private static final String PLANTED = leak("p", "hosts.PlantedLeak$Ticket", "hosts.PlantedLeak", "TICKETS", "hosts.PlantedLeak$Ticket");
    private static final String OTHER = leak("o", "lib.Entry", "lib.Cache", "entries", "lib.Entry");

    @Test
    void nothingReportedIsSilent() {
        HostVerdict verdict = new HostVerdict(false);
        verdict.look(report(0), 10);
        verdict.look(report(0), 100);
        assertThat(verdict.good()).isTrue();
        assertThat(verdict.line(OUTPUT)).isEqualTo("silent; 500 operations/s, in all 9 sent, 8 received; Holdfast's thread 2.0 % of a core");
    }

    @Test
    void aLeakOfAHealthyProgramIsFalseAlsoWhenItIsWithdrawn() {
        HostVerdict verdict = new HostVerdict(false);
        verdict.look(report(0, OTHER), 20);
        assertThat(verdict.seenMoreFalse()).isTrue();
        assertThat(verdict.seenMoreFalse()).isFalse();
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.line(OUTPUT)).contains("1 FALSE").contains("lib.Entry, held by lib.Cache#entries (explained, trend), reported at 20 s, there at the end");
        verdict.look(report(1), 50);
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.line(OUTPUT)).contains("withdrawn once, gone at 50 s");
        verdict.look(report(1, OTHER), 60);
        assertThat(verdict.line(OUTPUT)).contains("withdrawn once, there at the end").doesNotContain("between two looks");
    }

    @Test
    void whatCameAndWentBetweenTwoLooksIsCounted() {
        HostVerdict verdict = new HostVerdict(false);
        verdict.look(report(1), 20);
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.line(OUTPUT)).contains("1 FALSE").contains("between two looks");
    }

    @Test
    void thePlantedLeakAlone() {
        HostVerdict verdict = new HostVerdict(true);
        verdict.leakingBegins(60);
        verdict.leakingBegins(61);
        verdict.look(report(0), 70);
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.line(OUTPUT)).startsWith("MISSED, nothing else");
        verdict.look(report(0, PLANTED), 95);
        assertThat(verdict.good()).isTrue();
        assertThat(verdict.seenMoreFalse()).isFalse();
        assertThat(verdict.line(OUTPUT)).startsWith("found after 35 s of leaking, at rank 1 (at the end 1), nothing else");
    }

    @Test
    void thePlantedLeakBesideAnother() {
        HostVerdict verdict = new HostVerdict(true);
        verdict.leakingBegins(60);
        verdict.look(report(0, PLANTED), 95);
        verdict.look(report(0, OTHER, PLANTED), 99);
        assertThat(verdict.good()).isFalse();
        assertThat(verdict.line(OUTPUT)).startsWith("found after 35 s of leaking, at rank 1 (at the end 2), 1 FALSE").contains("lib.Cache#entries");
    }

    @Test
    void whatIsInTheInstancesIsThePlantedLeakOnlyWhenItHangsThere() {
        HostVerdict inside = new HostVerdict(true);
        inside.look(report(0, leak("b", "byte[]", "hosts.PlantedLeak", "TICKETS", "hosts.PlantedLeak$Ticket")), 90);
        assertThat(inside.good()).isTrue();
        HostVerdict elsewhere = new HostVerdict(true);
        elsewhere.look(report(0, leak("b", "byte[]", "lib.Cache", "entries", "byte[]")), 90);
        assertThat(elsewhere.good()).isFalse();
    }

    @Test
    void thePlantedLeakMustNotBeNamedTwiceNorWithdrawn() {
        HostVerdict twice = new HostVerdict(true);
        twice.look(report(0, PLANTED, leak("b", "byte[]", "hosts.PlantedLeak", "TICKETS", "hosts.PlantedLeak$Ticket")), 90);
        assertThat(twice.good()).isFalse();
        assertThat(twice.line(OUTPUT)).contains("1 TIMES MORE");
        HostVerdict withdrawn = new HostVerdict(true);
        withdrawn.look(report(0, PLANTED), 90);
        withdrawn.look(report(1), 120);
        assertThat(withdrawn.good()).isFalse();
        assertThat(withdrawn.line(OUTPUT)).contains("WITHDRAWN at 120 s");
    }

    private static JsonObject report(int withdrawn, String... leaks) {
        String counters = withdrawn == 0 ? "{}" : "{\"ledger.leaks.withdrawn\": " + withdrawn + "}";
        return JsonParser.parseString("{\"leaks\": [" + String.join(",", leaks) + "], \"counters\": " + counters
                + ", \"cost\": {\"cpuMillis\": 2000}}").getAsJsonObject();
    }

    private static String leak(String id, String type, String holder, String field, String element) {
        return """
                {"id": "%s", "class": "%s", "state": "explained", "trend": {"evidence": "trend"}, "accumulation": {"holder": "%s#%s"},
                 "chains": [{"edges": [{"declaringClass": "%3$s", "field": "%4$s", "target": "java.util.ArrayList"},
                                        {"declaringClass": null, "field": null, "target": "%5$s"}]}]}"""
                .formatted(id, type, holder, field, element);
    }
}
