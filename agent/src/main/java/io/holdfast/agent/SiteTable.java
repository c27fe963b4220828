package io.holdfast.agent;

import io.holdfast.core.ClassNames;
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
    static final String SCOUT_STALE = "agent.scout.stale";
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
            if (key.index() == HookedMethod.UNKNOWN && knowsPlaceOf(key)) {
                counters.increment(SCOUT_STALE);
                return;
            }
            if (scouted.size() >= MAX_SCOUTED) {
                counters.increment(SCOUT_DROPPED);
                return;
            }
            site = scouted.computeIfAbsent(key, k -> new Site(k, seen.line(), nowNanos));
        }
        site.observe(seen.weightBytes(), nowNanos);
    }

    /** A late sample of the method as it was two changes ago: its instruction is known under its true index. */
    private boolean knowsPlaceOf(ScoutKey late) {
        return scouted.keySet().stream().anyMatch(key -> key.index() != HookedMethod.UNKNOWN && key.allocatedClass().equals(late.allocatedClass())
                && key.methodName().equals(late.methodName()) && key.descriptor().equals(late.descriptor()) && key.className().equals(late.className()));
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

    /**
     * The other allocating instructions of methods that carry hooks. Such a method runs often, and its class is changed anyway; waiting until the
     * sampler has named each of its instructions takes minutes where objects are small. They come behind everything the scout has named, with the
     * next batch.
     */
    void siblings(String internalName, Map<String, HookedMethod> methods, long nowNanos) {
        methods.forEach((methodKey, method) -> {
            int parameters = methodKey.indexOf('(');
            for (AllocationInstruction instruction : method.instructions()) {
                if (instruction.kind() != AllocationInstruction.Kind.EXACT || !instruction.supported()) {
                    continue;
                }
                ScoutKey key = new ScoutKey(internalName.replace('/', '.'), methodKey.substring(0, parameters), methodKey.substring(parameters),
                        instruction.index(), ClassNames.stable(instruction.type()));
                if (scouted.size() < MAX_SCOUTED && !SitePolicy.tooHotToTouch(key.className(), key.allocatedClass())) {
                    scouted.computeIfAbsent(key, k -> new Site(k, instruction.line(), nowNanos));
                }
            }
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

    /**
     * Sites with hooks, or about to get them, by internal name of their class.
     *
     * @param retiredToo whether also those that lost their hook: the interval lane counts whatever dies
     */
    Map<String, List<WantedSite>> wanted(boolean retiredToo) {
        Map<String, List<WantedSite>> wanted = new HashMap<>();
        for (Site site : withIds()) {
            if (site.wanted() || (retiredToo && site.state() == Site.State.RETIRED)) {
                wanted.computeIfAbsent(site.key().internalName(), name -> new ArrayList<>()).add(site.asWanted());
            }
        }
        return wanted;
    }

    /** Takes over a site of an earlier run. The site, or null when it cannot have a hook or is there already. */
    Site learn(LearnedSite learned, long nowNanos) {
        ScoutKey key = learned.key();
        if (ExcludedClasses.contains(key.internalName()) || SitePolicy.tooHotToTouch(key.className(), key.allocatedClass()) || scouted.containsKey(key)) {
            return null;
        }
        Site site = new Site(key, learned.line(), nowNanos, true);
        scouted.put(key, site);
        return admit(site) ? site : null;
    }

    /**
     * Sites that lost their hook and that the scout has seen since, those first that have been without for longest: what is healthy at first may leak later.
     * Each is replaced by a new site, which must get an id. None once half of all ids are used up: those that are left belong to places not seen yet.
     */
    List<Site> secondChances(int most) {
        List<Site> chances = new ArrayList<>();
        if (ids.get() >= byId.length() / 2) {
            return chances;
        }
        scouted.values().stream().filter(site -> site.state() == Site.State.RETIRED && site.lastNanos() - site.retiredNanos() > 0)
                .sorted(Comparator.comparingLong(Site::retiredNanos)).limit(most).forEach(retired -> {
                    Site again = new Site(retired);
                    if (scouted.replace(retired.key(), retired, again)) {
                        chances.add(again);
                    }
                });
        return chances;
    }

    /** All hooks are gone. */
    void restored() {
        for (String internalName : List.copyOf(hookedMethods.keySet())) {
            hooked(internalName, Map.of());
        }
    }

    /** Sites that deserve a hook, most bytes first. */
    List<Site> entering(long nowNanos) {
        long active = withIds().stream().filter(Site::wanted).count();
        record Ranked(Site site, double bytesPerSecond) { }
        List<Ranked> ranked = scouted.values().stream()
                .filter(site -> site.state() == Site.State.SCOUTED)
                .map(site -> new Ranked(site, site.bytesPerSecond(nowNanos)))
                .sorted(Comparator.comparingDouble(Ranked::bytesPerSecond).reversed())
                .toList();
        List<Site> entering = new ArrayList<>();
        for (Ranked next : ranked) {
            int limit = next.bytesPerSecond() > 0 ? SitePolicy.MAX_ACTIVE_SITES : SitePolicy.MAX_ACTIVE_WITH_SIBLINGS;
            if (entering.size() < SitePolicy.MAX_NEW_SITES_PER_BATCH && active + entering.size() < limit) {
                entering.add(next.site());
            }
        }
        return entering;
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
