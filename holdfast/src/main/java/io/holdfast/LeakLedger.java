package io.holdfast;

import io.holdfast.core.Accumulation;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakState;
import io.holdfast.core.SearchFinding;
import io.holdfast.refchains.FinalizationQueue;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/*
 * From candidates to a leak
 *
 * Survival only accuses. Weak references to dead objects of the old generation stay uncleared for minutes, so a bounded cache and a batch that
 * was flushed look the same as a leak to the liveness table. Three things have to come together before a leak is reported:
 *  - the walk reached instances of old and of new cohorts through strong references (else the candidate is muted);
 *  - they pile up in one place, and that place has grown for as long as it has been followed, and grows still;
 *  - the burn-in is over.
 * Where several containers hold them, and what holds these becomes more, that is the place.
 * Candidates that lead to one accumulation point are one leak: Session, its HashMap$Node and its byte[] are found by three candidates.
 */
/**
 * Keeps the suspects and decides which of them are leaks. Everything runs on the Holdfast thread but {@link #leaks}, which any thread may call.
 */
final class LeakLedger {
    /** Suspects followed at the same time; the one that has grown least gives way. */
    static final int MAX_SUSPECTS = 64;
    /** Where nothing but its growth accuses a container: the share of the rate at which it was seen to grow before that it must keep. What fills up slows down. */
    private static final double MIN_PACE_KEPT = 0.7;
    private static final int MAX_CANDIDATES_REMEMBERED = 256;
    /** So many times as long may the way to its bound take from where half of it is behind. */
    private static final int HALF_FULL_FACTOR = 3;

