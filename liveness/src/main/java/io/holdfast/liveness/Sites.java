package io.holdfast.liveness;

import io.holdfast.core.AllocationSample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Histories of the allocation sites and of the labels given to {@code watch}. */
final class Sites {
    /** Site ids followed; ids are dense, so this bounds the memory. */
    static final int MAX_SITES = 8_192;
    /** Labels told apart; objects under further labels are followed without one. */
    static final int MAX_LABELS = 64;

    private final List<SiteHistory> bySite = new ArrayList<>();
    private final Map<String, SiteHistory> byLabel = new HashMap<>();

    /** History of a site, made at its first sample; null for an id out of range. */
    SiteHistory of(int siteId, String label, long epoch, long nanos) {
        if (siteId == AllocationSample.WATCHED) {
            String key = label != null && (byLabel.size() < MAX_LABELS || byLabel.containsKey(label)) ? label : "";
            return byLabel.computeIfAbsent(key, text -> new SiteHistory(siteId, text, epoch, nanos));
        }
        if (siteId < 0 || siteId >= MAX_SITES) {
            return null;
        }
        while (bySite.size() <= siteId) {
            bySite.add(null);
        }
        SiteHistory history = bySite.get(siteId);
        if (history == null) {
            history = new SiteHistory(siteId, null, epoch, nanos);
            bySite.set(siteId, history);
        }
        return history;
    }

    /** History of a site that had a sample, or null. */
    SiteHistory known(int siteId) {
        return siteId >= 0 && siteId < bySite.size() ? bySite.get(siteId) : null;
    }

    /** Sites in the order of their ids, then labels. */
    void forEach(Consumer<SiteHistory> action) {
        for (SiteHistory history : bySite) {
            if (history != null) {
                action.accept(history);
            }
        }
        byLabel.values().forEach(action);
    }

    void clear() {
        bySite.clear();
        byLabel.clear();
    }
}
