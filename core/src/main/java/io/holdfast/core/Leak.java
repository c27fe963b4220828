package io.holdfast.core;

import java.util.List;
import java.util.Objects;

/**
 * One leak: what every output renders. Immutable; holds no object of the application.
 *
 * @param id             fingerprint, 8 hexadecimal digits, equal for the same leak in every run, JDK and collector
 * @param className      the owner: class of the elements that pile up
 * @param state          how far the verdict has come
 * @param outcome        {@code chain}, {@code unreached}, {@code searching}, or why the search ended without a chain
 * @param sampledClasses classes of the tracked instances
 * @param trend          the strongest candidate's trend
 * @param live           estimated population
 * @param growth         where instances pile up and how fast, or null
 * @param allocation     where they are allocated, most frequent first
 * @param chains         validated chains, most instances first; behind them those of other places that grow in step with this one
 * @param hints          known shapes this leak looks like, one sentence each
 * @param confirmation   what the VM said when it was asked about this leak, or null when it was not
 */
public record Leak(String id, String className, LeakState state, String outcome, List<String> sampledClasses, CandidateTrend trend,
                   LiveEstimate live, Growth growth, List<AllocationEvidence> allocation, List<ReferenceChain> chains, List<String> hints,
                   RootConfirmation confirmation) {
    public Leak {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(state, "state");
        sampledClasses = List.copyOf(sampledClasses);
        allocation = List.copyOf(allocation);
        chains = List.copyOf(chains);
        hints = List.copyOf(hints);
    }

    /** About which the VM was not asked. */
    public Leak(String id, String className, LeakState state, String outcome, List<String> sampledClasses, CandidateTrend trend, LiveEstimate live,
                Growth growth, List<AllocationEvidence> allocation, List<ReferenceChain> chains, List<String> hints) {
        this(id, className, state, outcome, sampledClasses, trend, live, growth, allocation, chains, hints, null);
    }

    /** The same leak with what the VM said about it. */
    public Leak confirmedBy(RootConfirmation answer) {
        return new Leak(id, className, state, outcome, sampledClasses, trend, live, growth, allocation, chains, hints, answer);
    }

    /**
     * The accumulation point, followed over time.
     *
     * @param holder          field behind which the population grows, {@code com.acme.Registry#ACTIVE}
     * @param containerClass  class of the container
     * @param elements        elements at the last look
     * @param elementsGrowth  elements gained since the look before the last search, or since it was first seen
     * @param elementsPerHour fitted rate
     * @param share           share of the sought instances that hang below, 0..1
     * @param timeField       field in which each element states a time, by which it may be taken out again; null if none is known
     */
    public record Growth(String holder, String containerClass, long elements, long elementsGrowth, double elementsPerHour, double share, String timeField) {
        /** Of elements that are not known to state a time. */
        public Growth(String holder, String containerClass, long elements, long elementsGrowth, double elementsPerHour, double share) {
            this(holder, containerClass, elements, elementsGrowth, elementsPerHour, share, null);
        }
    }
}
