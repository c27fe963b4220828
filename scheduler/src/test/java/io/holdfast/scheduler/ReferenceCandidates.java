package io.holdfast.scheduler;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Which candidates are hurried for, told a second time: until they are explained, or eight searches have brought no explanation. */
final class ReferenceCandidates {
    private final Set<Long> explained = new HashSet<>();
    private final Map<Long, Integer> inVain = new HashMap<>();
    private final Set<Long> inSearch = new HashSet<>();
    private Long selected;

    void selected(Long id) {
        selected = id;
    }

    void sought(Long id) {
        if (id != null) {
            inSearch.add(id);
        }
    }

    void found(long id, boolean byThat) {
        inSearch.remove(id);
        if (byThat) {
            explained.add(id);
        } else {
            inVain.merge(id, 1, Integer::sum);
        }
    }

    void searchEnded() {
        inSearch.clear();
    }

    boolean hurry() {
        Set<Long> all = new HashSet<>(inSearch);
        if (selected != null) {
            all.add(selected);
        }
        all.removeAll(explained);
        all.removeIf(id -> inVain.getOrDefault(id, 0) >= 8);
        return !all.isEmpty();
    }
}
