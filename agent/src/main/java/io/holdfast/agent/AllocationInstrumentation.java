package io.holdfast.agent;

import io.holdfast.core.AllocationSite;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.SampleSink;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.SiteSurvival;
import io.holdfast.core.Ticker;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * The allocation sites that carry a hook. The scout names sites ({@link #observe}); now and then a batch gives hooks to new ones and takes them from
 * those whose objects die ({@link #maintain}); tokens make a hooked site yield samples ({@link #grant}). {@link #close} restores every byte.
 *
 * <p>{@link #observe} may be called from any thread and is cheap; everything else belongs to the Holdfast thread, except {@link #site} and
 * {@link #close}. Nothing throws. At most {@value SitePolicy#MAX_ACTIVE_SITES} sites carry a hook; over its life one instrumentation gives at most
 * {@value HookBytecode#MAX_SITES} ids. Classes and loaders of the application are held only while a batch runs.
 *
 * <p>Numbers: a batch stops the VM 10–20 ms in a program of 5 000 classes, whatever its size; a hook without token costs nothing at real allocations, but makes objects real that
 * the compiler would have removed, hence the short leases.
 */
public final class AllocationInstrumentation implements SiteCatalogue, AutoCloseable {
    static final String SITES_RETIRED = "agent.sites.retired";
    static final String SITES_REFUSED = "agent.sites.refused.";
    static final String CLASSES_REFUSED = "agent.classes.refused";
    static final String CLASSES_NOT_MODIFIABLE = "agent.classes.not_modifiable";
    static final String SECOND_CHANCES = "agent.sites.second_chances";
    /** Hooks that sites of an earlier run were given. */
    static final String LEARNED = "agent.sites.learned";
    static final String LEARNED_STALE = "agent.sites.learned.stale";
    static final String INTERVAL_SKIPPED = "agent.interval.instructions_skipped";
    /** Between two changes of mind about the interval lane: each is a batch. */
    private static final long SWITCH_SPACING = 2 * BatchSchedule.SECOND;
    /** Classes changed in one stop where all are to change. */
    private static final int CLASSES_PER_STOP = 500;

    private final Object batchLock = new Object();
    private final Instrumentation instrumentation;
    private final AllocationHook hook;
    private final SampleMaker maker;
    private final Ticker ticker;
    private final Counters counters;
    private final SiteTable table;
    private final SiteTransformer transformer;
    private final BatchSchedule schedule;
    private final StoppedTime stoppedTime;
    private final AtomicLong stoppedNanos = new AtomicLong();
    /** Binary names of all classes that ever were to get hooks: these are restored at the end. */
    private final Set<String> touched = new HashSet<>();
    private final Set<String> refusedClasses = new HashSet<>();
    private final HookSettings settings;
    /** Null where there is no interval lane. */
    private final IntervalLane lane;
    private final ShapeTable shapes;
    private IntervalForm interval = IntervalForm.NONE;
    private long lastSwitchNanos;
    private long lastChanceNanos;
    /** Whether all sites were instrumented at some time. */
    private boolean everywhere;
    /** Classes of learned sites: those that were loaded before get their hooks with the first batch. */
    private final Set<String> learnedClasses = new HashSet<>();
    private int batches;
    private boolean closed;

    private AllocationInstrumentation(Instrumentation instrumentation, AllocationHook hook, SampleMaker maker, Ticker ticker, Counters counters,
                                      HookSettings settings, IntervalLane lane, StoppedTime stoppedTime) {
        this.settings = settings;
        this.stoppedTime = stoppedTime;
        this.lane = lane;
        this.shapes = new ShapeTable(referenceShift(instrumentation, lane));
        this.instrumentation = instrumentation;
        this.hook = hook;
        this.maker = maker;
        this.ticker = ticker;
        this.counters = counters;
        long now = ticker.nanos();
        this.table = new SiteTable(hook.maxSites(), now, counters);
        this.schedule = new BatchSchedule(now);
        this.transformer = new SiteTransformer(new SiteRewriter(hook.method()), new Outcomes());
        this.lastSwitchNanos = now - SWITCH_SPACING;
        this.lastChanceNanos = now;
        settings.learned().forEach(this::learn);
    }

    /** Compressed references take four bytes in an array. */
    private static int referenceShift(Instrumentation instrumentation, IntervalLane lane) {
        return lane != null && instrumentation.getObjectSize(new Object[64]) >= 64 * 8 ? 3 : 2;
    }

    private void learn(LearnedSite learned) {
        Site site = table.learn(learned, ticker.nanos());
        if (site == null) {
            counters.increment(LEARNED_STALE);
        } else {
            learnedClasses.add(learned.className());
        }
    }

    /**
     * Defines the hook class into {@code java.base} and registers the transformer; no class is changed yet.
     *
     * @param trusted the trusted lookup, {@code TrustedLookup.fromInstrumentation}
     * @param sink    takes samples from application threads; it should have been called once before, for a class that is loaded for the first
     *                time in the middle of a hook may deadlock
     * @param random  decides which of a site's hits becomes the sample
     * @param stacks  with threads that look at their own frames when they are wanted to; null: none do
     * @throws IllegalStateException when this JVM cannot retransform, does not let the hook in, or when it is already in use; the message is one line
     */
    public static AllocationInstrumentation install(Instrumentation instrumentation, MethodHandles.Lookup trusted, SampleSink sink, GcEpochs epochs,
                                                    Ticker ticker, Counters counters, RandomGenerator random, StackWalks stacks, HookSettings settings) {
        return install(instrumentation, trusted, sink, epochs, ticker, counters, new SkippedHits(HookBytecode.MAX_SITES, random), stacks, settings);
    }

    static AllocationInstrumentation install(Instrumentation instrumentation, MethodHandles.Lookup trusted, SampleSink sink, GcEpochs epochs,
                                             Ticker ticker, Counters counters, SkippedHits skipped, StackWalks stacks, HookSettings settings) {
        if (!instrumentation.isRetransformClassesSupported()) {
            throw new IllegalStateException("This JVM does not let the agent retransform classes (Can-Retransform-Classes is missing).");
        }
        AllocationHook hook = AllocationHook.define(trusted);
        HookWarmUp.run(hook, trusted, epochs, ticker);
        SampleMaker maker = new SampleMaker(hook, sink, epochs, ticker, counters, skipped, stacks == null ? null : stacks.requests());
        if (!hook.open(maker)) {
            throw new IllegalStateException("Another Holdfast in this JVM already uses the allocation hook.");
        }
        IntervalLane lane = settings.sampled() == null ? null
                : settings.sampled().connect(hook.left(), hook.sizes(), instrumentation::getObjectSize, epochs);
        return register(instrumentation, hook, maker, ticker, counters, settings, lane, StoppedTime.open(trusted));
    }

    static AllocationInstrumentation register(Instrumentation instrumentation, AllocationHook hook, SampleMaker maker, Ticker ticker,
                                              Counters counters) {
        return register(instrumentation, hook, maker, ticker, counters, HookSettings.defaults(), null, new StoppedTime(() -> StoppedTime.UNKNOWN));
    }

    static AllocationInstrumentation register(Instrumentation instrumentation, AllocationHook hook, SampleMaker maker, Ticker ticker, Counters counters,
                                              HookSettings settings, IntervalLane lane, StoppedTime stoppedTime) {
        AllocationInstrumentation registered = new AllocationInstrumentation(instrumentation, hook, maker, ticker, counters, settings, lane, stoppedTime);
        registered.want(registered.learnedClasses);
        instrumentation.addTransformer(registered.transformer, true);
        return registered;
    }

    /** Notes what the JVM's sampler has seen. Any thread; one or two hash look-ups. Beyond {@value SiteTable#MAX_SCOUTED} sites it drops and counts. */
    public void observe(ScoutedAllocation seen) {
        table.observe(seen, ticker.nanos());
    }

    /**
     * Runs a batch if one is due and there is something to do. Holdfast thread; usually a few microseconds, in a batch some ten to some hundred
     * milliseconds of this thread, and one stop of the VM.
     */
    public void maintain(long nowNanos, List<SiteSurvival> survival) {
        if (settings.sampled() != null) {
            settings.sampled().maintain(nowNanos); // tells listeners, so not under the lock
        }
        synchronized (batchLock) {
            if (!closed && lane != null) {
                switchInterval(nowNanos);
            }
            if (closed || !schedule.due(nowNanos, true)) {
                return;
            }
            table.forgetOld(nowNanos);
            List<Site> leaving = new ArrayList<>();
            double leavingBytesPerSecond = 0;
            boolean chanceIsOver = false;
            for (SiteSurvival one : survival) {
                Site site = table.site(one.siteId());
                if (site != null && site.state() == Site.State.ACTIVE && SitePolicy.leaves(one)) {
                    leaving.add(site);
                    leavingBytesPerSecond += site.bytesPerSecond(nowNanos);
                    chanceIsOver |= site.again();
                }
            }
            if (!schedule.due(nowNanos, chanceIsOver || SitePolicy.tooHot(leavingBytesPerSecond, table.bytesPerSecond(nowNanos)))) {
                return;
            }
            List<Site> entering = table.entering(nowNanos);
            if (schedule.due(nowNanos, false) && nowNanos - lastChanceNanos >= SitePolicy.CHANCE_GAP_NANOS) {
                lastChanceNanos = nowNanos;
                List<Site> chances = table.secondChances(SitePolicy.CHANCES);
                counters.add(SECOND_CHANCES, chances.size());
                entering.addAll(chances);
            }
            if (leaving.isEmpty() && entering.isEmpty() && learnedClasses.isEmpty()) {
                return;
            }
            runBatch(leaving, entering);
            schedule.ran(nowNanos);
        }
    }

    private void runBatch(List<Site> leaving, List<Site> entering) {
        Set<String> changed = new HashSet<>();
        for (Site site : leaving) {
            hook.grant(site.id(), 0);
            site.retire(ticker.nanos());
            counters.increment(SITES_RETIRED);
            if (!interval.on()) {
                changed.add(site.key().className());
            }
        }
        changed.addAll(learnedClasses);
        learnedClasses.clear();
        for (Site site : entering) {
            if (refusedClasses.contains(site.key().className())) {
                refuse(site, RewrittenClass.Refusal.UNSUPPORTED);
            } else if (table.admit(site)) {
                changed.add(site.key().className());
            }
        }
        if (changed.isEmpty()) {
            return;
        }
        want(changed);
        hook.freeSlots();
        retransform(changed, true);
    }

    /** Tells the transformer what these classes are to have. */
    private void want(Set<String> names) {
        touched.addAll(names);
        Map<String, List<WantedSite>> wanted = table.wanted(interval.on());
        for (String name : names) {
            String internalName = name.replace('.', '/');
            List<WantedSite> sites = wanted.getOrDefault(internalName, List.of());
            transformer.want(internalName, sites);
            if (sites.isEmpty()) {
                table.hooked(internalName, Map.of());
            }
        }
    }

    /** The interval lane's hooks come when somebody asks for samples, and go when nobody does. */
    private void switchInterval(long nowNanos) {
        boolean on = settings.sampled().wanted();
        if (on == interval.on() || nowNanos - lastSwitchNanos < SWITCH_SPACING) {
            return;
        }
        lastSwitchNanos = nowNanos;
        boolean all = settings.allSites();
        interval = on ? new IntervalForm(true, all, shapes) : IntervalForm.NONE;
        transformer.interval(interval);
        if (on) {
            hook.openInterval(lane);
        }
        want(Set.copyOf(touched));
        if (all) {
            everywhere = true;
            if (!on) {
                table.restored();
            }
            retransformEverything();
        } else if (!touched.isEmpty()) {
            retransform(touched, false);
        }
        if (!on) {
            hook.closeInterval();
        }
    }

    private void retransformEverything() {
        long start = ticker.nanos();
        long stopped = stoppedTime.nanos();
        Retransformation retransformation = new Retransformation(instrumentation, refused -> refuseClass(refused.getName()));
        List<Class<?>> all = retransformation.loaded(name -> !ExcludedClasses.contains(name.replace('.', '/')));
        all.removeIf(loaded -> !instrumentation.isModifiableClass(loaded));
        for (int from = 0; from < all.size(); from += CLASSES_PER_STOP) {
            retransformation.run(all.subList(from, Math.min(all.size(), from + CLASSES_PER_STOP)));
            batches++;
        }
        stoppedNanos.addAndGet(stoppedTime.since(stopped, ticker.nanos() - start)); // asked for, so it delays no other batch
    }

    /** @param charged whether the finder's own batches wait for it; what the program asked for delays none */
    private void retransform(Set<String> names, boolean charged) {
        long start = ticker.nanos();
        long stopped = stoppedTime.nanos();
        Retransformation retransformation = new Retransformation(instrumentation, refused -> refuseClass(refused.getName()));
        List<Class<?>> modifiable = new ArrayList<>();
        for (Class<?> loaded : retransformation.loaded(names::contains)) {
            if (instrumentation.isModifiableClass(loaded)) {
                modifiable.add(loaded);
            } else {
                counters.increment(CLASSES_NOT_MODIFIABLE);
                refuseClass(loaded.getName());
            }
        }
        retransformation.run(modifiable);
        batches++;
        long took = ticker.nanos() - start;
        long stood = stoppedTime.since(stopped, took);
        stoppedNanos.addAndGet(stood);
        if (!charged) {
            return;
        }
        schedule.took(took);
        if (stopped != StoppedTime.UNKNOWN) {
            schedule.stopped(stood); // else it would be the wall time, many times as long, and there would be a batch in hours
        }
    }

    private void refuseClass(String name) {
        counters.increment(CLASSES_REFUSED);
        refusedClasses.add(name);
        String internalName = name.replace('.', '/');
        transformer.want(internalName, List.of());
        table.hooked(internalName, Map.of());
        for (Site site : table.withIds()) {
            if (site.wanted() && site.key().className().equals(name)) {
                hook.grant(site.id(), 0);
                refuse(site, RewrittenClass.Refusal.UNSUPPORTED);
            }
        }
    }

    private void refuse(Site site, RewrittenClass.Refusal why) {
        site.refuse();
        counters.increment(SITES_REFUSED + why.word());
    }

    /**
     * Sites worth knowing at the next start: those whose objects have survived, and those an earlier run has named that were not disproved in this one.
     * At most {@value SitePolicy#MAX_ACTIVE_SITES}. Holdfast thread.
     */
    public List<LearnedSite> learnedSites(List<SiteSurvival> survival) {
        Set<Integer> surviving = new HashSet<>();
        for (SiteSurvival one : survival) {
            if (one.survivors() >= SitePolicy.STAY_SURVIVORS) {
                surviving.add(one.siteId());
            }
        }
        List<LearnedSite> sites = new ArrayList<>();
        for (Site site : table.withIds()) {
            if (site.wanted() && site.key().index() >= 0 && (site.learned() || surviving.contains(site.id()))) {
                sites.add(LearnedSite.of(site));
            }
        }
        return sites;
    }

    /** How long retransforming classes has stopped the VM's threads so far, in nanoseconds; where the VM does not tell, how long it took. */
    public long stoppedNanos() {
        return stoppedNanos.get();
    }

    /** Batches run so far, the one that restores everything included. */
    public int batches() {
        synchronized (batchLock) {
            return batches;
        }
    }

    @Override
    public AllocationSite site(int siteId) {
        Site site = table.site(siteId);
        if (site == null) {
            throw new IndexOutOfBoundsException("no site " + siteId);
        }
        return site.noun();
    }

    @Override
    public int siteCount() {
        return table.count();
    }

    @Override
    public boolean active(int siteId) {
        Site site = table.site(siteId);
        return site != null && site.state() == Site.State.ACTIVE;
    }

    @Override
    public void grant(int siteId, int tokens) {
        synchronized (batchLock) {
            if (!closed && settings.tokens() && active(siteId)) {
                hook.grant(siteId, Math.max(0, tokens));
            }
        }
    }

    @Override
    public double bytesPerSecond(int siteId) {
        Site site = table.site(siteId);
        return site == null ? 0 : site.bytesPerSecond(ticker.nanos());
    }

    @Override
    public double relativeErrorOfRate(int siteId) {
        Site site = table.site(siteId);
        return site == null ? Double.NaN : site.relativeError();
    }

    /** Stops sampling at once, restores every class, and lets go of the JVM. Any thread; a second call does nothing. */
    @Override
    public void close() {
        synchronized (batchLock) {
            if (closed) {
                return;
            }
            closed = true;
            hook.closeInterval();
            hook.close(maker);
            transformer.wantNothing();
            for (Site site : table.withIds()) {
                if (site.wanted()) {
                    site.retire(ticker.nanos());
                }
            }
            if (everywhere && interval.on()) {
                retransformEverything();
            } else if (!touched.isEmpty()) {
                retransform(touched, false);
            }
            instrumentation.removeTransformer(transformer);
        }
        if (settings.sampled() != null) {
            settings.sampled().close();
        }
    }

    /** What the transformer did, on whatever thread loads the class. */
    private final class Outcomes implements SiteTransformer.Outcome {
        @Override
        public void rewritten(String internalName, RewrittenClass result) {
            table.hooked(internalName, result.methods());
            table.siblings(internalName, methodsOfSites(result), ticker.nanos());
            if (result.skipped() > 0) {
                counters.add(INTERVAL_SKIPPED, result.skipped());
            }
            for (RewrittenClass.Hooked hooked : result.hooked()) {
                Site site = table.site(hooked.siteId());
                if (site != null) {
                    if (site.learned() && site.state() == Site.State.PLANNED) {
                        counters.increment(LEARNED);
                    }
                    site.activate(hooked.line(), result.sourceFile());
                }
            }
            result.refused().forEach((id, why) -> {
                Site site = table.site(id);
                if (site != null && site.state() == Site.State.PLANNED) {
                    refuse(site, why);
                    if (site.learned()) {
                        counters.increment(LEARNED_STALE);
                    }
                }
            });
        }

        private Map<String, HookedMethod> methodsOfSites(RewrittenClass result) {
            Map<String, HookedMethod> methods = new HashMap<>();
            for (RewrittenClass.Hooked hooked : result.hooked()) {
                Site site = table.site(hooked.siteId());
                HookedMethod method = site == null ? null : result.methods().get(AllocationScan.key(site.key().methodName(), site.key().descriptor()));
                if (method != null) {
                    methods.put(AllocationScan.key(site.key().methodName(), site.key().descriptor()), method);
                }
            }
            return methods;
        }

        @Override
        public void failed(String internalName) {
            counters.increment(CLASSES_REFUSED);
            for (Site site : table.withIds()) {
                if (site.state() == Site.State.PLANNED && site.key().internalName().equals(internalName)) {
                    refuse(site, RewrittenClass.Refusal.UNSUPPORTED);
                }
            }
        }
    }
}
