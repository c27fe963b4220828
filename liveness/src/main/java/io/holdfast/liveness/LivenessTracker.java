package io.holdfast.liveness;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
import io.holdfast.core.LiveSample;
import io.holdfast.core.SampleSink;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.SiteSurvival;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jctools.queues.atomic.MpscAtomicArrayQueue;

/**
 * Follows sampled objects weakly, and names the classes whose survivors look like a leak.
 *
 * <p>{@link #sink}, {@link #watch}, {@link #recordUsage} and {@link #status} may be called from any thread; everything else belongs to the Holdfast
 * thread, which therefore needs no lock. Objects and classes of the application are held weakly only, their undecoded stacks until the first
 * fold after their allocation. An object is touched once, when its sample arrives, to learn its class and size; afterwards only its reference
 * is asked whether it was cleared.
 *
 * <p>Memory: at most {@link LivenessSettings#maxRows} rows of 96 bytes, {@value #QUEUE_CAPACITY} queued samples, 2048 undecoded stacks, 512 decoded ones
 * (and up to three for each site that found no place among these), 256 class histories, and some 700 bytes each for at most 128 classes and, at a site
 * in the JDK, 32 calling contexts of a site. These go when nothing of them was allocated for 64 epochs and none lives, contexts that are used up
 * after 8. What does not fit is dropped and counted.
 */
public final class LivenessTracker implements LeakSignal, AutoCloseable {
    /** Samples waiting for the Holdfast thread. */
    public static final int QUEUE_CAPACITY = 8_192;
    static final long FOLD_SPACING_NANOS = 1_000_000_000L;
    /** When the cohort under way has had the time for a few samples; see {@link CohortRule}. */
    static final long YOUNG_COHORT_NANOS = 3_000_000_000L;
    /** Time before a projection counts: a program that starts always looks as if it were filling up. */
    static final long PROJECTION_BURN_IN_NANOS = 300_000_000_000L;
    static final int MAX_QUALIFYING_TIDS = 8;
    static final int MAX_KNOWN = 32;
    private static final int MAX_DECODED_PER_FOLD = 128;
    /** Stacks looked at for their context each time the queue is drained. */
    private static final int MAX_CONTEXTS_PER_DRAIN = 256;
    /** Rows of one site that no collection has judged, where young rows are bounded: twice what the rules ask for. */
    static final int MAX_YOUNG_ROWS_PER_SITE = 16;
    /** Share of the heap that arrays without a verdict may take, where young rows are bounded: one part in this many. */
    private static final int YOUNG_HEAP_PARTS = 100;
    private static final long YOUNG_BYTES_OF_UNKNOWN_HEAP = 16L << 20;
    private static final int HISTORIES_IN_STATUS = 20;
    private static final long BYTES_PER_UNDECODED_STACK = 1_024;
    /** A ring of cohorts takes two thirds of it. */
    private static final long BYTES_PER_CONTEXT = 704;
    private static final long BYTES_PER_SITE_CLASS = 704;

    static final String SAMPLES_TRACKED = "liveness.samples.tracked";
    static final String SAMPLES_DROPPED = "liveness.samples.dropped";
    static final String SAMPLES_DEAD = "liveness.samples.dead";
    static final String SAMPLES_SKIPPED = "liveness.samples.skipped";
    static final String SAMPLES_WITHOUT_SITE = "liveness.samples.without.site";
    static final String CLASSES_PER_SITE_DROPPED = "liveness.site.classes.dropped";
    static final String TABLE_FULL = "liveness.table.full";
    static final String ROWS_THINNED = "liveness.rows.thinned";
    static final String STACKS_DROPPED = "liveness.stacks.dropped";
    static final String YOUNG_REFUSED = "liveness.young.refused";
    static final String WATCHED_THREADS_DROPPED = "liveness.watched.threads.dropped";
    static final String STACKS_UNSHARED = "liveness.stacks.unshared";

    private final LivenessSettings settings;
    private final SiteCatalogue catalogue;
    private final GcEpochs epochs;
    private final Ticker ticker;
    private final RandomGenerator random;
    private final Counters counters;
    private final ObjectSizes sizes;
    private final ContainerMemory container;

