package io.holdfast.liveness;

/**
 * Objects of one class from one allocation site, made in one context: what went in, and what the last fold found of it. Mutable, of the Holdfast thread.
 */
final class SiteClass {
    final SiteHistory site;
    final TrackedClass type;
    final CallContext context;
    final CohortRing cohortsAdmitted = new CohortRing();
    /** Samples, those left out by the ratio included. */
    long admitted;
    /** Rows in the table now. */
    int rows;

    private long measuredBytes;
    private long measuredObjects;

    // Tally of the last fold.
    private int survivors;
    private long survivorWeight;
    private int cohorts;
    private long lastEpoch;
    private long oldestAge;
    private long agedWeight;
    private int proven;
    private int provenCohorts;
    private long lastProvenEpoch;
    private long oldestNanos;
    /** Whether {@link CohortRule} suspects these objects; set when candidates are evaluated. */
    boolean suspect;
    /** Scratch of the candidate that is being built; null otherwise. */
    OriginTally tally;

    SiteClass(SiteHistory site, TrackedClass type, CallContext context) {
        this.site = site;
        this.type = type;
        this.context = context;
    }

    void admit(long epoch, int weight, long bytes) {
        admitted += weight;
        cohortsAdmitted.add(epoch, weight);
        if (bytes > 0) {
            measuredBytes += bytes;
            measuredObjects++;
        }
    }

    void resetTally() {
        survivors = 0;
        survivorWeight = 0;
        cohorts = 0;
        lastEpoch = -1;
        oldestAge = 0;
        agedWeight = 0;
        proven = 0;
        provenCohorts = 0;
        oldestNanos = 0;
    }

    /** Told the survivors in the order of their epochs. */
    void survivor(long allocationEpoch, long age, int weight, boolean disproved, long allocationNanos) {
        oldestNanos = survivors == 0 || allocationNanos - oldestNanos < 0 ? allocationNanos : oldestNanos;
        if (survivors == 0 || allocationEpoch != lastEpoch) {
            cohorts++;
            lastEpoch = allocationEpoch;
        }
        survivors++;
        survivorWeight += weight;
        oldestAge = Math.max(oldestAge, age);
        if (age >= CohortRule.CLOSED_AGE && allocationEpoch >= cohortsAdmitted.oldest()) {
            agedWeight += weight;
        }
        if (disproved) {
            provenCohorts += proven == 0 || lastProvenEpoch != allocationEpoch ? 1 : 0;
            lastProvenEpoch = allocationEpoch;
            proven++;
        }
    }

    /** Survivors, of age 1 and more. */
    int survivors() {
        return survivors;
    }

    long survivorWeight() {
        return survivorWeight;
    }

    /** Distinct allocation epochs among the survivors. */
    int cohorts() {
        return cohorts;
    }

    long oldestAge() {
        return oldestAge;
    }

    /** Weight of the survivors in closed cohorts that are remembered. */
    long agedWeight() {
        return agedWeight;
    }

    /** When the oldest survivor was allocated; meaningless without survivors. */
    long oldestNanos() {
        return oldestNanos;
    }

    /** Survivors whose survival is proof. */
    int proven() {
        return proven;
    }

    /** Cohorts with such survivors. */
    int provenCohorts() {
        return provenCohorts;
    }

    /** Mean size in bytes, 0 when unknown. */
    long meanBytes() {
        return measuredObjects == 0 ? 0 : measuredBytes / measuredObjects;
    }
}
