package io.holdfast.micrometer;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastStatus;
import io.holdfast.LeakReport;
import io.holdfast.ReportListener;
import io.holdfast.core.AbandonReason;
import io.holdfast.core.LeakState;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * Meters of Holdfast; docs/micrometer.md lists them. Reading one looks up the report that Holdfast made last, at most ten seconds old; nothing is computed on
 * a scrape. Registries keep this object alive, nothing else has to. All methods may be called from any thread.
 *
 * <pre>{@code
 * new HoldfastMetrics(Holdfast.start()).bindTo(registry);
 * }</pre>
 */
public final class HoldfastMetrics implements MeterBinder, ReportListener, AutoCloseable {
    private static final String SEARCH_COUNTERS = "engine.searches.";

    private final Supplier<Optional<LeakReport>> reports;
    private final Supplier<Optional<HoldfastStatus>> statuses;
    private final Holdfast subscribeTo;
    private final Iterable<Tag> tags;
    private final GrowthGauges growth;
    private final List<Bound> bound = new ArrayList<>();
    private boolean subscribed;
    private boolean closed;

    private record Bound(MeterRegistry registry, Meter meter) { }

    /** Meters of this Holdfast. */
    public HoldfastMetrics(Holdfast holdfast) {
        this(holdfast, Tags.empty());
    }

    /** Meters of this Holdfast, with tags on all of them. */
    public HoldfastMetrics(Holdfast holdfast, Iterable<Tag> tags) {
        this(() -> Optional.of(holdfast), Objects.requireNonNull(holdfast, "holdfast"), tags);
    }

    /**
     * Meters of a Holdfast that starts later, or again. Whoever starts it hands its reports on, with {@code holdfast.onReport(metrics)}: the meters of
     * single leaks come and go with them.
     */
    public HoldfastMetrics(Supplier<Optional<Holdfast>> source) {
        this(Objects.requireNonNull(source, "source"), null, Tags.empty());
    }

    private HoldfastMetrics(Supplier<Optional<Holdfast>> source, Holdfast subscribeTo, Iterable<Tag> tags) {
        this(() -> source.get().flatMap(Holdfast::latest), () -> source.get().flatMap(Holdfast::status), subscribeTo, tags);
    }

