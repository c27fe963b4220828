package io.holdfast.liveness;

/**
 * When the last fold looked.
 *
 * @param epoch      finished collections it knew of
 * @param disproving of these, those that could disprove
 * @param proving    how many of the latter a survivor must have outlived to count as proven
 */
record FoldPoint(long epoch, long disproving, int proving) {
    /** Epochs an object of that allocation epoch had survived; not positive = no collection had judged it. */
    long age(long allocationEpoch) {
        return epoch - allocationEpoch;
    }

    /** Whether a row alive at the fold had outlived enough of them, by their count when it came in. */
    boolean proves(int disprovingAtAdmission) {
        return disproving - disprovingAtAdmission >= proving;
    }
}
