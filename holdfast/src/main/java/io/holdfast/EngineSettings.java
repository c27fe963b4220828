package io.holdfast;

import io.holdfast.core.HoldfastOptions;
import io.holdfast.liveness.LivenessSettings;
import io.holdfast.refchains.SearchSettings;
import io.holdfast.scheduler.AutoTuning;
import io.holdfast.scheduler.SchedulerSettings;
import java.time.Duration;

/** What the options, the size of the heap and the processors make of the settings of each part. Immutable. */
final class EngineSettings {
    /** Between two slices of a running search: 5 ms in 105 are less than 5 % of a core, and 100 000 objects take two seconds, not twenty. */
    private static final Duration SEARCH_CADENCE = Duration.ofMillis(100);
    /**
     * Of CPU time: coming up and learning the first sites costs about one second, where the processor is slow two; the first walks, still interpreted, cost
     * a quarter to half a second each.
     */
    private static final Duration START_ALLOWANCE = Duration.ofSeconds(4);
    /** Four slices in one: a fifth of a core while it walks, for ten to twenty seconds in all. */
    private static final Duration START_PAUSE_TARGET = Duration.ofMillis(20);

    private final HoldfastOptions options;
    private final long maxHeapBytes;
    private final int processors;

    EngineSettings(HoldfastOptions options, long maxHeapBytes, int processors) {
        this.options = options;
        this.maxHeapBytes = maxHeapBytes;
        this.processors = processors;
    }

    /** Without a signal nothing is sampled: options that activate nothing cost nothing. */
    static boolean findsLeaks(HoldfastOptions options) {
        return options.whyNothingIsFound().isEmpty();
    }

    LivenessSettings liveness() {
        return LivenessSettings.defaults(maxHeapBytes).withSignal(findsLeaks(options) && options.referenceChains());
    }

    /** {@code programPackage}: see {@link ProgramPackage}. */
    SearchSettings search(String programPackage) {
        HoldfastOptions.ReferenceChains chains = options.chains();
        SearchSettings settings = SearchSettings.defaults(maxHeapBytes).withProgramPackage(programPackage).withTtlNanos(chains.ttlMillis().isPresent()
                ? Duration.ofMillis(chains.ttlMillis().getAsLong()).toNanos() : AutoTuning.ttlNanos(maxHeapBytes));
        if (chains.hops().isPresent()) {
            settings = settings.withHops(chains.hops().getAsInt());
        }
        return chains.frameCap().isPresent() ? settings.withFrontierCap(chains.frameCap().getAsInt()) : settings;
    }

    SchedulerSettings scheduler() {
        SchedulerSettings settings = SchedulerSettings.defaults(maxHeapBytes, processors).withCadenceNanos(SEARCH_CADENCE.toNanos())
                .withStartAllowanceNanos(START_ALLOWANCE.toNanos()).withStartPauseTargetNanos(START_PAUSE_TARGET.toNanos());
        HoldfastOptions.ReferenceChains chains = options.chains();
        if (chains.budget().isPresent()) {
            settings = settings.withBudget(chains.budget().getAsInt());
        }
        if (chains.firstPassBudget().isPresent()) {
            settings = settings.withFirstPassBudget(chains.firstPassBudget().getAsInt());
        }
        if (chains.pauseTargetMillis().isPresent()) {
            settings = settings.withPauseTargetNanos(chains.pauseTargetMillis().getAsLong() * 1_000_000L);
        }
        if (chains.painBudgetPercent().isPresent()) {
            settings = settings.withPainBudget(chains.painBudgetPercent().getAsInt() / 100.0);
        }
        return settings;
    }
}
