package io.holdfast.scheduler;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.SearchFinding;

/**
 * Which candidates still wait for their first explanation. Only for them the thread may take the larger share: a permanent leak stays a candidate
 * for hours after it has been explained, and so does one that nothing visible holds. Numbers only; not thread-safe.
 */
final class UnresolvedCandidates {
    /** Searches in a row that brought no explanation after which a candidate is no longer hurried for. */
    static final int HURRIED_SEARCHES = 8;
    /** The same for what was not sampled, of which there is always something in a program that warms up. */
    static final int HURRIED_SEARCHES_IF_ONLY_GROWTH = 2;
    /** Candidates remembered; liveness itself remembers as many. */
    static final int MAX_REMEMBERED = 512;

    private static final int EXPLAINED = Integer.MAX_VALUE;

    /** Searches without an explanation by candidate. */
    private final Map<Long, Integer> fruitless = new LinkedHashMap<>(64, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Integer> eldest) {
            return size() > MAX_REMEMBERED;
        }
    };
    private final Set<Long> sought = new HashSet<>();
    private List<LeakCandidate> selected = List.of();

    /** The selection of now; it may lose a candidate that the running search still seeks. */
    void selected(List<LeakCandidate> candidates) {
        selected = candidates;
        for (LeakCandidate candidate : candidates) {
            if (candidate.trend().evidence() == CandidateTrend.Evidence.GROWTH) {
                fruitless.putIfAbsent(candidate.id(), HURRIED_SEARCHES - HURRIED_SEARCHES_IF_ONLY_GROWTH);
            }
        }
    }

    void sought(List<LeakCandidate> candidates) {
        candidates.forEach(candidate -> sought.add(candidate.id()));
    }

    void searchEnded() {
        sought.clear();
    }

    void found(List<SearchFinding> findings) {
        for (SearchFinding finding : findings) {
            sought.remove(finding.candidateId());
            fruitless.merge(finding.candidateId(), 1, (old, one) -> old >= HURRIED_SEARCHES ? old : old + one);
        }
    }

    void explained(long candidateId) {
        fruitless.put(candidateId, EXPLAINED);
    }

    /** Whether one of those selected or sought waits for its first explanation, and not in vain so far. */
    boolean any() {
        for (LeakCandidate candidate : selected) {
            if (hurried(candidate.id())) {
                return true;
            }
        }
        for (long id : sought) {
            if (hurried(id)) {
                return true;
            }
        }
        return false;
    }

    private boolean hurried(long id) {
        return fruitless.getOrDefault(id, 0) < HURRIED_SEARCHES;
    }
}
