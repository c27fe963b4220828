package io.holdfast.liveness;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.AllocationSite;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.SiteCatalogue;
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

    static final String LABELS_MERGED = "liveness.labels.merged";

    private final SiteCatalogue catalogue;
    private final Counters counters;
    private final List<SiteHistory> bySite = new ArrayList<>();
    private final Map<String, SiteHistory> byLabel = new HashMap<>();

    Sites(SiteCatalogue catalogue, Counters counters) {
        this.catalogue = catalogue;
        this.counters = counters;
    }

    /** History of a site, made at its first sample; null for an id out of range. */
    SiteHistory of(int siteId, String label, long epoch, long nanos) {
        if (siteId == AllocationSample.WATCHED) {
            boolean known = label == null || label.isEmpty() || byLabel.size() < MAX_LABELS || byLabel.containsKey(label);
            if (!known) {
                counters.increment(LABELS_MERGED);
            }
            return byLabel.computeIfAbsent(known && label != null ? label : "", text -> new SiteHistory(siteId, text, false, epoch, nanos));
        }
        if (siteId < 0 || siteId >= MAX_SITES) {
            return null;
        }
        while (bySite.size() <= siteId) {
            bySite.add(null);
        }
        SiteHistory history = bySite.get(siteId);
        if (history == null) {
            history = new SiteHistory(siteId, null, inJdk(siteId), epoch, nanos);
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

    private boolean inJdk(int siteId) {
        AllocationSite site = siteId < catalogue.siteCount() ? catalogue.site(siteId) : null;
        return site != null && ClassNames.ofJdk(site.className());
    }

    void clear() {
        bySite.clear();
        byLabel.clear();
    }
}