    private final MpscAtomicArrayQueue<QueuedSample> queue = new MpscAtomicArrayQueue<>(QUEUE_CAPACITY);
    private final LongAdder samplesDropped;
    private final UsageRing usageRing = new UsageRing();
    private final TrackingTable table;
    private final ClassDictionary classes = new ClassDictionary();
    private final ThreadNames threadNames = new ThreadNames();
    private final Sites sites;
    private final SharedStacks sharedStacks = new SharedStacks();
    private final ClassHistories histories;
    private final CandidateBook book;
    private final CandidateBuilder builder;
    private final AdmissionBoost boost;
    private final TokenRefill refill;
    private final TokenRefill.Outlook outlook = new SiteOutlook();
    private final long startedNanos;

    private long sequence;
    private long folds;
    private FoldPoint fold;
    private long foldedNanos;
    private long reapedEpoch = -1;
    /** Bytes of contexts, classes of sites and decoded stacks, as of the last fold. */
    private long bytesOfSites;
    private int contextsLeft;
    /** Rows that no collection had judged at the last fold, and those that came since; and the bytes of the arrays that came since. */
    private int youngRows;
    private long youngBytes;
    private long evaluations;
    /** Whether the cohort that began with the last fold has had its look. */
    private boolean evaluatedYoung;
    private long evaluatedFold = -1;
    private int evaluatedStreak;
    private long[] watchedThreads = {};
    private SelectionKey selectedBy;
    private List<LeakCandidate> selected = List.of();
    private List<ClassPopulation> historiesForStatus = List.of();
    private long projectedReading = -1;
    private double projection = UsageWindow.NO_PROJECTION;
    private boolean heapFloorRising;
    private UsageWindow usageWindow = usageRing.window();

    private volatile boolean closed;
    private volatile LivenessStatus status;

    /**
     * @param settings  limits
     * @param sites     the instrumented sites; an empty catalogue when there is no agent
     * @param epochs    counts collections
     * @param ticker    time
     * @param random    randomness of admission and refill; used by the Holdfast thread only
     * @param counters  counts what is dropped
     */
    public LivenessTracker(LivenessSettings settings, SiteCatalogue sites, GcEpochs epochs, Ticker ticker, RandomGenerator random,
                           Counters counters) {
        this(settings, sites, epochs, ticker, random, counters, ObjectSizes.ofArrays());
    }

    /** As the other, with sizes of objects measured. */
    public LivenessTracker(LivenessSettings settings, SiteCatalogue sites, GcEpochs epochs, Ticker ticker, RandomGenerator random,
                           Counters counters, ObjectSizes sizes) {
        this(settings, sites, epochs, ticker, random, counters, sizes, ControlGroupMemory.ofThisProcess());
    }

    LivenessTracker(LivenessSettings settings, SiteCatalogue catalogue, GcEpochs epochs, Ticker ticker, RandomGenerator random,
                    Counters counters, ObjectSizes sizes, ContainerMemory container) {
        this.settings = settings;
        this.catalogue = catalogue;
        this.epochs = epochs;
        this.ticker = ticker;
        this.random = random;
        this.counters = counters;
        this.sizes = sizes;
        this.container = container;
        samplesDropped = counters.counter(SAMPLES_DROPPED);
        table = new TrackingTable(settings.maxRows());
        sites = new Sites(catalogue, counters);
        histories = new ClassHistories(counters);
        book = new CandidateBook(counters);
        builder = new CandidateBuilder(table, threadNames, catalogue, sites);
        boost = new AdmissionBoost(counters);
        refill = new TokenRefill(random);
        startedNanos = ticker.nanos();
        fold = new FoldPoint(epochs.epoch(), epochs.disprovingCollections(), settings.provingCollections());
        foldedNanos = startedNanos - FOLD_SPACING_NANOS;
        status = describe();
    }

    /** Where the hook puts its samples; any thread, lock-free. */
    public SampleSink sink() {
        return sample -> sample != null && enqueue(new QueuedSample(sample, null, settings.ratio()));
    }

    /**
     * Where the interval lane puts its samples; any thread, lock-free. Of these a share of {@code ratio} is admitted, while those of watched threads, and
     * all when the heap runs full, are.
     *
     * @param ratio share of the samples admitted, 0..1
     */
    public SampleSink intervalSink(double ratio) {
        return sample -> sample != null && enqueue(new QueuedSample(sample, null, ratio));
    }

