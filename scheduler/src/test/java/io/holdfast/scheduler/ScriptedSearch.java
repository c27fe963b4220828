package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.ChainSearch;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.PassLimits;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;

/** A walk whose cost and course the test sets. It checks that the loop keeps the port's contract. */
class ScriptedSearch implements ChainSearch {
    private final VirtualTicker ticker;

    long elapsed = ms(2);
    long cpu = ms(2);
    long slice = ms(2);
    long stopped;
    /** Root enumeration in every pass that may, not just in the first. */
    boolean rootsWheneverDue;
    int passesToEnd = Integer.MAX_VALUE;
    /** Pass after which the candidate is resolved. */
    int resolvesInPass = Integer.MAX_VALUE;
    int releaseFailures;
    int newSlotsAtNextWatch;
    SearchState endsAs = SearchState.COMPLETED;

    SearchState state = SearchState.IDLE;
    boolean held;
    int unresolved;
    boolean slotTaken;
    int unresolvedAfterPass;
    PassReport lastReport;
    int passesOfThisSearch;
    long id;
    final List<Long> starts = new ArrayList<>();
    final List<Pass> passes = new ArrayList<>();
    final List<String> calls = new ArrayList<>();
    final List<SearchFinding> findings = new ArrayList<>();
    int releaseCalls;
    int clears;
    volatile int stopRequests;

    record Pass(long startNanos, long endNanos, PassLimits limits, boolean first, boolean roots) { }

    ScriptedSearch(VirtualTicker ticker) {
        this.ticker = ticker;
    }

    @Override
    public SearchState state() {
        return state;
    }

    @Override
    public SearchSummary summary() {
        return id == 0 ? null : new SearchSummary(id, state, state == SearchState.ABANDONED ? AbandonReason.TTL : AbandonReason.NONE,
                passesOfThisSearch, 0, 0, Instant.EPOCH, 0, slice, 0);
    }

    @Override
    public boolean release() {
        calls.add("release");
        releaseCalls++;
        require(state != SearchState.RUNNING, "a running search was released");
        if (releaseFailures > 0) {
            releaseFailures--;
            return false;
        }
        held = false;
        return true;
    }

    @Override
    public void restart(long nowNanos) {
        calls.add("restart");
        require(state != SearchState.RUNNING, "a running search was restarted");
        require(!held, "a search that is not free was restarted");
        require(slotTaken, "a search was started before its candidates were watched");
        state = SearchState.RUNNING;
        held = true;
        id++;
        passesOfThisSearch = 0;
        slotTaken = false;
        unresolved = 0;
        starts.add(nowNanos);
    }

    @Override
    public PassReport runPass(PassLimits limits) {
        calls.add("pass");
        require(state == SearchState.RUNNING, "a pass of a search that does not run");
        require(slotTaken, "a pass without a candidate");
        long start = ticker.nanos();
        boolean first = passesOfThisSearch == 0;
        boolean roots = limits.rootsDue() && (first || rootsWheneverDue);
        ticker.advance(elapsed);
        passesOfThisSearch++;
        if (passesOfThisSearch == resolvesInPass) {
            unresolved = 0;
            findings.add(new SearchFinding(1, id, SearchFinding.CHAIN, List.of(), 1, 1, 1, 1, true, true, null));
        }
        if (passesOfThisSearch >= passesToEnd) {
            state = endsAs;
        }
        passes.add(new Pass(start, ticker.nanos(), limits, first, roots));
        unresolvedAfterPass = unresolved;
        lastReport = new PassReport(roots, false, elapsed, cpu, stopped, slice, 1, 1);
        return lastReport;
    }

    @Override
    public int watch(List<LeakCandidate> candidates) {
        calls.add("watch");
        int added = newSlotsAtNextWatch;
        newSlotsAtNextWatch = 0;
        if (!candidates.isEmpty() && !slotTaken) {
            slotTaken = true;
            added++;
        }
        unresolved += added;
        return added;
    }

    @Override
    public int unresolved() {
        return unresolved;
    }

    @Override
    public List<SearchFinding> takeFindings() {
        calls.add("findings");
        List<SearchFinding> taken = List.copyOf(findings);
        findings.clear();
        return taken;
    }

    @Override
    public void clear() {
        calls.add("clear");
        clears++;
        if (state == SearchState.RUNNING) {
            state = SearchState.ABANDONED;
        }
        unresolved = 0;
        slotTaken = false;
    }

    @Override
    public void requestStop() {
        stopRequests++;
    }

    private static void require(boolean condition, String otherwise) {
        if (!condition) {
            throw new AssertionError(otherwise);
        }
    }
}
