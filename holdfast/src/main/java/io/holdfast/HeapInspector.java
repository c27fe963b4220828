package io.holdfast;

import io.holdfast.agent.ConstructionWatch;
import io.holdfast.core.Accumulation;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.GcRoot;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.Ticker;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.HeapCensus;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The engine without the profiler: answers questions about the heap at the moment they are asked, at full speed on the calling thread. For tests and
 * tools that know what should be gone. Starts no thread, records nothing, and holds no object of the application between two calls.
 *
 * <p>Where a {@link Holdfast} with an agent runs in this JVM, its access is used. Else, if allowed, an agent is attached by a helper process (two
 * seconds); else everything but {@link #watchConstructions} works by the trusted lookup, for which JDK 24 and later print a warning of their own.
 *
 * <p>Any thread; one question at a time, others wait.
 */
public final class HeapInspector {
    private static final Duration COMING_UP_LIMIT = Duration.ofSeconds(20);
    private static final long POLL_MILLIS = 20;

    private final HeapAccessWays ways;
    private final HeapAccess access;
    private final HeapCensus census;
    private final Counters counters = new Counters();
    private final Ticker ticker;

    private HeapInspector(HeapAccessWays ways, Ticker ticker) {
        this.ways = ways;
        this.ticker = ticker;
        this.access = HeapAccess.open(ways.trusted(), ways.instrumentation(), counters);
        this.census = new HeapCensus(access, counters);
    }

    /** Never throws on account of the JVM. */
    public static HeapInspector open(boolean mayAttach) {
        Ticker ticker = Ticker.system();
        return new HeapInspector(ways(mayAttach, ticker), ticker);
    }

    private static HeapAccessWays ways(boolean mayAttach, Ticker ticker) {
        long deadline = ticker.nanos() + COMING_UP_LIMIT.toNanos();
        try {
            while (Holdfast.comingUp() && ticker.nanos() - deadline < 0) {
                Thread.sleep(POLL_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        HeapAccessWays running = Holdfast.ways();
        if (running != null && running.instrumentation().isPresent()) {
            return running;
        }
        return mayAttach ? HeapAccessWays.open(null) : HeapAccessWays.withoutAgent("none was given, and attaching was not asked for");
    }

    /** {@code agent}, {@code self-attached}, {@code trusted} or {@code plain}. */
    public String accessLevel() {
        return ways.level();
    }

    /** Why there is no agent; empty when there is one. */
    public Optional<String> whyNoAgent() {
        return Optional.ofNullable(ways.refusal());
    }

    /** Packages that were met and could not be read, as {@code --add-opens} takes them. */
    public synchronized List<String> closedPackages() {
        return access.closedPackages();
    }

    /**
     * Hears of every instance of classes that are added to the watch.
     *
     * @param told see {@link ConstructionWatch#open}
     * @return empty without an agent, or when another watch of this JVM is open
     */
    public Optional<ConstructionWatch> watchConstructions(Consumer<Object> told) {
        return ways.instrumentation().flatMap(agent -> ways.trusted().flatMap(lookup -> ConstructionWatch.open(agent, lookup, told)));
    }

    /**
     * Looks for what holds these objects: by class, the class with most of them first. At most 64 objects of a class are sought.
     *
     * @param moreRoots objects that the caller holds in local variables and that may hold what is sought, by what a reader should call them; they
     *                  are asked when nothing else leads there, because a local variable is no root that a walk can see
     * @param timeout   for each class
     * @return one answer a class, without those whose objects have died meanwhile
     */
    public synchronized List<HeldBy> findHolders(List<WeakReference<Object>> objects, Map<String, Object> moreRoots, Duration timeout) {
        Map<String, List<WeakReference<Object>>> byClass = new HashMap<>();
        for (WeakReference<Object> reference : objects) {
            Object object = reference.get();
            if (object != null) {
                byClass.computeIfAbsent(ClassNames.of(object.getClass()), name -> new ArrayList<>()).add(reference);
            }
        }
        List<HeldBy> answers = new ArrayList<>();
        byClass.entrySet().stream()
                .sorted(Map.Entry.<String, List<WeakReference<Object>>>comparingByValue(Collections.reverseOrder((a, b) -> a.size() - b.size()))
                        .thenComparing(Map.Entry.comparingByKey()))
                .forEach(entry -> holders(entry.getKey(), entry.getValue(), moreRoots, timeout).ifPresent(answers::add));
        return answers;
    }

    private Optional<HeldBy> holders(String className, List<WeakReference<Object>> all, Map<String, Object> moreRoots, Duration timeout) {
        long start = ticker.nanos();
        List<WeakReference<Object>> sought = all.subList(0, Math.min(all.size(), LeakCandidate.MAX_INSTANCES));
        DirectSearch.Outcome outcome = new DirectSearch(access, ticker, counters).run(sought, className, start + timeout.toNanos(),
                () -> Thread.currentThread().isInterrupted());
        if (sought.stream().allMatch(reference -> reference.refersTo(null))) {
            return Optional.empty();
        }
        SearchFinding finding = outcome.finding();
        List<ReferenceChain> chains = finding == null ? List.of() : finding.chains();
        Accumulation place = finding == null ? null : finding.accumulation();
        boolean softly = finding != null && finding.reached() == 0 && !chains.isEmpty();
        if (chains.isEmpty()) {
            chains = fromMoreRoots(sought, moreRoots);
        }
        if (place == null && !chains.isEmpty()) {
            place = lastStep(chains.get(0), className);
        }
        String why = !chains.isEmpty() ? SearchFinding.CHAIN : finding == null ? outcome.reason() : finding.outcome();
        return Optional.of(new HeldBy(leak(className, all.size(), why, place, chains), softly, outcome.cost().visited(), outcome.cost().cpuNanos(),
                ticker.nanos() - start, ways.level(), access.closedPackages()));
    }

    private List<ReferenceChain> fromMoreRoots(List<WeakReference<Object>> sought, Map<String, Object> moreRoots) {
        for (Map.Entry<String, Object> root : moreRoots.entrySet()) {
            GcRoot label = new GcRoot(RootKind.STACK_LOCAL, root.getKey(), Thread.currentThread().getName());
            Optional<ReferenceChain> chain = census.chain(root.getValue(), label, sought, ticker.now());
            if (chain.isPresent()) {
                return List.of(chain.get());
            }
        }
        return List.of();
    }

    /** Where nothing piles up: the last field on the way that belongs to nobody's library of collections, which is the JDK's. */
    private static Accumulation lastStep(ReferenceChain chain, String className) {
        List<Hop> edges = chain.edges();
        Hop last = null;
        for (Hop edge : edges) {
            if (edge.field() != null && (last == null || !edge.declaringClass().startsWith("java."))) {
                last = edge;
            }
        }
        if (last == null) {
            return null;
        }
        return new Accumulation(last.declaringClass() + "#" + last.field(), last.target(), className, 1, chain.signature(), () -> GrowthProbe.UNKNOWN);
    }

    private Leak leak(String className, int alive, String outcome, Accumulation place, List<ReferenceChain> chains) {
        String owner = place == null ? className : place.ownerClass();
        Leak.Growth growth = place == null ? null
                : new Leak.Growth(place.holder(), place.containerClass(), place.probe().elements(), 0, 0, place.share());
        return new Leak(place == null ? LeakFingerprint.of("", className) : LeakFingerprint.of(place), owner,
                chains.isEmpty() ? LeakState.UNEXPLAINED : LeakState.EXPLAINED, outcome, List.of(className),
                new CandidateTrend(CandidateTrend.Evidence.WATCHED, List.of(), 0, 0, ticker.now()), new LiveEstimate(alive, alive, 0, 0), growth,
                List.of(), chains, place == null ? List.of() : LeakHints.of(place, chains));
    }

    /** See {@link HeapCensus#notReachableFrom}. */
    public synchronized List<WeakReference<Object>> notReachableFrom(List<?> from, List<WeakReference<Object>> objects) {
        return census.notReachableFrom(from, objects);
    }

    /** Living instances of the class and its subclasses that strong references from static fields, threads or {@code moreRoots} lead to. */
    public synchronized HeapCensus.Instances instances(Class<?> type, List<?> moreRoots, int limit) {
        return census.instances(type, moreRoots, limit);
    }

    /** Everything that strong references from static fields, threads or {@code moreRoots} lead to, by class. */
    public synchronized HeapCensus.Count count(List<?> moreRoots) {
        return census.count(moreRoots);
    }

    /** See {@link HeapCensus#tally}. */
    public synchronized HeapCensus.Tally tally(Set<String> classNames, List<?> moreRoots) {
        return census.tally(classNames, moreRoots);
    }

    /** See {@link HeapCensus#grownSince}. */
    public synchronized List<WeakReference<Object>> grownSince(HeapCensus.Tally before, Set<String> classNames, List<?> moreRoots, int limit) {
        return census.grownSince(before, classNames, moreRoots, limit);
    }
}
