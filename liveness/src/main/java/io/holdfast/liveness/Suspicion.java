package io.holdfast.liveness;

import io.holdfast.core.CandidateTrend.Evidence;
import java.time.Instant;

/** A class under suspicion, known by one number for as long as the suspicion comes back. Mutable, of the Holdfast thread. */
final class Suspicion {
    private static final long[] NO_THREADS = {};

    final long id;
    final TrackedClass type;
    final Instant firstSeen;

    // What the last evaluation found.
    private Evidence evidence;
    private double growth;
    private int cohorts;
    private int survivors;
    private long[] threads = NO_THREADS;
    private long qualifiedAtFold;
    private int provenCohorts;

    // What became of it in searches.
    private long mutedUntilEpoch;
    private long mutedUntilDisproving;
    private boolean explained;
    private long restsUntilEpoch;
    private int turns;
    private long turnStart = -1;

    Suspicion(long id, TrackedClass type, Instant firstSeen) {
        this.id = id;
        this.type = type;
        this.firstSeen = firstSeen;
    }

    void clearEvidence() {
        evidence = null;
        growth = 0;
        cohorts = 0;
        survivors = 0;
        threads = NO_THREADS;
        provenCohorts = 0;
    }

    /** Cohorts of one origin whose survival is proof. */
    void proven(int cohortsOfOrigin) {
        provenCohorts = Math.max(provenCohorts, cohortsOfOrigin);
    }

    void trend(double fittedGrowth, long[] qualifyingThreads, long fold) {
        evidence = Evidence.TREND;
        growth = fittedGrowth;
        threads = qualifyingThreads;
        qualifiedAtFold = fold;
    }

    /** Adds what one origin shows; the stronger evidence stands. */
    void add(Evidence found, SiteClass origin, long fold) {
        if (evidence == null || rank(found) < rank(evidence)) {
            evidence = found;
            cohorts = 0;
            survivors = 0;
        }
        if (evidence == found) {
            cohorts = Math.max(cohorts, origin.cohorts());
            survivors += origin.survivors();
        }
        qualifiedAtFold = fold;
    }

    /** Whether a row's instance speaks for this suspicion. */
    boolean includes(SiteClass origin, long threadId) {
        return switch (evidence) {
            case TREND -> contains(threads, threadId);
            case COHORTS -> origin.suspect;
            case WATCHED -> origin.site.label != null;
            case GROWTH -> throw new IllegalStateException("not a finding of survival");
        };
    }

    /** Whether an origin speaks for this suspicion, whatever the thread. */
    boolean countsAsProof(SiteClass origin) {
        return evidence == Evidence.TREND || includes(origin, 0);
    }

    void mute(long untilEpoch, long untilDisproving) {
        mutedUntilEpoch = untilEpoch;
        mutedUntilDisproving = untilDisproving;
    }

    void explained(long restUntilEpoch) {
        explained = true;
        restsUntilEpoch = restUntilEpoch;
    }

    boolean eligible(long epoch, long disproving) {
        return evidence != null && !muted(epoch, disproving) && !(explained && epoch < restsUntilEpoch);
    }

    private boolean muted(long epoch, long disproving) {
        return epoch < mutedUntilEpoch && disproving < mutedUntilDisproving;
    }

    /** Counts the epochs a candidate has had its place; long enough and others wait, it lines up behind them. */
    void held(long epoch, int turnEpochs, boolean othersWait) {
        if (turnStart < 0) {
            turnStart = epoch;
        } else if (othersWait && epoch - turnStart >= turnEpochs) {
            turns++;
            turnStart = -1;
        }
    }

    /** Order of places: those not explained before the others, shorter service before longer, then by evidence and its strength. */
    static int compare(Suspicion a, Suspicion b) {
        int order = Boolean.compare(a.explained, b.explained);
        order = order != 0 ? order : Integer.compare(a.turns, b.turns);
        order = order != 0 ? order : Integer.compare(rank(a.evidence), rank(b.evidence));
        order = order != 0 ? order : Double.compare(b.growth, a.growth);
        order = order != 0 ? order : Integer.compare(b.cohorts, a.cohorts);
        order = order != 0 ? order : Integer.compare(b.survivors, a.survivors);
        return order != 0 ? order : Long.compare(a.id, b.id);
    }

    /** What is known of whether its instances are really alive. */
    Standing standing(long epoch, long disproving) {
        if (muted(epoch, disproving)) {
            return Standing.REJECTED;
        }
        return provenCohorts >= CohortRule.MIN_COHORTS ? Standing.CONFIRMED : Standing.PROVISIONAL;
    }

    Evidence evidence() {
        return evidence;
    }

    double growth() {
        return growth;
    }

    long[] threads() {
        return threads;
    }

    long qualifiedAtFold() {
        return qualifiedAtFold;
    }

    private static int rank(Evidence evidence) {
        return switch (evidence) {
            case TREND -> 0;
            case WATCHED -> 1;
            case COHORTS, GROWTH -> 2;
        };
    }

    private static boolean contains(long[] ids, long wanted) {
        for (long id : ids) {
            if (id == wanted) {
                return true;
            }
        }
        return false;
    }
}
