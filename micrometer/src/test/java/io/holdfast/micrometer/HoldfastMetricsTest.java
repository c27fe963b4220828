package io.holdfast.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastStatus;
import io.holdfast.LeakReport;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class HoldfastMetricsTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");
    private static final Map<String, Long> COUNTERS = Map.of("liveness.samples.tracked", 700L, "liveness.samples.skipped", 20L, "liveness.young.refused", 3L,
            "liveness.samples.dropped", 4L, "liveness.table.full", 1L, "liveness.samples.dead", 60L, "engine.searches.completed", 8L, "engine.searches.ttl", 2L);

    private LeakReport report;
    private HoldfastStatus status;
    private final HoldfastMetrics metrics = new HoldfastMetrics(() -> Optional.ofNullable(report), () -> Optional.ofNullable(status), null, Tags.empty());

    private static Leak leak(String id, LeakState state, long bytesPerHour) {
        return new Leak(id, "com.acme.Session", state, "chain", List.of(), new CandidateTrend(CandidateTrend.Evidence.COHORTS, List.of(), 0, 0, NOON),
                new LiveEstimate(1, 1, 1, bytesPerHour), null, List.of(), List.of(), List.of());
    }

    private static LeakReport report(List<Leak> leaks) {
        return new LeakReport("0.1.0", NOON, NOON, 1, new LeakReport.Jvm("17", "G1", "agent"), true, leaks, List.of(), List.of(5L, 1_000_000L), 1_800, COUNTERS,
                new LeakReport.Cost(2_500, 0.01, 3_000, 123_456, -1, 0), List.of(), null);
    }

    private static HoldfastStatus status() {
        Duration none = Duration.ZERO;
        return new HoldfastStatus("spacing", "", Optional.empty(), 0, none, none, none, none, 0, none, 1, false, false, -1, 10, 40,
                new HoldfastStatus.Cost(none, Duration.ofMillis(800), 0, none, none, Duration.ofMillis(5), Duration.ofMillis(12), none, none, none, none));
    }

    private void publish(Leak... leaks) {
        report = report(List.of(leaks));
        metrics.onReport(report);
    }

    @Test
    void theScrapeOfARealPrometheusRegistry() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        publish(leak("4edcf1db", LeakState.EXPLAINED, 36_000_000), leak("90ab12cd", LeakState.PROVISIONAL, 3_600), leak("11111111", LeakState.RESOLVED, 9));
        status = status();
        List<String> lines = registry.scrape().lines().filter(line -> !line.startsWith("#")).sorted().toList();
        assertThat(lines).containsExactlyInAnyOrder(
                "holdfast_cpu_seconds_total 2.5",
                "holdfast_heap_exhaustion_seconds 1800.0",
                "holdfast_heap_floor_bytes 1000000.0",
                "holdfast_leak_growth_bytes_s{leak=\"4edcf1db\"} 10000.0",
                "holdfast_leak_growth_bytes_s{leak=\"90ab12cd\"} 1.0",
                "holdfast_leaks{state=\"confirmed\"} 0.0",
                "holdfast_leaks{state=\"explained\"} 1.0",
                "holdfast_leaks{state=\"provisional\"} 1.0",
                "holdfast_leaks{state=\"unexplained\"} 0.0",
                "holdfast_memory_bytes 123456.0",
                "holdfast_samples_total{outcome=\"died\"} 60.0",
                "holdfast_samples_total{outcome=\"dropped\"} 5.0",
                "holdfast_samples_total{outcome=\"rejected\"} 23.0",
                "holdfast_samples_total{outcome=\"tracked\"} 700.0",
                "holdfast_walk_pass_seconds_count 40",
                "holdfast_walk_pass_seconds_sum 0.8",
                "holdfast_walk_slice_seconds{statistic=\"max\"} 0.012",
                "holdfast_walk_slice_seconds{statistic=\"p99\"} 0.005",
                "holdfast_walks_total{outcome=\"candidates_stuck\"} 0.0",
                "holdfast_walks_total{outcome=\"completed\"} 8.0",
                "holdfast_walks_total{outcome=\"frontier_cap\"} 0.0",
                "holdfast_walks_total{outcome=\"no_progress\"} 0.0",
                "holdfast_walks_total{outcome=\"root_enum_error\"} 0.0",
                "holdfast_walks_total{outcome=\"ttl\"} 2.0");
        assertThat(registry.scrape()).doesNotContain("com.acme");
    }

    @Test
    void beforeHoldfastIsUpGaugesHaveNoValueAndCountersAreZero() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        assertThat(registry.scrape()).contains("holdfast_leaks{state=\"explained\"} NaN", "holdfast_heap_exhaustion_seconds NaN", "holdfast_cpu_seconds_total 0.0",
                "holdfast_walk_pass_seconds_count 0");
    }

    /** A handle has a status before its engine is up, all zeros, and keeps the last one after it is closed. */
    @Test
    void aStatusWithoutAReportIsNoValue() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        metrics.bindTo(registry);
        status = status();
        assertThat(registry.scrape()).contains("holdfast_walk_slice_seconds{statistic=\"max\"} NaN", "holdfast_walk_pass_seconds_count 0",
                "holdfast_walk_pass_seconds_sum 0.0");
    }

    @Test
    void theWorstTenLeaksHaveGaugesAndTheOthersGo() {
        MeterRegistry first = new SimpleMeterRegistry();
        MeterRegistry second = new SimpleMeterRegistry();
        metrics.bindTo(first);
        publish(IntStream.range(0, 14).mapToObj(i -> leak("leak" + i, LeakState.EXPLAINED, 7_200)).toArray(Leak[]::new));
        metrics.bindTo(second);
        for (MeterRegistry registry : List.of(first, second)) {
            assertThat(ids(registry)).containsExactlyInAnyOrderElementsOf(IntStream.range(0, 10).mapToObj(i -> "leak" + i).toList());
        }
        publish(leak("leak3", LeakState.EXPLAINED, 3_600), leak("leak4", LeakState.RESOLVED, 3_600), leak("new", LeakState.PROVISIONAL, 0));
        for (MeterRegistry registry : List.of(first, second)) {
            assertThat(ids(registry)).containsExactlyInAnyOrder("leak3", "new");
            assertThat(registry.get(GrowthGauges.NAME).tag("leak", "leak3").gauge().value()).isEqualTo(1.0);
        }
        publish();
        assertThat(ids(first)).isEmpty();
    }

    private static List<String> ids(MeterRegistry registry) {
        return registry.find(GrowthGauges.NAME).gauges().stream().map(gauge -> gauge.getId().getTag("leak")).toList();
    }

    @Test
    void theNumberOfSeriesDoesNotGrowWithTheLeaksEverSeen() {
        MeterRegistry registry = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        int before = registry.getMeters().size();
        for (int i = 0; i < 1_000; i++) {
            publish(leak("leak" + i, LeakState.EXPLAINED, 1));
        }
        assertThat(registry.getMeters()).hasSize(before + 1);
    }

    @Test
    void aScrapeReadsAndComputesNothingElse() {
        AtomicInteger asked = new AtomicInteger();
        LeakReport once = report(List.of());
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        new HoldfastMetrics(() -> {
            asked.incrementAndGet();
            return Optional.of(once);
        }, Optional::empty, null, Tags.empty()).bindTo(registry);
        asked.set(0);
        registry.getMeters().forEach(meter -> meter.measure().forEach(measurement -> measurement.getValue()));
        assertThat(asked).hasValueBetween(1, registry.getMeters().size());
    }

    @Test
    void aRegistryAloneKeepsTheMetersAtWork() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        WeakReference<HoldfastMetrics> dropped = bindAndForget(registry);
        List<WeakReference<Object>> canaries = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            canaries.add(new WeakReference<>(new Object()));
            System.gc();
        }
        org.assertj.core.api.Assumptions.assumeThat(canaries).allMatch(canary -> canary.get() == null);
        assertThat(dropped.get()).isNotNull();
        assertThat(registry.get("holdfast.heap.floor").gauge().value()).isEqualTo(1_000_000);
        assertThat(registry.get("holdfast.cpu").functionCounter().count()).isEqualTo(2.5);
    }

    private static WeakReference<HoldfastMetrics> bindAndForget(MeterRegistry registry) {
        LeakReport fixed = report(List.of());
        HoldfastMetrics forgotten = new HoldfastMetrics(() -> Optional.of(fixed), Optional::empty, null, Tags.empty());
        forgotten.bindTo(registry);
        return new WeakReference<>(forgotten);
    }

    @Test
    void closingTakesEveryMeterOut() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        metrics.bindTo(registry);
        publish(leak("4edcf1db", LeakState.EXPLAINED, 1));
        metrics.close();
        metrics.close();
        publish(leak("4edcf1db", LeakState.EXPLAINED, 1));
        metrics.bindTo(registry);
        assertThat(registry.getMeters()).isEmpty();
    }
}
