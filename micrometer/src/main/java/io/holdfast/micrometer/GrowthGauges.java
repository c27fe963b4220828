package io.holdfast.micrometer;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * One gauge for each of the worst leaks, in every registry; those of leaks that are resolved or withdrawn go away. Values are read from what was set last.
 * Thread-safe.
 */
final class GrowthGauges {
    static final String NAME = "holdfast.leak.growth";
    /** The same leak has the same fingerprint in every run, so this bounds the series of one process, not those of all time. */
    static final int MAX_LEAKS = 10;
    private static final double SECONDS_PER_HOUR = 3_600;

    private final Iterable<Tag> commonTags;
    private final List<MultiGauge> gauges = new ArrayList<>();
    private volatile Map<String, Double> bytesPerSecond = Map.of();

    GrowthGauges(Iterable<Tag> commonTags) {
        this.commonTags = commonTags;
    }

    synchronized void bindTo(MeterRegistry registry) {
        MultiGauge gauge = MultiGauge.builder(NAME).tags(commonTags).baseUnit("bytes/s")
                .description("Estimated growth of a leak; the id is that of the log and of the report").register(registry);
        gauges.add(gauge);
        gauge.register(rows(bytesPerSecond.keySet()), true);
    }

    /** Takes the first leaks that are not resolved. Meters change only where the leaks do, not their rates. */
    synchronized void show(List<Leak> worstFirst) {
        Map<String, Double> rates = new LinkedHashMap<>();
        worstFirst.stream().filter(leak -> leak.state() != LeakState.RESOLVED).limit(MAX_LEAKS)
                .forEach(leak -> rates.put(leak.id(), leak.live().bytesPerHour() / SECONDS_PER_HOUR));
        boolean sameLeaks = rates.keySet().equals(bytesPerSecond.keySet());
        bytesPerSecond = rates;
        if (!sameLeaks) {
            gauges.forEach(gauge -> gauge.register(rows(rates.keySet()), true));
        }
    }

    synchronized void clear() {
        show(List.of());
        gauges.clear();
    }

    private List<MultiGauge.Row<?>> rows(Set<String> ids) {
        List<MultiGauge.Row<?>> rows = new ArrayList<>();
        ids.forEach(id -> rows.add(MultiGauge.Row.of(Tags.of("leak", id), this, all -> all.bytesPerSecond.getOrDefault(id, Double.NaN))));
        return rows;
    }
}
