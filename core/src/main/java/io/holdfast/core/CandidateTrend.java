package io.holdfast.core;

import java.time.Instant;
import java.util.List;

/**
 * Why a class is suspected.
 *
 * @param evidence     which rule selected it
 * @param distinctAges distinct ages among surviving instances, one value per fold, oldest first, at most 30
 * @param growth       fitted growth over that window (end minus start of the regression line); for {@link Evidence#GROWTH} objects an hour
 * @param folds        folds recorded for the class so far; for {@link Evidence#GROWTH} looks that found more objects
 * @param firstSeen    when the class was first seen surviving
 */
public record CandidateTrend(Evidence evidence, List<Integer> distinctAges, double growth, int folds, Instant firstSeen) {
    /** Rule that selected a candidate. */
    public enum Evidence {
        /** The documented trend: a regression over at least ten folds, with hysteresis. */
        TREND,
        /** Several whole cohorts of one allocation site survived; the walk decides. */
        COHORTS,
        /** Given to {@code Holdfast.watch}. */
        WATCHED,
        /** None was sampled: a container, or the class, had more objects at each of several looks at the heap. */
        GROWTH
    }

    public CandidateTrend {
        distinctAges = List.copyOf(distinctAges);
    }
}