    /**
     * Follows one object that should soon be gone; it becomes suspect when it outlives two collections, or enough that could disprove it. Any
     * thread; does not call the object.
     *
     * @param object object to follow; null is ignored
     * @param label  names the group in reports; at most 64 are told apart; may be null
     */
    public void watch(Object object, String label) {
        if (object == null || closed) {
            return;
        }
        Thread thread = Thread.currentThread();
        enqueue(new QueuedSample(new AllocationSample(new WeakReference<>(object), AllocationSample.WATCHED, ThreadIds.of(thread), thread.getName(),
                new Throwable(), ticker.nanos(), epochs.epoch()), label == null ? "" : label, 1));
    }

    /**
     * Takes the way of a sample to the queue once, and out again, so that no class is loaded when the hook takes it in the middle of the JDK. Before anything is
     * sampled, on the thread that made this tracker.
     */
    public void warmUp() {
        sink().offer(new AllocationSample(new WeakReference<>(null), AllocationSample.WATCHED, 0, "", null, ticker.nanos(), epochs.epoch()));
        queue.relaxedPoll();
    }

    /** Records the heap in use after a collection. Any one thread; constant work. */
    public void recordUsage(long nanos, long usedAfterGcBytes) {
        if (usedAfterGcBytes > 0 && enabled()) {
            usageRing.record(nanos, usedAfterGcBytes, container.limitBytes() > 0 ? container.usageBytes() : 0);
        }
    }

    @Override
    public boolean enabled() {
        return !closed && settings.signal() && settings.maxRows() > 0;
    }

    @Override
    public void maintain(long nowNanos) {
        if (closed) {
            return;
        }
        project(nowNanos);
        drain();
        if (epochs.epoch() != fold.epoch() && nowNanos - foldedNanos >= FOLD_SPACING_NANOS) {
            fold(nowNanos);
        }
        refill.refill(nowNanos, epochs.epoch(), catalogue, outlook);
        status = describe();
    }

    @Override
    public boolean hasCandidate() {
        if (!enabled()) {
            return false;
        }
        evaluate();
        return book.anyEligible(epochs.epoch(), epochs.disprovingCollections());
    }

    @Override
    public List<LeakCandidate> selectCandidates(int max) {
        if (!enabled()) {
            return List.of();
        }
        evaluate();
        SelectionKey key = new SelectionKey(max, evaluations, epochs.epoch(), evaluatedStreak, book.changes());
        if (!key.equals(selectedBy)) {
            List<Suspicion> chosen = book.choose(max, epochs.epoch(), epochs.disprovingCollections());
            selected = builder.build(chosen, fold, ticker.nanos());
            long[] threads = chosen.stream().flatMapToLong(suspicion -> LongStream.of(suspicion.threads())).distinct().toArray();
            counters.add(WATCHED_THREADS_DROPPED, Math.max(0, threads.length - MAX_QUALIFYING_TIDS));
            watchedThreads = Arrays.copyOf(threads, Math.min(threads.length, MAX_QUALIFYING_TIDS));
            selectedBy = key;
        }
        return selected;
    }

    /**
     * Candidates with evidence now, at most 32, those without a place included (muted, explained, waiting). Publishes nothing. Costs a pass over
     * the table.
     */
    public List<LeakCandidate> known() {
        if (!enabled()) {
            return List.of();
        }
        evaluate();
        return builder.build(book.withEvidence(MAX_KNOWN), fold, ticker.nanos());
    }

    /**
     * Takes the place from a candidate until so many disproving collections have been counted in all, but for eight epochs at the most. Its
     * number stays. An unknown number is ignored.
     */
    public void mute(long candidateId, long untilDisprovingCollection) {
        book.mute(candidateId, epochs.epoch(), untilDisprovingCollection);
    }

    /** Says that a chain is known: the candidate leaves its place for thirty epochs and then comes behind all others. An unknown number is ignored. */
    public void explained(long candidateId) {
        book.explained(candidateId, epochs.epoch());
    }

