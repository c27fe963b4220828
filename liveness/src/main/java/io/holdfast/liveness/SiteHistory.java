package io.holdfast.liveness;

import java.util.ArrayList;
import java.util.List;

/** What came from one allocation site, or from {@code watch} under one label. Mutable, of the Holdfast thread. */
final class SiteHistory {
    /** Classes told apart per site; a site in reflection or {@code clone} makes many. */
    static final int MAX_CLASSES = 64;
    /** Epochs after which a class without rows is forgotten. */
    private static final long FORGOTTEN_AFTER = 64;

    final int siteId;
    /** Label given to {@code watch}, or null. */
    final String label;
    final long firstEpoch;
    final long firstNanos;
    final SiteStacks stacks = new SiteStacks();
    /** Samples that died before their class was known: they count against every class the site makes. */
    final CohortRing diedUnknown = new CohortRing();
    private final List<SiteClass> classes = new ArrayList<>(1);
    private long admitted;
    private int skipped;

    // Tally of the last fold.
    private int survivors;
    private int ages;
    private long lastEpoch;
    private long judged;

    SiteHistory(int siteId, String label, long firstEpoch, long firstNanos) {
        this.siteId = siteId;
        this.label = label;
        this.firstEpoch = firstEpoch;
        this.firstNanos = firstNanos;
    }

    /** The class' part of this site; null when the site makes too many classes and all of them have rows. */
    SiteClass of(TrackedClass type) {
        int free = -1;
        for (int i = 0; i < classes.size(); i++) {
            SiteClass origin = classes.get(i);
            if (origin.type == type) {
                return origin;
            }
            free = origin.rows == 0 ? i : free;
        }
        SiteClass added = new SiteClass(this, type);
        if (classes.size() < MAX_CLASSES) {
            classes.add(added);
        } else if (free >= 0) {
            classes.set(free, added);
        } else {
            return null;
        }
        return added;
    }

    List<SiteClass> classes() {
        return classes;
    }

    /** Counts a sample the ratio left out. */
    void skip() {
        skipped = skipped == Integer.MAX_VALUE ? skipped : skipped + 1;
    }

    /** Weight of the next admitted sample: itself and those left out since the last one. */
    int nextWeight() {
        return skipped == Integer.MAX_VALUE ? skipped : skipped + 1;
    }

    void admit(int weight) {
        admitted += weight;
        skipped = 0;
    }

    void resetTally(long foldEpoch) {
        survivors = 0;
        ages = 0;
        lastEpoch = -1;
        judged = admitted;
        classes.removeIf(origin -> origin.rows == 0 && origin.cohortsAdmitted.newest() < foldEpoch - FORGOTTEN_AFTER);
        classes.forEach(SiteClass::resetTally);
    }

    /** Told the survivors in the order of their epochs. */
    void survivor(long allocationEpoch) {
        if (survivors == 0 || allocationEpoch != lastEpoch) {
            ages++;
            lastEpoch = allocationEpoch;
        }
        survivors++;
    }

    /** A row that no collection has judged yet. */
    void unjudged(int weight) {
        judged -= weight;
    }

    long admitted() {
        return admitted;
    }

    /** Samples that have seen a collection, up to the last fold. */
    long judged() {
        return judged;
    }

    int survivors() {
        return survivors;
    }

    int ages() {
        return ages;
    }
}
