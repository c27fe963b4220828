package io.holdfast.scheduler;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.holdfast.core.ChainSearch;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassLimits;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;

/**
 * The one background loop: asks liveness, decides by the documented gates whether a search may start or go on, runs one bounded pass, and
 * tells the listener. One daemon thread named {@code holdfast} makes every call to the three parties; it takes no lock.
 *
 * <p>Whatever any of them throws switches the loop off for good, with one log line: {@link #iterate} and the thread never throw.
 * {@link #start} may be called once; {@link #stop} and {@link #status} at any time from any thread.
 *
 * <p>Limits are no quotas: a pass is bounded by its limits, and its cost only delays what comes later. Everything the thread does is charged, and
 * searches wait for it: 1 % of one core, and out of a bounded credit 5 % while a candidate waits for its first explanation, or in the first two
 * minutes for what grows ({@link CpuShare}).
 */
public final class HoldfastLoop {
    /** Candidates searched for at once. */
    static final int MAX_LEAK_CANDIDATES = 5;
    /** Start refused for want of a candidate although the heap is about to be exhausted. */
    static final String URGENT_NO_CANDIDATE = "scheduler.urgent.no_candidate";
    /** The finished search could not be freed; one per attempt. */
    static final String RELEASE_FAILED = "scheduler.release.failed";
    /** The loop has switched itself off. */
    static final String DISABLED = "scheduler.disabled";
    /** {@link #stop} gave up waiting for the thread. */
    static final String STOP_TIMED_OUT = "scheduler.stop.timed_out";

    private static final Logger LOG = LoggerFactory.getLogger("holdfast");
    private static final long FOREVER = Long.MAX_VALUE;
    private static final int LAST_STEPS = 7;

    /** Whose code runs, for the one line a failure gets. */
    private enum Part {
        SCHEDULER("scheduler"), LIVENESS("liveness"), SEARCH("search"), LISTENER("listener");

        private final String word;

        Part(String word) {
            this.word = word;
        }
    }

    private final SchedulerSettings settings;
    private final LeakSignal signal;
    private final ChainSearch search;
    private final Ticker ticker;
    private final Counters counters;
    private final LoopListener listener;

    private final CostBudget safepoint;
    private final CostBudget cpu;
    private final RootEnumerationInterval roots = new RootEnumerationInterval();
    private final CpuShare share;
    private final CostMeter cost;
    private final UnresolvedCandidates candidates = new UnresolvedCandidates();
    private final CandidateBackoff backoff = new CandidateBackoff();
    private final SearchGate gate;
    private final Pace pace;
    private final UrgentLatch urgent = new UrgentLatch();
    private final SearchLife life = new SearchLife();
    private final LoopHistograms histograms = new LoopHistograms();
    private PassTimes passTimes = PassTimes.NONE;
    private double secondsToExhaustion = -1;
    /** Whether this iteration worked for a candidate without an explanation, or for a survey of the first minutes. */
    private boolean hurried;
    /** Whether the search that could not start was to be hurried. */
    private boolean startHurried;
    /**
     * Whether the search began without candidates. The account of searches does not pay for it, or the first candidate would have to wait until it is paid off;
     * that of the whole thread does.
     */
    private boolean survey;
    private boolean passedBefore;
    /** CPU time of the pass of this iteration. */
    private long passNanos;
    private long lastPassEndNanos;
    private Part part = Part.SCHEDULER;

    private volatile boolean stopping;
    private volatile boolean disabled;
    private volatile Status status;
    private final AtomicReference<Thread> thread = new AtomicReference<>();

    /** Costs are measured as CPU time of the thread that runs the loop; where the JVM does not measure that, as wall time. */
    public HoldfastLoop(SchedulerSettings settings, LeakSignal signal, ChainSearch search, Ticker ticker, Counters counters,
                        LoopListener listener) {
        this(settings, signal, search, ticker, counters, listener, ThreadUsage.measured());
    }