    /**
     * What is known of a candidate, as of the last selection; empty for a number that is unknown or has no evidence now. {@link Standing#CONFIRMED} needs
     * collections that could have cleared the references; it is evidence of survival, not of a leak.
     */
    public Optional<Standing> standing(long candidateId) {
        return Optional.ofNullable(book.standing(candidateId, epochs.epoch(), epochs.disprovingCollections()));
    }

    /** At most {@code max} of the objects tracked and alive now, oldest first, spread over the cohorts; looks at {@code max} rows. */
    public List<LiveSample> liveSamples(int max) {
        return LiveSamples.pick(table, max, ticker, builder::frame);
    }

    /** What became of the samples of each site, up to the last fold. */
    public List<SiteSurvival> survival() {
        List<SiteSurvival> all = new ArrayList<>();
        sites.forEach(site -> {
            if (site.label == null) {
                all.add(new SiteSurvival(site.siteId, site.admitted(), site.survivors(), site.ages(), Math.max(0, fold.epoch() - site.firstEpoch),
                        site.contexts()));
            }
        });
        return all;
    }

    @Override
    public double secondsToExhaustion() {
        return projection;
    }

    /** State at the end of the last {@link #maintain}. Any thread. */
    public LivenessStatus status() {
        return status;
    }

    /** Frees rows, references, histories and queued samples; later samples are refused. On the Holdfast thread, or when it has ended. */
    @Override
    public void close() {
        closed = true;
        drainQueue();
        table.clear();
        histories.clear();
        book.clear();
        sites.clear();
        classes.clear();
        threadNames.clear();
        sharedStacks.clear();
        bytesOfSites = 0;
        selected = List.of();
        selectedBy = null;
        historiesForStatus = List.of();
        status = describe();
    }

    private boolean enqueue(QueuedSample sample) {
        if (!closed && settings.maxRows() > 0 && queue.offer(sample)) {
            return true;
        }
        samplesDropped.increment();
        return false;
    }

    private void drainQueue() {
        for (int i = 0; i < QUEUE_CAPACITY && queue.relaxedPoll() != null; i++) {
            samplesDropped.increment();
        }
    }

    private void drain() {
        contextsLeft = MAX_CONTEXTS_PER_DRAIN;
        for (int i = 0; i < QUEUE_CAPACITY; i++) {
            // poll would wait for a producer between its two steps, for ever if that thread dies there
            QueuedSample sample = queue.relaxedPoll();
            if (sample == null) {
                return;
            }
            admit(sample.sample(), sample.label(), sample.ratio());
        }
    }

    private void admit(AllocationSample sample, String label, double ratio) {
        SiteHistory site = sites.of(sample.siteId(), label, sample.epoch(), sample.nanos());
        if (site == null) {
            counters.increment(SAMPLES_WITHOUT_SITE);
            return;
        }
        if (!admitted(sample, ratio)) {
            site.skip();
            counters.increment(SAMPLES_SKIPPED);
            return;
        }
        CallContext context = contextOf(site, sample);
        int weight = site.nextWeight();
        Object object = sample.reference().get();
        if (object == null) {
            counters.increment(SAMPLES_DEAD);
            site.admit(weight);
            context.diedUnknown.add(sample.epoch(), weight);
            return;
        }
        long bytes = sizes.bytes(object);
        if (tooManyYoung(site, bytes)) {
            counters.increment(YOUNG_REFUSED);
            return;
        }
        SiteClass origin = site.of(classes.of(object.getClass()), context);
        if (origin == null) {
            counters.increment(CLASSES_PER_SITE_DROPPED);
            return;
        }
        if (!makeRoom()) {
            counters.increment(TABLE_FULL);
            return;
        }
        Throwable stack = context == site.anyContext || context.stack().isEmpty() ? sample.stack() : null;
        boolean stackKept = table.add(sample.reference(), origin, stack, sample.threadId(), threadNames.seen(sample.threadId(), sample.threadName()),
                sample.epoch(), ++sequence, (int) epochs.disprovingCollections(), weight, sample.nanos(), bytes);
        if (!stackKept) {
            counters.increment(STACKS_DROPPED);
        }
        counters.increment(SAMPLES_TRACKED);
        site.admit(weight);
        site.newRow();
        youngRows++;
        youngBytes += bytes;
        origin.admit(sample.epoch(), weight, bytes);
    }

