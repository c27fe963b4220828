package io.holdfast.scheduler;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.holdfast.core.ChainSearch;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
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
 * {@link #start} may be called once; {@link #stop}, {@link #chargeStopped} and {@link #status} at any time from any thread.
 *
 * <p>Limits are no quotas: a pass is bounded by its limits, and its cost only delays what comes later.
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

    private final AtomicLong stoppedElsewhereNanos = new AtomicLong();
    private final CostBudget safepoint;
    private final CostBudget cpu;
    private final RootEnumerationInterval roots = new RootEnumerationInterval();
    private final SearchStarts starts = new SearchStarts();
    private final CandidateBackoff backoff = new CandidateBackoff();
    private final SearchGate gate;
    private final Pace pace;
    private final UrgentLatch urgent = new UrgentLatch();
    private final SearchLife life = new SearchLife();
    private final LoopHistograms histograms = new LoopHistograms();
    private LoopHistograms.Percentiles percentiles = LoopHistograms.Percentiles.NONE;
    private double secondsToExhaustion = -1;
    private boolean passedBefore;
    private long lastPassEndNanos;
    private Part part = Part.SCHEDULER;

    private volatile boolean stopping;
    private volatile boolean disabled;
    private volatile Status status;
    private final AtomicReference<Thread> thread = new AtomicReference<>();

    public HoldfastLoop(SchedulerSettings settings, LeakSignal signal, ChainSearch search, Ticker ticker, Counters counters,
                        LoopListener listener) {
        this.settings = Objects.requireNonNull(settings, "settings");
        this.signal = Objects.requireNonNull(signal, "signal");
        this.search = Objects.requireNonNull(search, "search");
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.counters = Objects.requireNonNull(counters, "counters");
        this.listener = Objects.requireNonNull(listener, "listener");
        safepoint = new CostBudget(settings.painBudget());
        cpu = new CostBudget(settings.painBudget());
        gate = new SearchGate(safepoint, cpu, settings.painBudget(), roots, starts, backoff);
        pace = new Pace(settings);
        status = describe(new GateDecision(Gate.NOT_STARTED, FOREVER));
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

    /** Any thread: charges wall time for which application threads were stopped outside a pass, such as a batch of retransformations. */
    public void chargeStopped(long nanos) {
        if (nanos > 0) {
            stoppedElsewhereNanos.addAndGet(nanos);
        }
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
        part = Part.LIVENESS;
        secondsToExhaustion = signal.secondsToExhaustion();
        pace.observe(secondsToExhaustion);
        urgent.observe(secondsToExhaustion);
        signal.maintain(nowNanos);
        safepoint.spend(stoppedElsewhereNanos.getAndSet(0), nowNanos);

        GateDecision decision = decide(nowNanos);
        if (decision.open() && !stopping) {
            pass(nowNanos);
        }
        poll();
        endIfTerminal();

        long endNanos = ticker.nanos();
        part = Part.SEARCH;
        boolean running = search.state() == SearchState.RUNNING;
        if (running) {
            decision = gate.running(endNanos, search.unresolved() > 0, pace);
        }
        status = describe(decision);
        part = Part.LISTENER;
        listener.onIteration(nowNanos);
        part = Part.SCHEDULER;
        return sleep(decision, running);
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
        if (decision.open()) {
            begin(nowNanos);
        }
        return decision;
    }

    private void begin(long nowNanos) {
        part = Part.LIVENESS;
        List<LeakCandidate> candidates = signal.selectCandidates(MAX_LEAK_CANDIDATES);
        part = Part.SEARCH;
        // Before the restart, because it prepares for the candidates watched; after it again, because it may have cleared the slots.
        search.watch(candidates);
        search.restart(nowNanos);
        search.watch(candidates);
        life.started();
        starts.started(nowNanos);
        backoff.progress();
        passedBefore = false;
    }

    private void pass(long nowNanos) {
        part = Part.SEARCH;
        int sought = search.unresolved();
        long startNanos = ticker.nanos();
        PassReport report = search.runPass(new PassLimits(pace.budget(), settings.rootAdmissions(), pace.targetNanos(),
                roots.opensInNanos(nowNanos) == 0, urgent.latched()));
        long endNanos = ticker.nanos();
        long elapsed = endNanos - startNanos;
        int left = search.unresolved();

        cpu.spend(report.cpuNanos(), endNanos);
        life.passed(report);
        gate.passEnded(endNanos);
        if (report.rootEnumeration()) {
            roots.ended(endNanos, elapsed);
        }
        pace.onPass(report.rootEnumeration(), report.longestSliceNanos());
        if (left < sought) {
            backoff.progress();
        }
        backoff.onPass(sought > 0, left > 0, elapsed, endNanos);
        record(report, startNanos, endNanos);

        SearchSummary summary = search.summary();
        part = Part.LISTENER;
        listener.onPass(report, summary);
    }

    private void record(PassReport report, long startNanos, long endNanos) {
        histograms.recordPass(report.longestSliceNanos(), endNanos - startNanos);
        if (passedBefore) {
            histograms.recordSpacing(startNanos - lastPassEndNanos);
        }
        passedBefore = true;
        lastPassEndNanos = endNanos;
        percentiles = histograms.percentiles();
    }

    private void poll() {
        part = Part.LIVENESS;
        List<LeakCandidate> candidates = signal.selectCandidates(MAX_LEAK_CANDIDATES);
        part = Part.SEARCH;
        if (search.watch(candidates) > 0) {
            backoff.progress();
        }
        deliver();
    }

    private void deliver() {
        List<SearchFinding> findings = search.takeFindings();
        if (!findings.isEmpty()) {
            part = Part.LISTENER;
            listener.onFindings(findings);
        }
    }

    private void endIfTerminal() {
        part = Part.SEARCH;
        if (search.state() == SearchState.RUNNING || !life.endSeenFirst()) {
            return;
        }
        starts.ended(life.cpuNanos(), search.unresolved() == 0);
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

    private Status describe(GateDecision decision) {
        return new Status(decision.gate(), decision.waitNanos(), pace.budget(), pace.targetNanos(), pace.cadenceNanos(), cpu.debtNanos(),
                cpu.rate(), safepoint.debtNanos(), backoff.multiplier(), pace.ramping(), urgent.latched(), secondsToExhaustion,
                life.searches(), life.passes(), life.totalCpuNanos(), percentiles.sliceP99(), percentiles.longestSlice(),
                percentiles.passP99(), percentiles.spacingP99());
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
            part = Part.SEARCH;
            deliver();
            part = Part.SEARCH;
            search.clear();
            release();
            status = describe(new GateDecision(Gate.STOPPED, FOREVER));
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
            case 5 -> status = describe(new GateDecision(Gate.DISABLED, FOREVER));
            default -> listener.onFailure(failure);
        }
    }
}
