package io.holdfast.agent;

import io.holdfast.core.Counters;
import io.holdfast.core.ScoutedAllocation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * All sites the scout has seen, and ids for those that got (or were to get) a hook. Any thread may observe; admission is for one thread. Holds at
 * most {@link #MAX_SCOUTED} sites, as text: no class is kept alive.
 */
final class SiteTable {
    static final int MAX_SCOUTED = 4_096;
    static final String SCOUT_DROPPED = "agent.scout.dropped";
    static final String SCOUT_EXCLUDED = "agent.scout.excluded";
    static final String SCOUT_TOO_HOT = "agent.scout.too_hot_to_touch";
    static final String IDS_EXHAUSTED = "agent.sites.ids_exhausted";
    private static final long FORGET_AFTER = 600 * BatchSchedule.SECOND;

    private final ConcurrentHashMap<ScoutKey, Site> scouted = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<Site> byId;
    private final AtomicInteger ids = new AtomicInteger();
    /** By internal class name, then by method. */
    private final ConcurrentHashMap<String, Map<String, HookedMethod>> hookedMethods = new ConcurrentHashMap<>();
    private final Counters counters;
    private final ScoutRate all;

    SiteTable(int maxIds, long nowNanos, Counters counters) {
        this.byId = new AtomicReferenceArray<>(maxIds);
        this.counters = counters;
        this.all = new ScoutRate(nowNanos);
    }

    void observe(ScoutedAllocation seen, long nowNanos) {
        synchronized (all) {
            all.add(seen.weightBytes(), nowNanos);
        }
        String internalName = seen.className().replace('.', '/');
        // The name of a hidden class ends in '/' or '+' and an address: such classes cannot be retransformed.
        if (seen.className().indexOf('/') >= 0 || seen.className().contains("+0x") || ExcludedClasses.contains(internalName)) {
            counters.increment(SCOUT_EXCLUDED);
            return;
        }
        if (SitePolicy.tooHotToTouch(seen.className(), seen.allocatedClass())) {
            counters.increment(SCOUT_TOO_HOT);
            return;
        }
        ScoutKey key = ScoutKey.of(seen, inputIndex(internalName, seen));
        Site site = scouted.get(key);
        if (site == null) {
            if (scouted.size() >= MAX_SCOUTED) {
                counters.increment(SCOUT_DROPPED);
                return;
            }
            site = scouted.computeIfAbsent(key, k -> new Site(k, seen.line(), nowNanos));
        }
        site.observe(seen.weightBytes(), nowNanos);
    }

    private int inputIndex(String internalName, ScoutedAllocation seen) {
        HookedMethod method = hookedMethods.getOrDefault(internalName, Map.of())
                .get(AllocationScan.key(seen.methodName(), seen.descriptor()));
        return method == null ? seen.bytecodeIndex() : method.toInput(seen.bytecodeIndex(), seen.allocatedClass());
    }

    /** Notes where the instructions of a class with hooks are; methods that lost theirs are kept for samples that come late. */
    void hooked(String internalName, Map<String, HookedMethod> methods) {
        hookedMethods.compute(internalName, (name, before) -> {
            Map<String, HookedMethod> now = before == null ? new HashMap<>() : new HashMap<>(before);
            now.replaceAll((key, method) -> method.withoutHooks());
            now.putAll(methods);
            return now.isEmpty() ? null : Map.copyOf(now);
        });
    }

    /** The site with that id, or null. */
    Site site(int id) {
        return id < 0 || id >= ids.get() ? null : byId.get(id);
    }

    int count() {
        return ids.get();
    }

    List<Site> withIds() {
        List<Site> sites = new ArrayList<>();
        for (int id = 0; id < ids.get(); id++) {
            sites.add(byId.get(id));
        }
        return sites;
    }

    /** Sites with hooks, or about to get them, by internal name of their class. */
    Map<String, List<WantedSite>> wanted() {
        Map<String, List<WantedSite>> wanted = new HashMap<>();
        for (Site site : withIds()) {
            if (site.wanted()) {
                wanted.computeIfAbsent(site.key().internalName(), name -> new ArrayList<>()).add(site.asWanted());
            }
        }
        return wanted;
    }

    /** Sites that deserve a hook, most bytes first. */
    List<Site> entering(long nowNanos) {
        long room = SitePolicy.MAX_ACTIVE_SITES - withIds().stream().filter(Site::wanted).count();
        record Ranked(Site site, double bytesPerSecond) { }
        return scouted.values().stream()
                .filter(site -> site.state() == Site.State.SCOUTED)
                .map(site -> new Ranked(site, site.bytesPerSecond(nowNanos)))
                .sorted(Comparator.comparingDouble(Ranked::bytesPerSecond).reversed())
                .limit(Math.max(0, Math.min(room, SitePolicy.MAX_NEW_SITES_PER_BATCH)))
                .map(Ranked::site)
                .toList();
    }

    /** Gives the site an id. False when all ids are used up. */
    boolean admit(Site site) {
        int id = ids.get();
        if (id >= byId.length()) {
            counters.increment(IDS_EXHAUSTED);
            site.refuse();
            return false;
        }
        site.plan(id);
        byId.set(id, site);
        ids.set(id + 1);
        return true;
    }

    double bytesPerSecond(long nowNanos) {
        synchronized (all) {
            return all.bytesPerSecond(nowNanos);
        }
    }

    /** Makes room when the table is full: sites without id that the scout has not seen for long. */
    void forgetOld(long nowNanos) {
        if (scouted.size() >= MAX_SCOUTED) {
            scouted.values().removeIf(site -> site.id() == Site.NO_ID && nowNanos - site.lastNanos() > FORGET_AFTER);
        }
    }
}
