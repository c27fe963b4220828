package io.holdfast.liveness;

/**
 * The early rule: whole cohorts of one site survived. It needs one or two epochs where the documented trend needs fourteen folds, and only
 * suspects: a dead object that was promoted looks alive until a disproving collection, so the walk decides.
 */
final class CohortRule {
    /** Cohorts with survivors. */
    static final int MIN_COHORTS = 2;
    /** Survivors in all. */
    static final int MIN_SURVIVORS = 4;
    /** Epochs after which the fate of a cohort counts. */
    static final int CLOSED_AGE = 2;
    /**
     * With one closed cohort alone: the share of it that must be alive. Objects that live for seconds lose more than a quarter of a cohort where
     * collections are ten seconds apart; where they are closer, a second cohort is there soon.
     */
    static final double MIN_YOUNG_SHARE = 0.75;
    /** Samples of the epoch under way: the walk needs a newer cohort to compare with. */
    static final int MIN_YOUNG_SAMPLES = 2;

    private CohortRule() { }

    /**
     * Whether objects of that origin are suspect after the fold of that epoch.
     *
     * @param youngSurvivalTells whether to have outlived a single collection says anything
     */
    static boolean suspects(SiteClass origin, long foldEpoch, boolean youngSurvivalTells) {
        return severalCohorts(origin, foldEpoch) || youngSurvivalTells && wholeCohortAndNewer(origin, foldEpoch);
    }

    private static boolean severalCohorts(SiteClass origin, long foldEpoch) {
        return origin.cohorts() >= MIN_COHORTS && origin.survivors() >= MIN_SURVIVORS && origin.oldestAge() >= CLOSED_AGE
                && origin.agedWeight() > 0 && 2 * origin.agedWeight() >= admittedBefore(origin, foldEpoch - CLOSED_AGE);
    }

    private static boolean wholeCohortAndNewer(SiteClass origin, long foldEpoch) {
        return origin.survivors() >= MIN_SURVIVORS && origin.survivorWeight() >= MIN_YOUNG_SHARE * admittedBefore(origin, foldEpoch - 1)
                && origin.cohortsAdmitted.admittedBetween(foldEpoch, Long.MAX_VALUE) >= MIN_YOUNG_SAMPLES;
    }

    /** Samples of the remembered cohorts up to that epoch. */
    private static long admittedBefore(SiteClass origin, long lastEpoch) {
        long first = origin.cohortsAdmitted.oldest();
        return origin.cohortsAdmitted.admittedBetween(first, lastEpoch) + origin.context.diedUnknown.admittedBetween(first, lastEpoch);
    }
}