    private final LedgerSettings settings;
    private final long startNanos;
    private final Counters counters;
    private final CandidateFeedback feedback;
    private final Consumer<Leak> changed;
    private final Consumer<String> withdrawn;
    private final Map<Long, LeakCandidate> candidates = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, LeakCandidate> eldest) {
            return size() > MAX_CANDIDATES_REMEMBERED;
        }
    };
    private final Map<String, Suspect> suspects = new LinkedHashMap<>();
    /** Leaks that have stood in the list, by their ids. */
    private final Set<String> listed = new HashSet<>();
    private long lastNanos;
    private volatile List<Leak> leaks = List.of();

    LeakLedger(LedgerSettings settings, long startNanos, Counters counters, CandidateFeedback feedback, Consumer<Leak> changed,
            Consumer<String> withdrawn) {
        this.settings = settings;
        this.startNanos = startNanos;
        this.lastNanos = startNanos;
        this.counters = counters;
        this.feedback = feedback;
        this.changed = changed;
        this.withdrawn = withdrawn;
    }

    /** The leaks now, worst first. */
    List<Leak> leaks() {
        return leaks;
    }

    /** Suspects followed now; for reports. */
    int suspects() {
        return suspects.size();
    }

    void selected(List<LeakCandidate> selection) {
        selection.forEach(c -> candidates.put(c.id(), c));
    }

    void found(List<SearchFinding> findings) {
        for (SearchFinding finding : findings) {
            LeakCandidate candidate = candidates.get(finding.candidateId());
            if (candidate == null) {
                counters.increment("ledger.findings.orphaned");
            } else {
                judge(candidate, finding);
            }
        }
    }

    private void judge(LeakCandidate candidate, SearchFinding finding) {
        if (finding.reached() == 0 && !finding.outcome().equals(SearchFinding.UNREACHED)) {
            counters.increment("ledger.findings.undecided"); // the search was given up: that proves nothing
            return;
        }
        boolean survival = candidate.trend().evidence() == CandidateTrend.Evidence.TREND || candidate.trend().evidence() == CandidateTrend.Evidence.COHORTS;
        if (finding.reached() == 0 || survival && !finding.oldestReached()) {
            // Only the newest can be reached, or nothing: the older ones are dead and wait for a collection that clears them.
            counters.increment(finding.reached() == 0 ? "ledger.candidates.unreached" : "ledger.candidates.onlynewest");
            feedback.mute(candidate.id());
            if (finding.reached() == 0) {
                feedback.unreached(candidate, finding.searchId());
            }
            return;
        }
        if (!survival || finding.severalCohorts()) {
            feedback.reached(candidate.id()); // one old instance somewhere else does not answer what holds the others
        }
        Accumulation accumulation = finding.accumulation();
        if (accumulation == null) {
            counters.increment("ledger.candidates.scattered");
            feedback.mute(candidate.id());
            return;
        }
        Suspect suspect = suspect(accumulation, key(accumulation), null);
        suspect.add(candidate, finding, accumulation, lastNanos);
        suspect.ledTo();
        Map<String, Integer> innerOfField = new HashMap<>();
        for (Accumulation inner : accumulation.inner()) {
            // It may have the field of the outer one (children of children), or that of another inner one (a thread's map of lists).
            int before = innerOfField.merge(key(inner), 1, Integer::sum) - 1;
            suspect(inner, key(inner) + (before == 0 ? "" : " " + before) + " below " + suspect.holder(), suspect).add(candidate, finding, inner, lastNanos);
        }
        for (Accumulation outer : accumulation.outer()) {
            // That, too, may have the same field; or it was found by itself before, and is what is followed behind that field.
            boolean sameField = key(outer).equals(key(accumulation));
            Suspect branching = sameField && suspect.follows(outer) ? suspect : suspect(outer, key(outer) + (sameField ? " around" : ""), null);
            if (branching != suspect) {
                branching.add(candidate, finding, outer, lastNanos);
                branching.follow(lastNanos, 0);
                suspect.branching(branching);
            }
        }
        suspect.follow(lastNanos, 0);
        if (survival && !finding.severalCohorts()) {
            // The newest are elsewhere, or garbage of another site. What holds the oldest is followed; what else there is of the class may leak in another place.
            counters.increment("ledger.candidates.onlyoldest");
            feedback.mute(candidate.id());
        } else if (suspect.state() != null || !suspect.uncounted()) {
            feedback.explained(candidate.id()); // else it is sought again, to see whether everything stays in place
        }
    }

    private Suspect suspect(Accumulation place, String key, Suspect outer) {
        Suspect suspect = suspects.get(key);
        if (suspect == null && outer == null) {
            suspect = suspects.values().stream().filter(s -> s.outer() == null && s.sharesStorage(place)).findFirst().orElse(null);
        }
        if (suspect == null) {
            makeRoom();
            suspect = new Suspect(place, outer);
            suspects.put(key, suspect);
        }
        return suspect;
    }

    /** Fields of the JDK (a thread's map of thread-locals, say) hold many populations; a field of anybody else's holds one. */
    private static String key(Accumulation accumulation) {
        String holder = accumulation.holder();
        return holder.startsWith("java.") && !holder.equals(FinalizationQueue.HOLDER) ? holder + " " + ClassNames.stable(accumulation.ownerClass()) : holder;
    }

    private void makeRoom() {
        if (suspects.size() < MAX_SUSPECTS) {
            return;
        }
        // Suspects first, then leaks that are resolved, then those that stand: there is a bound, whatever happens.
        suspects.entrySet().stream()
                .min(Comparator.comparingInt((Map.Entry<String, Suspect> e) -> rank(e.getValue().state()))
                        .thenComparingLong(e -> e.getValue().series().gained()))
                .ifPresent(e -> {
                    suspects.remove(e.getKey());
                    counters.increment("ledger.suspects.evicted");
                });
    }

    private static int rank(LeakState state) {
        return state == null ? 0 : state == LeakState.RESOLVED ? 1 : 2;
    }

    /** Follows the suspects and passes verdicts; call about once a second. */
    void follow(long nowNanos) {
        lastNanos = nowNanos;
        List<Suspect> news = new ArrayList<>();
        for (Suspect suspect : suspects.values()) {
            suspect.follow(nowNanos, settings.probeInterval().toNanos());
            LeakState before = suspect.state();
            LeakState after = verdict(suspect, nowNanos);
            if (after != before) {
                if (before == null) {
                    suspect.reported(nowNanos);
                }
                suspect.state(after);
                if (after != null) {
                    news.add(suspect);
                }
            }
        }
        leaks = LeaksInStep.joined(LeakOrder.worstFirst(suspects.values().stream().filter(s -> s.state() != null).map(Suspect::toLeak).toList()));
        tell(news);
    }

    /**
     * Of leaks whose state has changed, and of those that stand in the list for the first time: what has been joined with another one is told of there, until it outweighs
     * that.
     */
    private void tell(List<Suspect> news) {
        Set<String> changedIds = news.stream().map(Suspect::fingerprint).collect(Collectors.toSet());
        List<Leak> now = leaks;
        List<Leak> telling = now.stream().filter(leak -> changedIds.contains(leak.id()) || !listed.contains(leak.id())).toList();
        listed.addAll(now.stream().map(Leak::id).toList());
        listed.retainAll(suspects.values().stream().filter(s -> s.state() != null).map(Suspect::fingerprint).toList());
        telling.forEach(changed);
    }

    private LeakState verdict(Suspect suspect, long nowNanos) {
        LeakState state = suspect.state();
        GrowthSeries series = suspect.series();
        if (state == null || state == LeakState.RESOLVED) {
            boolean excused = !suspect.uncounted() && (!suspect.beyondFormerHeight(nowNanos) || fillsUp(suspect));
            if (!grown(suspect, nowNanos) || excused || nowNanos - startNanos < settings.burnIn().toNanos()) {
                return state;
            }
            // What could not be counted has not been seen to grow.
            return suspect.cohortsConfirmed() && !suspect.uncounted() ? LeakState.EXPLAINED : LeakState.PROVISIONAL;
        }
        if (suspect.gone()) {
            return LeakState.RESOLVED;
        }
        if (!suspect.uncounted() && series.level()) {
            if (nowNanos - suspect.reportedNanos() <= settings.withdrawal().toNanos()) {
                counters.increment("ledger.leaks.withdrawn");
                withdrawn.accept(suspect.fingerprint());
                suspect.followAnew();
                return null;
            }
            return LeakState.RESOLVED;
        }
        return state == LeakState.PROVISIONAL && suspect.cohortsConfirmed() && !suspect.uncounted() ? LeakState.EXPLAINED : state;
    }

    /**
     * Whether it will soon be as large as it says it gets: then there is nothing to wait for but that. A bound that is far away is none, nor is one that fills
     * the heap. It may be three times as far away where half of the way is behind: of several containers most may be full.
     */
    private boolean fillsUp(Suspect suspect) {
        long nanosUntilFull = suspect.nanosUntilFull();
        long filling = settings.filling().toNanos();
        return (nanosUntilFull <= filling || suspect.halfFull() && nanosUntilFull <= HALF_FULL_FACTOR * filling) && suspect.bytesWhenFull() <= settings.fillingBytes();
    }

    private boolean grown(Suspect suspect, long nowNanos) {
        if (suspect.gone()) {
            return false;
        }
        GrowthSeries series = suspect.series();
        Suspect outer = suspect.outer();
        if (outer != null) {
            // Where the container of containers grows itself, that is the leak.
            boolean outerStands = outer.state() == null && outer.series().spanNanos() >= settings.followed().toNanos() && outer.series().level();
            return outerStands && !branchesGrow(outer) && series.spanNanos() >= settings.followedIfInner().toNanos() && series.growsSteadily();
        }
        if (branchesGrow(suspect)) {
            return false;
        }
        if (suspect.uncounted()) {
            return suspect.keptNanos() >= settings.keptIfUncounted().toNanos();
        }
        if (suspect.weaklyAccused() && (series.gained() < settings.gainedIfOnlyGrowth() || series.perHour() < MIN_PACE_KEPT * suspect.growthPerHour())) {
            return false;
        }
        // That all instances are still in place says nothing of the age of what holds many of them each.
        boolean kept = suspect.isLedTo() && suspect.keptFor(nowNanos) >= settings.keptAge().toNanos();
        return series.spanNanos() >= (kept ? settings.followedIfKept() : settings.followed()).toNanos() && series.growsSteadily();
    }

    /** Whether its containers become more themselves, as far as can be seen now: that is the leak. What is over, gone or not counted any more says nothing. */
    private boolean branchesGrow(Suspect suspect) {
        Suspect branching = suspect.branching();
        if (branching == null || !suspects.containsValue(branching)) {
            return false;
        }
        boolean reported = branching.state() != null && branching.state() != LeakState.RESOLVED;
        return reported || !branching.gone() && !branching.uncounted() && branching.series().growsSteadily();
    }

    @Override
    public String toString() {
        return "suspects " + suspects;
    }
}