    HoldfastMetrics(Supplier<Optional<LeakReport>> reports, Supplier<Optional<HoldfastStatus>> statuses, Holdfast subscribeTo, Iterable<Tag> tags) {
        this.reports = reports;
        this.statuses = statuses;
        this.subscribeTo = subscribeTo;
        this.tags = tags;
        this.growth = new GrowthGauges(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        synchronized (this) {
            if (closed) {
                return;
            }
            leaks(registry);
            heap(registry);
            counters(registry);
            cost(registry);
            growth.bindTo(registry);
        }
        reports.get().ifPresent(this::onReport);
        subscribe();
    }

    private void subscribe() {
        synchronized (this) {
            if (subscribed || subscribeTo == null) {
                return;
            }
            subscribed = true;
        }
        subscribeTo.onReport(this);
    }

    @Override
    public void onReport(LeakReport report) {
        synchronized (this) {
            if (!closed) {
                growth.show(report.leaks());
            }
        }
    }

    /** Removes the meters from every registry. Closing twice is harmless. */
    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            growth.clear();
            bound.forEach(each -> each.registry.remove(each.meter));
            bound.clear();
        }
        if (subscribeTo != null) {
            subscribeTo.removeListener(this);
        }
    }

    private void leaks(MeterRegistry registry) {
        for (LeakState state : List.of(LeakState.PROVISIONAL, LeakState.CONFIRMED, LeakState.EXPLAINED, LeakState.UNEXPLAINED)) {
            gauge(registry, "holdfast.leaks", "Leaks by how far the verdict has come", null, Tags.of("state", state.word()),
                    report -> report.leaks().stream().filter(leak -> leak.state() == state).count());
        }
    }

    private void heap(MeterRegistry registry) {
        gauge(registry, "holdfast.heap.floor", "Heap in use after the latest collection", BaseUnits.BYTES, Tags.empty(),
                report -> report.floorBytes().isEmpty() ? Double.NaN : report.floorBytes().get(report.floorBytes().size() - 1));
        keep(registry, TimeGauge.builder("holdfast.heap.exhaustion", this, TimeUnit.SECONDS,
                        self -> self.read(report -> report.secondsToExhaustion() < 0 ? Double.NaN : report.secondsToExhaustion(), Double.NaN))
                .description("Time until the heap is full if it goes on like this; NaN = not in sight").tags(tags).strongReference(true).register(registry));
    }

    private void counters(MeterRegistry registry) {
        samples(registry, "tracked", "liveness.samples.tracked");
        samples(registry, "rejected", "liveness.samples.skipped", "liveness.young.refused", "liveness.site.classes.dropped", "liveness.samples.without.site");
        samples(registry, "dropped", "liveness.samples.dropped", "liveness.table.full");
        samples(registry, "died", "liveness.samples.dead");
        walks(registry, "completed");
        for (AbandonReason reason : List.of(AbandonReason.FRONTIER_CAP, AbandonReason.TTL, AbandonReason.NO_PROGRESS, AbandonReason.CANDIDATES_STUCK,
                AbandonReason.ROOT_ENUM_ERROR)) {
            walks(registry, reason.word());
        }
    }

    private void samples(MeterRegistry registry, String outcome, String... names) {
        counter(registry, "holdfast.samples", "Sampled allocations by what became of them first", null, Tags.of("outcome", outcome),
                report -> sum(report, names));
    }

    private void walks(MeterRegistry registry, String outcome) {
        counter(registry, "holdfast.walks", "Searches for chains by how they ended", null, Tags.of("outcome", outcome),
                report -> sum(report, SEARCH_COUNTERS + outcome));
    }

    private static double sum(LeakReport report, String... names) {
        double sum = 0;
        for (String name : names) {
            sum += report.counters().getOrDefault(name, 0L);
        }
        return sum;
    }

    private void cost(MeterRegistry registry) {
        counter(registry, "holdfast.cpu", "CPU time of the Holdfast thread", "seconds", Tags.empty(), report -> report.cost().cpuMillis() / 1e3);
        gauge(registry, "holdfast.memory", "Memory of Holdfast's tables, estimated", BaseUnits.BYTES, Tags.empty(), report -> report.cost().bytesHeld());
        slice(registry, "p99", HoldfastStatus.Cost::slice99);
        slice(registry, "max", HoldfastStatus.Cost::longestSlice);
        // The function names this object itself: meters hold what they read from weakly, and the functions they read it with strongly.
        keep(registry, FunctionTimer.builder("holdfast.walk.pass", this, any -> this.status(HoldfastStatus::passes, 0L),
                        any -> this.status(status -> status.cost().passCpu().toNanos(), 0L), TimeUnit.NANOSECONDS)
                .description("Passes of searches and their CPU time").tags(tags).register(registry));
    }

    private void slice(MeterRegistry registry, String statistic, Function<HoldfastStatus.Cost, Duration> value) {
        keep(registry, TimeGauge.builder("holdfast.walk.slice", this, TimeUnit.NANOSECONDS,
                        self -> self.status(status -> (double) value.apply(status.cost()).toNanos(), Double.NaN))
                .description("Longest uninterrupted slices of the walk, of all passes so far").tags(tags).tag("statistic", statistic).strongReference(true)
                .register(registry));
    }

    private void gauge(MeterRegistry registry, String name, String description, String unit, Tags own, ToDoubleFunction<LeakReport> value) {
        keep(registry, Gauge.builder(name, this, self -> self.read(value, Double.NaN)).description(description).baseUnit(unit).tags(tags).tags(own)
                .strongReference(true).register(registry));
    }

    private void counter(MeterRegistry registry, String name, String description, String unit, Tags own, ToDoubleFunction<LeakReport> value) {
        keep(registry, FunctionCounter.builder(name, this, any -> this.read(value, 0)).description(description).baseUnit(unit).tags(tags).tags(own)
                .register(registry));
    }

    private void keep(MeterRegistry registry, Meter meter) {
        bound.add(new Bound(registry, meter));
    }

    private double read(ToDoubleFunction<LeakReport> value, double none) {
        return reports.get().map(report -> value.applyAsDouble(report)).orElse(none);
    }

    private <T> T status(Function<HoldfastStatus, T> value, T none) {
        // There is a status, of zeros or of the past, before Holdfast is up and after it is closed; there is no report then.
        return statuses.get().filter(known -> reports.get().isPresent()).map(value).orElse(none);
    }
}
