package io.holdfast;

import com.acme.orders.OrderImport;
import io.holdfast.agent.AllocationInstrumentation;
import io.holdfast.agent.HookSettings;
import io.holdfast.agent.SelfAttach;
import io.holdfast.agent.StackWalks;
import io.holdfast.core.AllocationSample;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.refchains.SearchSettings;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Main class of a forked JVM: hook, looks at frames and search, with nothing between them that keeps a schedule, so that it does not depend on how busy
 * the machine is. Each line printed is a fact for {@link StackRootTest} to look at.
 */
final class StackRootProgram {
    private static final String ORDER = "com.acme.orders.OrderImport$Order";
    private static final int INSTANCES = 32;
    private static final int SEARCHES = 20;

    /** The real clock, ahead of itself when told. */
    private static final class AheadTicker implements Ticker {
        private final AtomicLong ahead = new AtomicLong();

        @Override
        public long nanos() {
            return System.nanoTime() + ahead.get();
        }

        @Override
        public Instant now() {
            return Instant.now();
        }
    }

    private final AheadTicker ticker = new AheadTicker();
    private final Counters counters = new Counters();
    private final ConcurrentLinkedQueue<AllocationSample> samples = new ConcurrentLinkedQueue<>();
    private final AllocationInstrumentation instrumentation;
    private final IncrementalChainSearch search;

    private StackRootProgram(Instrumentation jvm) {
        MethodHandles.Lookup trusted = TrustedLookup.fromInstrumentation(jvm).orElseThrow();
        StackWalks stacks = StackWalks.open(trusted, ticker, counters);
        instrumentation = AllocationInstrumentation.install(jvm, trusted, sample -> samples.size() < INSTANCES && samples.add(sample), new GcEpochs(),
                ticker, counters, new SplittableRandom(9), stacks, HookSettings.defaults());
        search = new IncrementalChainSearch(HeapAccess.open(Optional.of(trusted), Optional.of(jvm), counters), SearchSettings.defaults(0), ticker,
                counters, stacks);
    }

    public static void main(String[] arguments) throws Exception {
        new StackRootProgram(SelfAttach.attach().instrumentation()).run(arguments[0].equals("virtual"));
    }

    private void run(boolean virtual) throws Exception {
        List<WeakReference<?>> references = findAndEnd(virtual);
        System.out.println("not kept: " + gone(references.get(0)) + " " + gone(references.get(1)));
        System.out.println("faults: " + counters.get("agent.stacks.faults"));
        instrumentation.close();
    }

    /** Returns a leaked instance and the thread. In a method of its own, for a frame holds what its variables once held. */
    private List<WeakReference<?>> findAndEnd(boolean virtual) throws Exception {
        OrderImport work = new OrderImport();
        Thread thread = virtual ? (Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work) : new Thread(work, "importer");
        if (!virtual) {
            thread.start();
        }
        ScoutedAllocation site = new ScoutedAllocation("com.acme.orders.OrderImport", "take", "(Ljava/util/List;)V", 0, -1, ORDER, 1_000);
        instrumentation.observe(site);
        instrumentation.observe(site);
        ticker.ahead.addAndGet(6_000_000_000L);
        instrumentation.maintain(ticker.nanos(), List.of());
        System.out.println("hooked: " + instrumentation.active(0));
        // So that the first orders are the samples: however late this thread runs again, they are in the list.
        instrumentation.grant(0, INSTANCES);
        work.begin();
        SearchFinding finding = null;
        for (int i = 0; i < SEARCHES && (finding == null || finding.reached() == 0); i++) {
            // On a busy machine the thread may not run often enough at first.
            finding = search();
        }
        tell(finding);
        WeakReference<Object> instance = new WeakReference<>(samples.peek().reference().get());
        work.stop();
        thread.join();
        samples.clear();
        return List.of(instance, new WeakReference<>(thread));
    }

    private SearchFinding search() throws InterruptedException {
        while (samples.size() < INSTANCES) {
            Thread.sleep(1);
        }
        List<TrackedInstance> instances = new ArrayList<>();
        for (AllocationSample sample : samples) {
            instances.add(new TrackedInstance(instances.size(), sample.reference(), 0, sample.threadId(), instances.size(), 1, false, 0));
        }
        search.watch(List.of(new LeakCandidate(1, ORDER, new CandidateTrend(CandidateTrend.Evidence.TREND, List.of(), 0, 0, Instant.EPOCH), instances,
                List.of(), LiveEstimate.NONE)));
        search.restart(ticker.nanos());
        while (search.state() == SearchState.RUNNING) {
            instrumentation.grant(0, 1);
            search.runPass(new PassLimits(100_000, 100_000, 50_000_000L, true, true));
            Thread.sleep(1);
        }
        return search.takeFindings().get(0);
    }

    private static void tell(SearchFinding finding) {
        System.out.println("outcome: " + finding.outcome());
        if (!finding.chains().isEmpty()) {
            ReferenceChain chain = finding.chains().get(0);
            System.out.println("root: " + chain.root().kind().word() + " " + chain.root().label());
            System.out.println("local: " + chain.edges().get(0).local() + " -> " + chain.edges().get(0).target() + " ... " + chain.leafClass());
            System.out.println("holder: " + finding.accumulation().holder() + " of " + finding.accumulation().ownerClass());
        }
    }

    private static boolean gone(WeakReference<?> reference) throws InterruptedException {
        for (int i = 0; i < 500 && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return reference.get() == null;
    }
}
