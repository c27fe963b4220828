package io.holdfast.liveness;

/**
 * The early rule: several whole cohorts of one site survived. It needs two epochs where the documented trend needs fourteen folds, and only
 * suspects: a dead object that was promoted looks alive until a disproving collection, so the walk decides.
 */
final class CohortRule {
    /** Cohorts with survivors. */
    static final int MIN_COHORTS = 2;
    /** Survivors in all. */
    static final int MIN_SURVIVORS = 4;
    /** Epochs after which the fate of a cohort counts. */
    static final int CLOSED_AGE = 2;

    private CohortRule() { }

    /** Whether objects of that origin are suspect after the fold of that epoch. */
    static boolean suspects(SiteClass origin, long foldEpoch) {
        return origin.cohorts() >= MIN_COHORTS && origin.survivors() >= MIN_SURVIVORS && origin.oldestAge() >= CLOSED_AGE
                && origin.agedWeight() > 0 && 2 * origin.agedWeight() >= admittedToClosedCohorts(origin, foldEpoch);
    }

    private static long admittedToClosedCohorts(SiteClass origin, long foldEpoch) {
        long first = origin.cohortsAdmitted.oldest();
        long last = foldEpoch - CLOSED_AGE;
        return origin.cohortsAdmitted.admittedBetween(first, last) + origin.site.diedUnknown.admittedBetween(first, last);
    }
}
