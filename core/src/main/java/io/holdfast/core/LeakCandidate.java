package io.holdfast.core;

import java.util.List;
import java.util.Objects;

/**
 * A class whose tracked instances look as if they leaked. Holds no object and no class strongly.
 *
 * @param id         number of the candidate; the same suspicion keeps its number from poll to poll
 * @param className  class of the tracked instances
 * @param trend      why it is suspected
 * @param instances  tracked instances, oldest cohort first, spread over the cohorts, at most 64
 * @param allocation where they come from, most frequent first
 * @param live       estimated population
 */
public record LeakCandidate(long id, String className, CandidateTrend trend, List<TrackedInstance> instances,
                            List<AllocationEvidence> allocation, LiveEstimate live) {
    /** Tracked instances per candidate at the most. */
    public static final int MAX_INSTANCES = 64;

    public LeakCandidate {
        Objects.requireNonNull(className, "className");
        instances = List.copyOf(instances);
        allocation = List.copyOf(allocation);
    }
}