    /** A site in the JDK is not judged as a whole: whatever map the program fills, the same instruction makes the node. */
    private CallContext contextOf(SiteHistory site, AllocationSample sample) {
        if (!site.inJdk || sample.stack() == null || contextsLeft == 0) {
            return site.anyContext;
        }
        contextsLeft--;
        return site.context(sample.stack(), sample.epoch());
    }

    /** Where a weak reference keeps a dead object alive, few may wait for the collection that clears it. */
    private boolean tooManyYoung(SiteHistory site, long bytes) {
        if (settings.maxYoungRows() == Integer.MAX_VALUE || site.label != null) {
            return false;
        }
        long mayTake = settings.maxHeapBytes() > 0 ? settings.maxHeapBytes() / YOUNG_HEAP_PARTS : YOUNG_BYTES_OF_UNKNOWN_HEAP;
        return youngRows >= settings.maxYoungRows() || site.unjudgedRows() >= MAX_YOUNG_ROWS_PER_SITE || youngBytes + bytes > mayTake;
    }

    private boolean admitted(AllocationSample sample, double ratio) {
        if (sample.siteId() == AllocationSample.WATCHED) {
            return true;
        }
        if (boost.boosting() && !(table.full() && table.capacity() == settings.maxRows())) {
            counters.increment(AdmissionBoost.LIVENESS_URGENT_BOOST_ADMITS);
            return true;
        }
        for (long threadId : watchedThreads) {
            if (threadId == sample.threadId()) {
                return true;
            }
        }
        return ratio >= 1 || random.nextDouble() < ratio;
    }

    /** Reaps only: the epoch is left to the next fold, which must see the survivors. Nothing more can have died before the next collection. */
    private boolean makeRoom() {
        if (!table.full()) {
            return true;
        }
        long epoch = epochs.epoch();
        boolean firstOfEpoch = reapedEpoch != epoch;
        if (firstOfEpoch) {
            reapedEpoch = epoch;
            table.retain(row -> !table.dead(row));
        }
        if (table.full() && !table.grow() && firstOfEpoch) {
            counters.add(ROWS_THINNED, TableThinning.thin(table));
        }
        return !table.full();
    }

    private void fold(long nowNanos) {
        // The counts first: a collection that ends from here on belongs to the next fold.
        long disproving = epochs.disprovingCollections();
        fold = new FoldPoint(epochs.epoch(), disproving, settings.provingCollections());
        folds++;
        foldedNanos = nowNanos;
        sites.forEach(site -> site.resetTally(fold.epoch()));
        youngRows = 0;
        youngBytes = 0;
        histories.beginFold();
        StackBudget stacks = new StackBudget();
        table.retain(row -> survives(row, stacks));
        bytesOfSites = sharedStacks.bytes();
        sites.forEach(site -> bytesOfSites += site.contextsHeld() * BYTES_PER_CONTEXT + site.classes().size() * BYTES_PER_SITE_CLASS);
        histories.endFold(fold.epoch(), ticker.now());
        historiesForStatus = populations();
    }

    private boolean survives(int row, StackBudget stacks) {
        if (table.dead(row)) {
            return false;
        }
        SiteClass origin = table.origin(row);
        long allocationEpoch = table.allocationEpoch(row);
        long age = fold.age(allocationEpoch);
        if (age < 1) {
            origin.site.unjudged(table.weight(row));
            youngRows++;
            return true;
        }
        keepStack(row, origin, stacks);
        origin.site.survivor(allocationEpoch);
        origin.survivor(allocationEpoch, age, table.weight(row), fold.proves(table.disproving(row)), table.allocationNanos(row));
        histories.survivor(origin.type, table.threadId(row), allocationEpoch);
        return true;
    }

