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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The allocation sites that carry a hook. The scout names sites ({@link #observe}); now and then a batch gives hooks to new ones and takes them from
 * those whose objects die ({@link #maintain}); tokens make a hooked site yield samples ({@link #grant}). {@link #close} restores every byte.
 *
 * <p>{@link #observe} may be called from any thread and is cheap; everything else belongs to the Holdfast thread, except {@link #site} and
 * {@link #close}. Nothing throws. At most {@value SitePolicy#MAX_ACTIVE_SITES} sites carry a hook; over its life one instrumentation gives at most
 * {@value HookBytecode#MAX_SITES} ids. Classes and loaders of the application are held only while a batch runs.
 *
 * <p>Numbers: a batch stops the VM 10–20 ms whatever its size; a hook without token costs nothing at real allocations, but makes objects real that
 * the compiler would have removed, hence the short leases.
 */
public final class AllocationInstrumentation implements SiteCatalogue, AutoCloseable {
    static final String SITES_RETIRED = "agent.sites.retired";
    static final String SITES_REFUSED = "agent.sites.refused.";
    static final String CLASSES_REFUSED = "agent.classes.refused";
    static final String CLASSES_NOT_MODIFIABLE = "agent.classes.not_modifiable";

    private final Object batchLock = new Object();
    private final Instrumentation instrumentation;
    private final AllocationHook hook;
    private final SampleMaker maker;
    private final Ticker ticker;
    private final Counters counters;
    private final SiteTable table;
    private final SiteTransformer transformer;
    private final BatchSchedule schedule;
    private final AtomicLong stoppedNanos = new AtomicLong();
    /** Binary names of all classes that ever were to get hooks: these are restored at the end. */
    private final Set<String> touched = new HashSet<>();
    private final Set<String> refusedClasses = new HashSet<>();
    private int batches;
    private boolean closed;

    private AllocationInstrumentation(Instrumentation instrumentation, AllocationHook hook, SampleMaker maker, Ticker ticker, Counters counters) {
        this.instrumentation = instrumentation;
        this.hook = hook;
        this.maker = maker;
        this.ticker = ticker;
        this.counters = counters;
        long now = ticker.nanos();
        this.table = new SiteTable(hook.maxSites(), now, counters);
        this.schedule = new BatchSchedule(now);
        this.transformer = new SiteTransformer(new SiteRewriter(hook.method()), new Outcomes());
    }

    /**
     * Defines the hook class into {@code java.base} and registers the transformer; no class is changed yet.
     *
     * @param trusted the trusted lookup, {@code TrustedLookup.fromInstrumentation}
     * @param sink    takes samples from application threads; it should have been called once before, for a class that is loaded for the first
     *                time in the middle of a hook may deadlock
     * @throws IllegalStateException when this JVM cannot retransform, does not let the hook in, or when it is already in use; the message is one line
     */
    public static AllocationInstrumentation install(Instrumentation instrumentation, MethodHandles.Lookup trusted, SampleSink sink,
                                                    GcEpochs epochs, Ticker ticker, Counters counters) {
        return install(instrumentation, trusted, sink, epochs, ticker, counters, null);
    }

    /** The same, with threads that look at their own frames when they are wanted to; {@code stacks} null: none do. */
    public static AllocationInstrumentation install(Instrumentation instrumentation, MethodHandles.Lookup trusted, SampleSink sink,
                                                    GcEpochs epochs, Ticker ticker, Counters counters, StackWalks stacks) {
        if (!instrumentation.isRetransformClassesSupported()) {
            throw new IllegalStateException("This JVM does not let the agent retransform classes (Can-Retransform-Classes is missing).");
        }
        AllocationHook hook = AllocationHook.define(trusted);
        HookWarmUp.run(hook, trusted, epochs, ticker);
        SampleMaker maker = new SampleMaker(hook, sink, epochs, ticker, counters, stacks == null ? null : stacks.requests());
        if (!hook.open(maker)) {
            throw new IllegalStateException("Another Holdfast in this JVM already uses the allocation hook.");
        }
        return register(instrumentation, hook, maker, ticker, counters);
    }

    static AllocationInstrumentation register(Instrumentation instrumentation, AllocationHook hook, SampleMaker maker, Ticker ticker,
                                              Counters counters) {
        AllocationInstrumentation registered = new AllocationInstrumentation(instrumentation, hook, maker, ticker, counters);
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
        synchronized (batchLock) {
            if (closed || !schedule.due(nowNanos, true)) {
                return;
            }
            table.forgetOld(nowNanos);
            List<Site> leaving = new ArrayList<>();
            double leavingBytesPerSecond = 0;
            for (SiteSurvival one : survival) {
                Site site = table.site(one.siteId());
                if (site != null && site.state() == Site.State.ACTIVE && SitePolicy.leaves(one)) {
                    leaving.add(site);
                    leavingBytesPerSecond += site.bytesPerSecond(nowNanos);
                }
            }
            if (!schedule.due(nowNanos, SitePolicy.tooHot(leavingBytesPerSecond, table.bytesPerSecond(nowNanos)))) {
                return;
            }
            List<Site> entering = table.entering(nowNanos);
            if (leaving.isEmpty() && entering.isEmpty()) {
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
            site.retire();
            counters.increment(SITES_RETIRED);
            changed.add(site.key().className());
        }
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
        touched.addAll(changed);
        Map<String, List<WantedSite>> wanted = table.wanted();
        for (String name : changed) {
            String internalName = name.replace('.', '/');
            List<WantedSite> sites = wanted.getOrDefault(internalName, List.of());
            transformer.want(internalName, sites);
            if (sites.isEmpty()) {
                table.hooked(internalName, Map.of());
            }
        }
        hook.freeSlots();
        retransform(changed);
    }

    private void retransform(Set<String> names) {
        long start = ticker.nanos();
        Retransformation retransformation = new Retransformation(instrumentation, refused -> refuseClass(refused.getName()));
        List<Class<?>> modifiable = new ArrayList<>();
        for (Class<?> loaded : retransformation.loaded(names)) {
            if (instrumentation.isModifiableClass(loaded)) {
                modifiable.add(loaded);
            } else {
                counters.increment(CLASSES_NOT_MODIFIABLE);
                refuseClass(loaded.getName());
            }
        }
        retransformation.run(modifiable);
        batches++;
        stoppedNanos.addAndGet(ticker.nanos() - start);
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

    /** Wall time of looking up and retransforming classes so far, in nanoseconds; the VM is stopped for a part of it. */
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
            if (!closed && active(siteId)) {
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
            hook.close(maker);
            transformer.wantNothing();
            for (Site site : table.withIds()) {
                if (site.wanted()) {
                    site.retire();
                }
            }
            if (!touched.isEmpty()) {
                retransform(touched);
            }
            instrumentation.removeTransformer(transformer);
        }
    }

    /** What the transformer did, on whatever thread loads the class. */
    private final class Outcomes implements SiteTransformer.Outcome {
        @Override
        public void rewritten(String internalName, RewrittenClass result) {
            table.hooked(internalName, result.methods());
            table.siblings(internalName, result.methods(), ticker.nanos());
            for (RewrittenClass.Hooked hooked : result.hooked()) {
                Site site = table.site(hooked.siteId());
                if (site != null) {
                    site.activate(hooked.line(), result.sourceFile());
                }
            }
            result.refused().forEach((id, why) -> {
                Site site = table.site(id);
                if (site != null && site.state() == Site.State.PLANNED) {
                    refuse(site, why);
                }
            });
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