    HoldfastLoop(SchedulerSettings settings, LeakSignal signal, ChainSearch search, Ticker ticker, Counters counters, LoopListener listener,
                 ThreadUsage usage) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.signal = Objects.requireNonNull(signal, "signal");
        this.search = Objects.requireNonNull(search, "search");
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.counters = Objects.requireNonNull(counters, "counters");
        this.listener = Objects.requireNonNull(listener, "listener");
        safepoint = new CostBudget(settings.painBudget());
        cpu = new CostBudget(settings.painBudget());
        share = new CpuShare(settings, ticker.nanos());
        cost = new CostMeter(usage);
        gate = new SearchGate(safepoint, cpu, settings.painBudget(), roots, backoff, share);
        pace = new Pace(settings);
        status = describe(new GateDecision(Gate.NOT_STARTED, FOREVER), false);
    }

    /**
     * Starts the thread.
     *
     * @throws IllegalStateException when the loop was started or stopped before
     */
    public void start() {
        Thread created = HoldfastThread.create(this::run);
        if (stopping || !thread.compareAndSet(null, created)) {
            throw new IllegalStateException("a HoldfastLoop can be started once");
        }
        created.start();
    }

    /**
     * Ends the loop: a pass under way ends within one slice, what is found by then is delivered, the search is freed. Idempotent. On the
     * Holdfast thread itself (in a listener) it only asks for the end.
     *
     * @param limit how long to wait for the thread at the most; an interrupt ends the wait early and stays set
     */
    public void stop(Duration limit) {
        stopping = true;
        try {
            search.requestStop();
        } catch (Throwable ignored) {
            // The pass then ends at its own deadline.
        }
        Thread started = thread.get();
        if (started == null || started == Thread.currentThread()) {
            return;
        }
        LockSupport.unpark(started);
        try {
            TimeUnit.NANOSECONDS.timedJoin(started, Math.max(1, TimeUnit.NANOSECONDS.convert(limit)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (started.isAlive()) {
            counters.increment(STOP_TIMED_OUT);
        }
    }

    /**
     * Says that it is known what holds a candidate: searches for it alone are no longer hurried. On the Holdfast thread, best while its findings
     * are delivered.
     */
    public void explained(long candidateId) {
        candidates.explained(candidateId);
    }

    /** The loop as of the end of its last iteration. Any thread; takes no lock. */
    public Status status() {
        return status;
    }

    /** One iteration. Returns how long to sleep, in nanoseconds; {@link Long#MAX_VALUE} when the loop has ended. Never throws. */
    long iterate(long nowNanos) {
        if (stopping || disabled) {
            return FOREVER;
        }
        try {
            return step(nowNanos);
        } catch (Throwable failure) { // also OutOfMemoryError, LinkageError: a failing profiler must not fail the application
            disable(failure);
            return FOREVER;
        }
    }

    private long step(long nowNanos) {
        cost.iterationBegins(nowNanos);
        part = Part.LIVENESS;
        secondsToExhaustion = signal.secondsToExhaustion();
        pace.observe(secondsToExhaustion, share.starting(nowNanos));
        urgent.observe(secondsToExhaustion);
        signal.maintain(nowNanos);

        hurried = candidates.any();
        passNanos = 0;
        GateDecision decision = decide(nowNanos);
        boolean surveyed = survey && search.state() == SearchState.RUNNING; // before the pass that may end it
        if (decision.open() && !stopping) {
            pass(nowNanos);
        }
        poll();
        endIfTerminal();

        long spentNanos = cost.take(ticker.nanos()) + look(nowNanos);
        part = Part.LISTENER;
        listener.onIteration(nowNanos);

        long endNanos = ticker.nanos();
        spentNanos += cost.take(endNanos);
        hurried |= candidates.any() || surveyed && share.hurriesSurveys(pace.ramping(), endNanos);
        share.spend(spentNanos, passNanos, hurried, pace.ramping(), endNanos);
        part = Part.SEARCH;
        boolean running = search.state() == SearchState.RUNNING;
        if (running) {
            decision = gate.running(endNanos, search.unresolved() > 0, pace);
        } else if (decision.gate() == Gate.CPU_SHARE) {
            decision = chargedShare(decision, endNanos);
        }
        part = Part.SCHEDULER;
        // A search that runs keeps the quick pace, whatever it seeks: what is shown must be what is waited for.
        status = describe(decision, running
                || share.isQuick(decision.gate() == Gate.CPU_SHARE ? startHurried : candidates.any(), pace.ramping(), endNanos));
        return sleep(decision, running);
    }

    /** A wait that ended before this iteration is paid as well would end with its debt, and so would the next: the thread would only ever wake up. */
    private GateDecision chargedShare(GateDecision before, long nowNanos) {
        GateDecision charged = gate.share(nowNanos, startHurried, pace);
        return charged.open() ? before : charged;
    }

    /** Returns the CPU time of the looks. They have an account of their own: a look at many large containers must not come every second. */
    private long look(long nowNanos) {
        if (!share.mayLook(pace.ramping(), nowNanos)) {
            return 0;
        }
        share.looking(nowNanos);
        part = Part.LISTENER;
        listener.onLook(nowNanos);
        long endNanos = ticker.nanos();
        long spentNanos = cost.take(endNanos);
        share.spendLooks(spentNanos, endNanos);
        return spentNanos;
    }

    private GateDecision decide(long nowNanos) {
        part = Part.SEARCH;
        if (search.state() == SearchState.RUNNING) {
            return gate.running(nowNanos, search.unresolved() > 0, pace);
        }
        if (life.held()) {
            release();
            return GateDecision.refused(Gate.RELEASE);
        }
        // Before the question, not after: otherwise an expensive search gets one successor for nothing.
        safepoint.spend(life.takeStoppedNanos(), nowNanos);
        part = Part.LIVENESS;
        GateDecision decision = gate.start(nowNanos, signal);
        if (urgent.latched() && (decision.gate() == Gate.NO_CANDIDATE || decision.gate() == Gate.NO_SIGNAL)) {
            counters.increment(URGENT_NO_CANDIDATE);
        }
        return decision.open() ? begin(nowNanos) : decision;
    }

    /** The last gate needs to know who the candidates are. */
    private GateDecision begin(long nowNanos) {
        List<LeakCandidate> selection = select();
        startHurried = candidates.any() || selection.isEmpty() && share.hurriesSurveys(pace.ramping(), nowNanos);
        GateDecision decision = gate.share(nowNanos, startHurried, pace);
        if (!decision.open()) {
            return decision;
        }
        hurried |= startHurried;
        part = Part.SEARCH;
        // Before the restart, because it prepares for the candidates watched; after it again, because it may have cleared the slots.
        search.watch(selection);
        search.restart(nowNanos);
        search.watch(selection);
        candidates.sought(selection);
        survey = selection.isEmpty();
        life.started();
        backoff.progress();
        passedBefore = false;
        return decision;
    }

    private List<LeakCandidate> select() {
        part = Part.LIVENESS;
        List<LeakCandidate> selection = signal.selectCandidates(MAX_LEAK_CANDIDATES);
        candidates.selected(selection);
        return selection;
    }

    private void pass(long nowNanos) {
        part = Part.SEARCH;
        int sought = search.unresolved();
        long startNanos = ticker.nanos();
        PassLimits limits = new PassLimits(pace.budget(), settings.rootAdmissions(), pace.targetNanos(), roots.opensInNanos(nowNanos) == 0,
                urgent.latched());
        long cadenceNanos = pace.cadenceNanos();
        PassReport report = search.runPass(limits);
        long endNanos = ticker.nanos();
        long elapsed = endNanos - startNanos;
        int left = search.unresolved();
        passNanos = report.cpuNanos();

        if (!survey) {
            cpu.spend(report.cpuNanos(), endNanos);
        }
        life.passed(report);
        gate.passEnded(endNanos);
        if (report.rootEnumeration()) {
            roots.ended(endNanos, elapsed);
        }
        // Where the cores are shared, wall time is mostly waiting: a slice has held a core for no longer than the CPU time of its pass.
        pace.onPass(report.rootEnumeration(), Math.min(report.longestSliceNanos(), report.cpuNanos()));
        if (left < sought) {
            backoff.progress();
        }
        backoff.onPass(sought > 0, left > 0, report.cpuNanos(), endNanos);
        record(report, startNanos, endNanos);

        SearchSummary summary = search.summary();
        part = Part.LISTENER;
        listener.onPass(report, summary, new PassConditions(limits.admissions(), limits.sliceNanos(), cadenceNanos, sought, sought - left,
                backoff.multiplier(), cpu.debtNanos(), pace.ramping()));
    }

    private void record(PassReport report, long startNanos, long endNanos) {
        histograms.recordPass(report, endNanos - startNanos);
        if (passedBefore) {
            histograms.recordSpacing(startNanos - lastPassEndNanos);
        }
        passedBefore = true;
        lastPassEndNanos = endNanos;
        passTimes = histograms.percentiles();
    }

    /** Findings first: a candidate that they have muted or explained would otherwise take a place in the next search. */
    private void poll() {
        deliver();
        List<LeakCandidate> selection = select();
        part = Part.SEARCH;
        if (search.watch(selection) > 0) {
            survey = false;
            candidates.sought(selection);
            backoff.progress();
        }
    }

    private void deliver() {
        part = Part.SEARCH;
        List<SearchFinding> findings = search.takeFindings();
        if (!findings.isEmpty()) {
            candidates.found(findings);
            part = Part.LISTENER;
            listener.onFindings(findings);
        }
    }

    private void endIfTerminal() {
        part = Part.SEARCH;
        if (search.state() == SearchState.RUNNING || !life.endSeenFirst()) {
            return;
        }
        candidates.searchEnded();
        gate.searchEnded(ticker.nanos());
        SearchSummary summary = search.summary();
        release();
        if (summary != null && summary.state().terminal()) {
            part = Part.LISTENER;
            listener.onSearchEnded(summary);
        }
    }

    private void release() {
        part = Part.SEARCH;
        if (search.release()) {
            life.released();
        } else {
            counters.increment(RELEASE_FAILED);
        }
    }

    // At least once a second, because liveness lives on these wake-ups; never earlier than the gate can open, or waiting would cost CPU.
    private long sleep(GateDecision decision, boolean running) {
        long idle = PauseController.PASS_CADENCE_NS;
        if (decision.open()) {
            return running ? PauseController.MIN_EFFECTIVE_CADENCE_NS : idle;
        }
        return Math.max(PauseController.MIN_EFFECTIVE_CADENCE_NS, Math.min(idle, decision.waitNanos()));
    }

    private Status describe(GateDecision decision, boolean quick) {
        return new Status(decision.gate(), decision.waitNanos(), pace.budget(), pace.targetNanos(), pace.cadenceNanos(), cpu.debtNanos(),
                cpu.rate(), share.debtNanos(quick), share.share(quick), share.creditNanos(), safepoint.debtNanos(), backoff.multiplier(), pace.ramping(),
                urgent.latched(), secondsToExhaustion, life.searches(), life.passes(), life.totalCpuNanos(), cost.totalNanos(),
                cost.allocatedBytes(), life.totalStoppedNanos(), passTimes);
    }

    private void run() {
        while (!stopping && !disabled) {
            long sleepNanos = iterate(ticker.nanos());
            park(sleepNanos);
        }
        if (!disabled) {
            end();
        }
    }

    private void park(long nanos) {
        long startNanos = ticker.nanos();
        while (!stopping && !disabled) {
            long left = nanos - (ticker.nanos() - startNanos);
            if (left <= 0) {
                return;
            }
            LockSupport.parkNanos(this, left);
            // Somebody interrupted a thread that is none of theirs; with the flag set, parking would return at once for ever.
            Thread.interrupted();
        }
    }

    private void end() {
        try {
            deliver();
            part = Part.SEARCH;
            search.clear();
            release();
            status = describe(new GateDecision(Gate.STOPPED, FOREVER), false);
        } catch (Throwable failure) {
            disable(failure);
        }
    }

    private void disable(Throwable failure) {
        disabled = true;
        Part guilty = part;
        // Every step by itself, and without a lambda to link or allocate: with the heap exhausted any of them may fail, the rest must follow.
        for (int step = 0; step < LAST_STEPS; step++) {
            try {
                lastStep(step, failure, guilty);
            } catch (Throwable ignored) {
                // Nothing is left that could be told about it.
            }
        }
    }

    private void lastStep(int step, Throwable failure, Part guilty) {
        switch (step) {
            case 0 -> LOG.error("Holdfast disabled itself: {} in {} (details at DEBUG). The application is not affected.",
                    failure.getClass().getName(), guilty.word);
            case 1 -> LOG.debug("Holdfast disabled itself", failure);
            case 2 -> counters.increment(DISABLED);
            case 3 -> search.clear();
            case 4 -> search.release();
            case 5 -> status = describe(new GateDecision(Gate.DISABLED, FOREVER), false);
            default -> listener.onFailure(failure);
        }
    }
}
