package io.holdfast.core;

import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the user asked for. Immutable. Made by {@link OptionsParser} or from {@link #defaults()}; all numbers are inside their documented bounds
 * when they come from the parser. Values that are "not set" are left empty, so that whoever tunes by heap size knows what it may change.
 *
 * @param enabled         master switch
 * @param explicitEngine  whether any of {@code memory}, {@code generations} and {@code referencechains} was given: then exactly what was given
 *                        is active; otherwise the full leak finder runs
 * @param memory          the sampler asked for, or null when none was given
 * @param generations     whether survivor ages are followed
 * @param referenceChains whether chains are searched
 * @param chains          limits of the search, each possibly not set
 * @param report          JSON report to write, or null
 * @param html            HTML report to write, or null
 * @param jfr             recording to write, or null
 * @param logText         whether leaks are logged as text
 * @param stackLocals     whether threads may name their own locals as roots
 * @param delaySeconds    seconds to wait before the first sample, 0..{@value #MAX_DELAY_SECONDS}
 * @param tokens          whether the token lane samples
 * @param sites           file of learned allocation sites, or null
 * @param allSites        whether the interval sampler counts at all allocating instructions rather than those that carry a hook anyway
 * @param confirm         about which leaks {@code jdk.OldObjectSample} may be asked once (this stops the world)
 */
public record HoldfastOptions(boolean enabled, boolean explicitEngine, Memory memory, boolean generations, boolean referenceChains,
                              ReferenceChains chains, Path report, Path html, Path jfr, boolean logText, boolean stackLocals,
                              long delaySeconds, boolean tokens, Path sites, boolean allSites, Confirm confirm) {
    /** A year: keeps the delay far from any overflow in nanoseconds. */
    public static final long MAX_DELAY_SECONDS = 31_536_000;

    public HoldfastOptions {
        Objects.requireNonNull(chains, "chains");
        Objects.requireNonNull(confirm, "confirm");
    }

    /** About which leaks the VM is asked what holds them. */
    public enum Confirm {
        /** None. */
        OFF,
        /** Those to which no search finds a chain. */
        UNREACHED,
        /** Those with a chain as well. */
        ALL
    }

    /** No option given: the full leak finder, which logs text and writes no file. */
    public static HoldfastOptions defaults() {
        return new HoldfastOptions(true, false, null, true, true, ReferenceChains.NOT_SET, null, null, null, true, true, 0, true, null, false,
                Confirm.OFF);
    }

    /**
     * Why these options can never find a leak, as one sentence for the log; empty when they can. A search never starts without a leak signal, and
     * only {@code generations}, or a sampler of live objects together with chains, gives one.
     */
    public Optional<String> whyNothingIsFound() {
        if (!enabled) {
            return Optional.of("Holdfast is switched off by enabled=false.");
        }
        if (generations || (referenceChains && memory != null && memory.liveness())) {
            return Optional.empty();
        }
        if (referenceChains) {
            return Optional.of("referencechains=true activates nothing by itself: a search starts only when a class is suspected. "
                    + "Add generations=true, or give no option at all for the full leak finder.");
        }
        return Optional.of("These options follow no survivor ages, so no leak can be found. "
                + "Add generations=true, or give no option at all for the full leak finder.");
    }

    /**
     * The documented sampler, {@code memory=INTERVAL[:FLAGS[:RATIO]]}.
     *
     * @param intervalBytes mean bytes between two samples; 0 = every allocation
     * @param allocation    whether allocation events are wanted (flag {@code a})
     * @param liveness      whether sampled objects are tracked (flags {@code l} and {@code L})
     * @param heapUsage     whether heap-usage events are wanted (flag {@code L})
     * @param ratio         share of samples admitted to tracking, 0.01..1.0
     */
    public record Memory(long intervalBytes, boolean allocation, boolean liveness, boolean heapUsage, double ratio) {
        /** Interval when the sampler is switched on without a number. */
        public static final long DEFAULT_INTERVAL_BYTES = 524_287;
        /** Interval when {@code generations=true} is given without {@code memory}. */
        public static final long GENERATIONS_INTERVAL_BYTES = 4L << 20;
        public static final double DEFAULT_RATIO = 0.1;
        public static final double MIN_RATIO = 0.01;
        public static final double MAX_RATIO = 1.0;
    }

    /**
     * Limits of a chain search, {@code referencechains=true[:hops=N]…}. Empty = not set.
     *
     * @param hops              admission depth, 1..200 000; documented default 200
     * @param budget            objects newly admitted per pass, 1..1 000 000; documented default 1 000
     * @param ttlMillis         life of one search in milliseconds, 0 = unlimited; documented default 60 000
     * @param frameCap          frontier entries, 1..65 536 000; documented default 65 536
     * @param pauseTargetMillis length of one uninterrupted slice in milliseconds, 0 = no limit; documented default 5
     * @param painBudgetPercent cost as per cent of wall-clock time, 0..100; documented default 1
     * @param firstPassBudget   objects admitted by root enumeration, 0..1 000 000; 0 = derived from {@code budget}
     */
    public record ReferenceChains(OptionalInt hops, OptionalInt budget, OptionalLong ttlMillis, OptionalInt frameCap,
                                  OptionalLong pauseTargetMillis, OptionalInt painBudgetPercent, OptionalInt firstPassBudget) {
        public static final ReferenceChains NOT_SET = new ReferenceChains(OptionalInt.empty(), OptionalInt.empty(), OptionalLong.empty(),
                OptionalInt.empty(), OptionalLong.empty(), OptionalInt.empty(), OptionalInt.empty());

        public static final int DEFAULT_HOPS = 200;
        public static final int MAX_HOPS = 200_000;
        public static final int DEFAULT_BUDGET = 1_000;
        public static final int MAX_BUDGET = 1_000_000;
        public static final long DEFAULT_TTL_MILLIS = 60_000;
        public static final int DEFAULT_FRAME_CAP = 65_536;
        public static final int MAX_FRAME_CAP = 65_536_000;
        public static final long DEFAULT_PAUSE_TARGET_MILLIS = 5;
        public static final int DEFAULT_PAIN_BUDGET_PERCENT = 1;
        public static final int MAX_PAIN_BUDGET_PERCENT = 100;
        public static final int MAX_FIRST_PASS_BUDGET = 1_000_000;

        /** These limits, and for each one that is not set the weaker one's. */
        ReferenceChains over(ReferenceChains weaker) {
            return new ReferenceChains(hops.isPresent() ? hops : weaker.hops, budget.isPresent() ? budget : weaker.budget,
                    ttlMillis.isPresent() ? ttlMillis : weaker.ttlMillis, frameCap.isPresent() ? frameCap : weaker.frameCap,
                    pauseTargetMillis.isPresent() ? pauseTargetMillis : weaker.pauseTargetMillis,
                    painBudgetPercent.isPresent() ? painBudgetPercent : weaker.painBudgetPercent,
                    firstPassBudget.isPresent() ? firstPassBudget : weaker.firstPassBudget);
        }
    }
}