    /** A stack is decoded when its object has survived: of a context the first one, of other sites a few distinct ones. */
    private void keepStack(int row, SiteClass origin, StackBudget stacks) {
        Throwable stack = table.takeStack(row);
        CallContext context = origin.context;
        if (context != origin.site.anyContext) {
            if (stack != null && context.stack().isEmpty() && stacks.left > 0) {
                stacks.left--;
                List<String> shared = sharedStacks.share(StackDecoder.decode(stack));
                if (shared == null) {
                    counters.increment(STACKS_UNSHARED);
                } else {
                    context.keepStack(shared);
                }
            }
            if (!context.stack().isEmpty()) {
                table.keepStack(row, context.stack());
                if (origin.site.stacks.wanted(random)) {
                    origin.site.stacks.add(context.stack(), random);
                }
            }
        } else if (stack != null && stacks.left > 0 && origin.site.stacks.wanted(random)) {
            stacks.left--;
            List<String> decoded = StackDecoder.decode(stack);
            List<String> shared = sharedStacks.share(decoded);
            table.keepStack(row, shared);
            if (shared == null) {
                counters.increment(STACKS_UNSHARED);
            }
            origin.site.stacks.add(shared == null ? decoded : shared, random);
        }
    }

    private void evaluate() {
        int requiredStreak = GrowthBar.requiredStreak(heapFloorRising);
        boolean newFold = evaluatedFold != folds;
        boolean newCohort = !evaluatedYoung && folds > 0 && ticker.nanos() - foldedNanos >= YOUNG_COHORT_NANOS;
        if (newFold || newCohort || evaluatedStreak != requiredStreak) {
            book.evaluate(histories, sites, this::suspectedByCohorts, requiredStreak, folds, ticker.now());
            evaluations++;
            evaluatedYoung = newCohort || !newFold && evaluatedYoung;
            evaluatedFold = folds;
            evaluatedStreak = requiredStreak;
        }
    }

    private boolean suspectedByCohorts(SiteClass origin) {
        return settings.cohorts() && CohortRule.suspects(origin, fold.epoch(), settings.youngSurvivalTells())
                && ticker.nanos() - origin.oldestNanos() >= settings.minLifetimeNanos();
    }

    private void project(long nowNanos) {
        long reading = usageRing.recorded();
        if (reading != projectedReading) {
            projectedReading = reading;
            usageWindow = usageRing.window();
            heapFloorRising = usageWindow.heapFloorRising();
        }
        projection = enabled() && nowNanos - startedNanos >= PROJECTION_BURN_IN_NANOS
                ? usageWindow.secondsToExhaustion(settings.maxHeapBytes(), container.limitBytes()) : UsageWindow.NO_PROJECTION;
        if (usageWindow.fill() > 0) {
            boost.evaluate(projection, reading, usageWindow.used()[usageWindow.fill() - 1]);
        }
    }

    private List<ClassPopulation> populations() {
        int requiredStreak = GrowthBar.requiredStreak(heapFloorRising);
        return histories.topByLatest(HISTORIES_IN_STATUS).stream().map(history -> new ClassPopulation(history.type.name, history.ring().toList(),
                history.growth(), history.consecutivePositive(), history.qualifyingThreads(requiredStreak).length)).toList();
    }

    private LivenessStatus describe() {
        return new LivenessStatus(table.size(), table.capacity(), settings.maxRows(), epochs.epoch(), epochs.disprovingCollections(), fold.epoch(),
                folds, refill.epochSeconds(), table.undecodedStacks(), book.size(), watchedThreads.length, heapFloorRising, projection,
                Arrays.stream(usageWindow.used()).boxed().toList(), historiesForStatus,
                (long) table.capacity() * TrackingTable.BYTES_PER_ROW + table.undecodedStacks() * BYTES_PER_UNDECODED_STACK
                + bytesOfSites);
    }

    private record QueuedSample(AllocationSample sample, String label, double ratio) { }

    private record SelectionKey(int max, long evaluations, long epoch, int requiredStreak, long changes) { }

    private static final class StackBudget {
        private int left = MAX_DECODED_PER_FOLD;
    }

    private final class SiteOutlook implements TokenRefill.Outlook {
        @Override
        public long judged(int siteId) {
            SiteHistory site = sites.known(siteId);
            return site == null ? 0 : site.judged();
        }

        @Override
        public int survivors(int siteId) {
            SiteHistory site = sites.known(siteId);
            return site == null ? 0 : site.survivors();
        }

        @Override
        public int contexts(int siteId) {
            SiteHistory site = sites.known(siteId);
            return site == null ? 1 : site.contexts();
        }

        @Override
        public boolean refuses(int siteId) {
            SiteHistory site = sites.known(siteId);
            return site != null && tooManyYoung(site, 0);
        }
    }
}
