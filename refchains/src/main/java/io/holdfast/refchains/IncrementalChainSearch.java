package io.holdfast.refchains;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.ChainSearch;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.StackLocals;
import io.holdfast.core.Ticker;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks the live heap in bounded passes, beside the application, until the sought instances are met, and reports the chains that hold them.
 *
 * <p>Nothing of the application is held strongly between passes, and no code of it is run. A pass looks at the clock every 256 references, so its phases
 * overshoot their slice by microseconds, except where one chain is mended (bounded by {@link SearchSettings#repairReads}).
 *
 * <p>All methods belong to the Holdfast thread, except {@link #requestStop} and {@link #summary}, which any thread may call.
 */
public final class IncrementalChainSearch implements ChainSearch {
    /** Passes without any progress after which a search is given up. */
    static final int NO_PROGRESS_PASS_LIMIT = 30;
    /** The limit for stuck candidates doubles with each search that ended stuck, up to 2⁸ times. */
    static final int MAX_STUCK_BACKOFF_SHIFT = 8;
    /** Consecutive failed root enumerations after which a search is given up. */
    static final int ROOT_ENUM_ERROR_LIMIT = 3;
    /** Rotation may take this part of a slice on top of it. */
    private static final int ROTATION_SLICE_DIVISOR = 16;
    private static final Logger LOG = LoggerFactory.getLogger(IncrementalChainSearch.class);

    private final HeapReader reader;
    private final Roots roots;
    private final StackLocals stackLocals;
    private final WalkObserver observer;
    private final SearchSettings settings;
    private final Ticker ticker;
    private final Counters counters;
    private final LongSupplier cpuNanos;
    private final PermanentClasses permanent = new PermanentClasses();
    private final Targets targets = new Targets();
    private final List<SearchFinding> findings = new ArrayList<>();
    /** Candidates that this search cannot take any more. */
    private final Set<Long> tooLate = new HashSet<>();
    private volatile boolean stopRequested;
    /** Null before the first search. */
    private volatile SearchSummary summary;

    private SearchState state = SearchState.IDLE;
    private AbandonReason reason = AbandonReason.NONE;
    private SearchState endState;
    private AbandonReason endReason = AbandonReason.NONE;
    private SearchRun run;
    private Slice slice;
    private FindingBuilder building;
    private RootShare share = RootShare.ALL;
    private long searchId;
    private long startedNanos;
    private Instant startedAt;
    private int passes;
    private long cpuTotal;
    private long longestSlice;
    private long tableBytes;
    private long visited;
    private int idlePasses;
    private int stuckPasses;
    private int stuckRestarts;
    private int candidateProgress;
    private int rootErrors;

    /** Costs are measured as CPU time of the calling thread. Without stack roots. */
    public IncrementalChainSearch(HeapAccess access, SearchSettings settings, Ticker ticker, Counters counters) {
        this(access, settings, ticker, counters, StackLocals.NONE);
    }

    /** Threads that allocated what is sought are asked for their locals while the search runs. */
    public IncrementalChainSearch(HeapAccess access, SearchSettings settings, Ticker ticker, Counters counters, StackLocals stackLocals) {
        this(access.reader(), access.roots(), settings, ticker, counters, threadCpuTime(ticker), stackLocals, WalkObserver.NONE);
    }

    /** Notes on the way what grows. */
    public IncrementalChainSearch(HeapAccess access, SearchSettings settings, Ticker ticker, Counters counters, StackLocals stackLocals,
                                  GrowthSurvey survey) {
        this(access.reader(), access.roots(), settings, ticker, counters, threadCpuTime(ticker), stackLocals, survey);
    }

    IncrementalChainSearch(HeapReader reader, Roots roots, SearchSettings settings, Ticker ticker, Counters counters, LongSupplier cpuNanos,
                           StackLocals stackLocals, WalkObserver observer) {
        this.observer = observer;
        this.stackLocals = stackLocals;
        this.reader = reader;
        this.roots = roots;
        this.settings = settings;
        this.ticker = ticker;
        this.counters = counters;
        this.cpuNanos = cpuNanos;
    }

    private static LongSupplier threadCpuTime(Ticker ticker) {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        return threads.isCurrentThreadCpuTimeSupported() ? threads::getCurrentThreadCpuTime : ticker::nanos;
    }

    @Override
    public SearchState state() {
        return state;
    }

    /** Any thread: the search as it was when its last pass ended. */
    @Override
    public SearchSummary summary() {
        return summary;
    }

    private void summarise() {
        summary = new SearchSummary(searchId, state, reason, passes, visited, slice.references(), startedAt, cpuTotal, longestSlice,
                run == null ? tableBytes : run.bytes());
    }

    /** Always frees at once. */
    @Override
    public boolean release() {
        if (state != SearchState.RUNNING) {
            run = null;
            building = null;
        }
        return true;
    }

    @Override
    public void restart(long nowNanos) {
        if (state == SearchState.RUNNING) {
            return;
        }
        if (searchId++ > 0) {
            share = share.next(reason == AbandonReason.FRONTIER_CAP);
        }
        stuckRestarts = reason == AbandonReason.CANDIDATES_STUCK ? stuckRestarts + 1 : 0;
        begin(nowNanos);
    }

    private void begin(long nowNanos) {
        state = SearchState.RUNNING;
        reason = AbandonReason.NONE;
        endState = null;
        endReason = AbandonReason.NONE;
        building = null;
        targets.slots().forEach(Slot::reset);
        tooLate.clear();
        slice = new Slice(ticker, () -> stopRequested);
        run = new SearchRun(reader, roots, stackLocals, permanent, targets, slice, settings, share, observer, counters);
        observer.searchBegins();
        startedNanos = nowNanos;
        startedAt = ticker.now();
        passes = 0;
        cpuTotal = 0;
        longestSlice = 0;
        visited = 0;
        idlePasses = 0;
        stuckPasses = 0;
        candidateProgress = 0;
        rootErrors = 0;
        tableBytes = 0;
        summarise();
    }

    @Override
    public PassReport runPass(PassLimits limits) {
        if (state != SearchState.RUNNING) {
            stopRequested = false;
            return new PassReport(false, false, 0, 0, 0, 0, 0, 0);
        }
        Pass pass = new Pass(limits);
        try {
            targets.begin();
            pass.run();
        } catch (OutOfMemoryError e) {
            // The host needs the memory more than the search does.
            counters.increment("refchains.search.out_of_memory");
            run.dropPending();
            abandon(AbandonReason.FRONTIER_CAP);
            finish();
        } catch (RuntimeException | LinkageError | StackOverflowError e) {
            // One object that cannot be read must not stop the search at the same place for ever.
            counters.increment("refchains.walk.errors");
            LOG.debug("Pass failed", e);
            if (building != null) {
                building.slot().found = true;
                building = null;
            }
            if (endState == null && run.frontier.headInHand()) {
                run.walk.headDone();
            }
        } finally {
            if (run != null) {
                run.frontier.headDone();
                run.weaken();
            }
            targets.end();
            stopRequested = false;
        }
        PassReport report = pass.report();
        summarise();
        return report;
    }

    /** What one pass does, in order, and what it costs. */
    private final class Pass {
        private final PassLimits limits;
        private final long cpuBefore = cpuNanos.getAsLong();
        private final long stoppedBefore = roots.stoppedNanos();
        private final long referencesBefore = slice.references();
        private final long admittedBefore = slice.admitted();
        private final long stepsBefore = slice.steps();
        private boolean rootEnumeration;
        private boolean truncated;
        private long walkNanos;
        private long longest;

        Pass(PassLimits limits) {
            this.limits = limits;
            passes++;
        }

        void run() {
            if (endState == null) {
                enumerateRoots();
                walkAndRotate();
                visited = run.table.size();
                decide();
            }
            buildFindings();
            truncated |= state == SearchState.RUNNING;
        }

        /** A part of the admissions is kept for rotation, which may use what is left over as well. */
        private void walkAndRotate() {
            int reserved = Math.min(limits.admissions() / 2, Rotation.RESERVED);
            long before = slice.admitted();
            phase(limits.admissions() - reserved, limits.sliceNanos(), run::expand);
            boolean soughtAny = !targets.slots().isEmpty(); // a survey only counts
            if (soughtAny && !run.exhausted() && run.rootWalk.completed()) {
                int left = (int) Math.max(0, limits.admissions() - (slice.admitted() - before));
                phase(left, limits.sliceNanos() == 0 ? 0 : Math.max(1, limits.sliceNanos() / ROTATION_SLICE_DIVISOR), run::rotate);
            }
        }

        private void phase(int admissions, long sliceNanos, Runnable work) {
            slice.begin(sliceNanos, admissions);
            work.run();
            long took = slice.elapsedNanos();
            run.walk.takeRefused();
            walkNanos += took;
            longest = Math.max(longest, took);
        }

        /** The first enumeration is mandatory; one under way goes on whenever a pass runs, for it has a cursor. */
        private void enumerateRoots() {
            boolean wanted = run.rootWalk.underWay() || !run.rootWalk.completed() && (passes == 1 || limits.rootsDue());
            if (!wanted) {
                return;
            }
            rootEnumeration = true;
            phase(limits.rootAdmissions(), limits.sliceNanos(), () -> {
                try {
                    run.rootWalk.run();
                    rootErrors = 0;
                } catch (RuntimeException | LinkageError e) {
                    rootErrors++;
                    counters.increment("refchains.roots.errors");
                    LOG.debug("Root enumeration failed", e);
                }
            });
        }

        /** The termination ladder: the first rung that holds decides. */
        private void decide() {
            boolean rootsDone = run.rootWalk.completed() && !run.rootWalk.underWay();
            countProgress();
            if (run.walk.capHit()) {
                abandon(AbandonReason.FRONTIER_CAP);
            } else if (rootErrors >= ROOT_ENUM_ERROR_LIMIT) {
                abandon(AbandonReason.ROOT_ENUM_ERROR);
            } else if (run.exhausted()) {
                complete();
            } else if (rootsDone && settings.ttlNanos() > 0 && ticker.nanos() - startedNanos >= settings.ttlNanos()) {
                abandon(AbandonReason.TTL);
            } else if (rootsDone && idlePasses >= NO_PROGRESS_PASS_LIMIT && !limits.urgent()) {
                abandon(AbandonReason.NO_PROGRESS);
            } else if (rootsDone && !targets.slots().isEmpty() && targets.outstanding() == 0) {
                counters.increment("refchains.candidates.found");
                complete();
            } else if (!targets.slots().isEmpty() && idlePasses >= NO_PROGRESS_PASS_LIMIT
                    && stuckPasses >= NO_PROGRESS_PASS_LIMIT << Math.min(stuckRestarts, MAX_STUCK_BACKOFF_SHIFT)) {
                abandon(AbandonReason.CANDIDATES_STUCK);
            }
        }

        private void countProgress() {
            idlePasses = slice.admitted() > admittedBefore || slice.steps() > stepsBefore ? 0 : idlePasses + 1;
            int progress = targets.slots().size();
            for (Slot slot : targets.slots()) {
                progress += slot.explained || slot.reachedCount() == slot.entries.length ? 1 : 0;
            }
            stuckPasses = progress == candidateProgress ? stuckPasses + 1 : 0;
            if (progress != candidateProgress) {
                stuckRestarts = 0;
            }
            candidateProgress = progress;
        }

        /** Slots whose instances are all reached are reported at once, the others when the search ends. */
        private void buildFindings() {
            if (building == null && nextToBuild() == null) {
                finish();
                return;
            }
            slice.begin(limits.sliceNanos(), 0);
            while (building != null || nextToBuild() != null) {
                if (building == null) {
                    building = new FindingBuilder(nextToBuild(), run.tracer, reader, roots, counters);
                }
                if (!building.run(slice)) {
                    break;
                }
                deliver();
            }
            long took = slice.elapsedNanos();
            walkNanos += took;
            longest = Math.max(longest, took);
            if (building == null && nextToBuild() == null) {
                finish();
            }
        }

        PassReport report() {
            long cpu = Math.max(0, cpuNanos.getAsLong() - cpuBefore);
            cpuTotal += cpu;
            longestSlice = Math.max(longestSlice, longest);
            return new PassReport(rootEnumeration, truncated, walkNanos, cpu, roots.stoppedNanos() - stoppedBefore, longest,
                    slice.admitted() - admittedBefore, slice.references() - referencesBefore);
        }
    }

    private Slot nextToBuild() {
        for (Slot slot : targets.slots()) {
            if (!slot.found && (endState != null || allReached(slot))) {
                return slot;
            }
        }
        return null;
    }

    private static boolean allReached(Slot slot) {
        boolean any = false;
        for (int i = 0; i < slot.entries.length; i++) {
            if (slot.reached(i)) {
                any = true;
            } else if (slot.alive(i)) {
                return false;
            }
        }
        return any;
    }

    private void deliver() {
        Slot slot = building.slot();
        boolean sawAll = endReason == AbandonReason.NONE && !share.partial();
        String without = sawAll ? SearchFinding.UNREACHED : endReason == AbandonReason.NONE ? AbandonReason.FRONTIER_CAP.word() : endReason.word();
        SearchFinding finding = building.finding(searchId, without, ticker.now());
        slot.found = true;
        slot.explained = finding.reached() > 0;
        boolean speaks = finding.cohortsReached() >= 2 && finding.oldestReached() || finding.reached() == finding.sought();
        if (slot.late && !speaks) {
            counters.increment("refchains.findings.late"); // the next search, which has the candidate from the start, will tell
        } else if (!sawAll && finding.reached() > 0 && !speaks) {
            counters.increment("refchains.findings.undecided"); // what was not reached may only not have been reached yet
        } else {
            findings.add(finding);
        }
        building = null;
    }

    private void complete() {
        endState = SearchState.COMPLETED;
    }

    private void abandon(AbandonReason why) {
        endState = SearchState.ABANDONED;
        endReason = why;
        counters.increment("refchains.abandoned." + why.word());
    }

    /** Ends the search once its findings are made. Slots become free: a candidate that still matters is given one again. */
    private void finish() {
        if (endState == null) {
            return;
        }
        state = endState;
        reason = endReason;
        visited = run.table.size();
        tableBytes = run.bytes();
        run.dropPending();
        observer.searchEnded(run.exhausted() && !share.partial(), cpuTotal, ticker.nanos());
        targets.clear();
        tooLate.clear();
        stackLocals.want(Set.of());
    }

    @Override
    public int watch(List<LeakCandidate> candidates) {
        if (state == SearchState.RUNNING && endState == null && passes > 0 && targets.slots().isEmpty() && !candidates.isEmpty()) {
            // A survey of a large heap takes minutes, and may have passed by what is sought now.
            observer.searchEnded(false, cpuTotal, ticker.nanos());
            begin(ticker.nanos());
        }
        int added = 0;
        boolean ending = state == SearchState.RUNNING && endState != null;
        for (LeakCandidate candidate : candidates) {
            Slot slot = ending || tooLate.contains(candidate.id()) || !targets.takes(candidate) ? null : new Slot(candidate, reader);
            if (slot == null) {
                continue;
            }
            if (state == SearchState.RUNNING && passes > 0 && slot.leaf()) {
                // Leaf objects are not in the table: a walk under way may have passed them, and would wrongly call them unreached. The next search takes them.
                tooLate.add(candidate.id());
                continue;
            }
            targets.add(slot);
            added++;
            if (state == SearchState.RUNNING) {
                slot.late = passes > 0;
                recognise(slot);
            }
        }
        if (!targets.slots().isEmpty()) {
            // Each time, be they the same: what the threads have seen since is taken in.
            stackLocals.want(targets.threads(StackLocals.MAX_THREADS));
        }
        return added;
    }

    /** A candidate that comes while the walk is under way may have been met already. */
    private void recognise(Slot slot) {
        for (int i = 0; i < slot.entries.length; i++) {
            if (slot.alive(i)) {
                slot.entries[i] = run.table.find(slot.hash(i), slot.classId(i));
            }
        }
    }

    @Override
    public int unresolved() {
        int unresolved = 0;
        for (Slot slot : targets.slots()) {
            unresolved += slot.explained ? 0 : 1;
        }
        return unresolved;
    }

    @Override
    public List<SearchFinding> takeFindings() {
        List<SearchFinding> taken = List.copyOf(findings);
        findings.clear();
        return taken;
    }

    @Override
    public void clear() {
        if (state == SearchState.RUNNING) {
            state = SearchState.ABANDONED;
            reason = AbandonReason.RECORDING_END;
            summarise();
        }
        run = null;
        building = null;
        endState = null;
        targets.clear();
        observer.clear();
        stackLocals.want(Set.of());
        findings.clear();
    }

    @Override
    public void requestStop() {
        stopRequested = true;
    }
}
