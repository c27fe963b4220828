package io.holdfast.core;

import java.util.List;
import java.util.Objects;

/**
 * What a search found out about one candidate.
 *
 * @param candidateId    the candidate
 * @param searchId       the search, numbered from 1
 * @param outcome        {@code chain}, {@code unreached}, or the word of an {@link AbandonReason}
 * @param chains         validated chains, one per signature, most instances first, at most 8
 * @param sought         tracked instances that were alive and sought
 * @param reached        how many of them a strong chain led to
 * @param cohortsSought  distinct allocation epochs among the sought instances
 * @param cohortsReached distinct allocation epochs among the reached ones
 * @param oldestReached  whether an instance of the older half of the cohorts was reached
 * @param newestReached  whether an instance of the newer half of the cohorts was reached
 * @param accumulation   where they pile up, or null when the chains have no place in common
 */
public record SearchFinding(long candidateId, long searchId, String outcome, List<ReferenceChain> chains, int sought, int reached,
                            int cohortsSought, int cohortsReached, boolean oldestReached, boolean newestReached, Accumulation accumulation) {
    public static final String CHAIN = "chain";
    public static final String UNREACHED = "unreached";

    public SearchFinding {
        Objects.requireNonNull(outcome, "outcome");
        chains = List.copyOf(chains);
    }

    /** Whether instances of two cohorts at least were reached: what was kept over a collection. */
    public boolean severalCohorts() {
        return cohortsReached >= 2;
    }
}
