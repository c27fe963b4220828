package io.holdfast.liveness;

import io.holdfast.core.CandidateTrend.Evidence;
import io.holdfast.core.Counters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which classes are suspected, and which of them have a place. Several origins of one class are one suspicion, and it keeps its number while it
 * comes and goes.
 */
final class CandidateBook {
    static final int MAX_LEAK_CANDIDATES = 5;
    /** Suspicions remembered. */
    static final int MAX_SUSPICIONS = 512;
    /** Folds without evidence after which a suspicion is forgotten, its number with it. */
    static final int FORGOTTEN_AFTER_FOLDS = 64;
    /** Epochs a muted suspicion waits at the most. */
    static final int MUTE_EPOCHS = 8;
    /** Epochs an explained suspicion leaves its place alone. */
    static final int EXPLAINED_REST_EPOCHS = 30;
    /** Epochs after which a candidate without a verdict lets others go first. */
    static final int TURN_EPOCHS = 16;
    static final String SUSPICIONS_DROPPED = "liveness.suspicions.dropped";

    private final Counters counters;
    private final Map<TrackedClass, Suspicion> byClass = new IdentityHashMap<>();
    private final Map<Long, Suspicion> byId = new HashMap<>();
    private long ids;
    private long changes;

    CandidateBook(Counters counters) {
        this.counters = counters;
    }

    /** Applies all rules to what the last fold found. */
    void evaluate(ClassHistories histories, Sites sites, Predicate<SiteClass> earlyRule, int requiredStreak, long fold, Instant now) {
        byClass.values().forEach(Suspicion::clearEvidence);
        for (ClassHistory history : histories.entries()) {
            if (history.qualifies(requiredStreak)) {
                Suspicion suspicion = of(history.type, now);
                if (suspicion != null) {
                    suspicion.trend(history.growth(), history.qualifyingThreads(requiredStreak), fold);
                }
            }
        }
        sites.forEach(site -> {
            for (SiteClass origin : site.classes()) {
                origin.suspect = earlyRule.test(origin);
                boolean outlived = site.label != null && (origin.oldestAge() >= CohortRule.CLOSED_AGE || origin.proven() > 0);
                if (outlived || origin.suspect) {
                    Suspicion suspicion = of(origin.type, now);
                    if (suspicion != null) {
                        suspicion.add(outlived ? Evidence.WATCHED : Evidence.COHORTS, origin, fold);
                    }
                }
            }
        });
        sites.forEach(site -> {
            for (SiteClass origin : site.classes()) {
                Suspicion suspicion = origin.provenCohorts() == 0 ? null : byClass.get(origin.type);
                if (suspicion != null && suspicion.evidence() != null && suspicion.countsAsProof(origin)) {
                    suspicion.proven(origin.provenCohorts());
                }
            }
        });
        byClass.values().removeIf(suspicion -> {
            boolean forgotten = suspicion.evidence() == null && suspicion.qualifiedAtFold() < fold - FORGOTTEN_AFTER_FOLDS;
            if (forgotten) {
                byId.remove(suspicion.id);
            }
            return forgotten;
        });
    }

    boolean anyEligible(long epoch, long disproving) {
        return byClass.values().stream().anyMatch(suspicion -> suspicion.eligible(epoch, disproving));
    }

    /** Those that get a place now, strongest first. */
    List<Suspicion> choose(int max, long epoch, long disproving) {
        List<Suspicion> eligible = new ArrayList<>();
        for (Suspicion suspicion : byClass.values()) {
            if (suspicion.eligible(epoch, disproving)) {
                eligible.add(suspicion);
            }
        }
        eligible.sort(Suspicion::compare);
        int places = Math.max(0, Math.min(Math.min(max, MAX_LEAK_CANDIDATES), eligible.size()));
        List<Suspicion> chosen = List.copyOf(eligible.subList(0, places));
        chosen.forEach(suspicion -> suspicion.held(epoch, TURN_EPOCHS, eligible.size() > places));
        return chosen;
    }

    /** All with evidence now, muted and explained ones too, strongest first. */
    List<Suspicion> withEvidence(int max) {
        return byClass.values().stream().filter(suspicion -> suspicion.evidence() != null).sorted(Suspicion::compare).limit(max).toList();
    }

    void mute(long candidateId, long epoch, long untilDisprovingCollection) {
        Suspicion suspicion = byId.get(candidateId);
        if (suspicion != null) {
            suspicion.mute(epoch + MUTE_EPOCHS, untilDisprovingCollection);
            changes++;
        }
    }

    void explained(long candidateId, long epoch) {
        Suspicion suspicion = byId.get(candidateId);
        if (suspicion != null) {
            suspicion.explained(epoch + EXPLAINED_REST_EPOCHS);
            changes++;
        }
    }

    /** What is known of a suspicion; null for one that is unknown or has no evidence now. */
    Standing standing(long candidateId, long epoch, long disproving) {
        Suspicion suspicion = byId.get(candidateId);
        return suspicion == null || suspicion.evidence() == null ? null : suspicion.standing(epoch, disproving);
    }

    /** Grows with every verdict. */
    long changes() {
        return changes;
    }

    int size() {
        return byClass.size();
    }

    void clear() {
        byClass.clear();
        byId.clear();
        changes++;
    }

    private Suspicion of(TrackedClass type, Instant now) {
        Suspicion suspicion = byClass.get(type);
        if (suspicion == null) {
            if (byClass.size() >= MAX_SUSPICIONS) {
                counters.increment(SUSPICIONS_DROPPED);
                return null;
            }
            suspicion = new Suspicion(++ids, type, now);
            byClass.put(type, suspicion);
            byId.put(suspicion.id, suspicion);
        }
        return suspicion;
    }
}
