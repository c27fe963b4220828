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

    ScriptedUsage usage = new ScriptedUsage();
    long elapsed = ms(2);
    long cpu = ms(2);
    /** Negative: the whole pass. */
    long walk = -1;
    long slice = ms(2);
    long stopped;
    /** Root enumeration in every pass that may, not just in the first. */
    boolean rootsWheneverDue;
    int passesToEnd = Integer.MAX_VALUE;
    /** Pass after which the candidate is resolved. */
    int resolvesInPass = Integer.MAX_VALUE;
    int releaseFailures;
    int newSlotsAtNextWatch;
    /** Whether it may be started without a candidate. */
    boolean surveys;
    SearchState endsAs = SearchState.COMPLETED;

    SearchState state = SearchState.IDLE;
    boolean held;
    int unresolved;
    boolean slotTaken;
    int slotsGiven;
    int unresolvedAfterPass;
    long candidateId;
    PassReport lastReport;
    int passesOfThisSearch;
    long id;
    final List<Long> starts = new ArrayList<>();
    final List<Pass> passes = new ArrayList<>();
    final List<String> calls = new ArrayList<>();
    final List<SearchFinding> findings = new ArrayList<>();
    /** Taken and not yet looked at by the test. */
    final List<SearchFinding> delivered = new ArrayList<>();
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
        require(slotTaken || surveys, "a search was started before its candidates were watched");
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
        require(slotTaken || surveys, "a pass without a candidate");
        long start = ticker.nanos();
        boolean first = passesOfThisSearch == 0;
        boolean roots = limits.rootsDue() && (first || rootsWheneverDue);
        ticker.advance(elapsed);
        usage.cpu += cpu;
        passesOfThisSearch++;
        if (passesOfThisSearch == resolvesInPass) {
            unresolved = 0;
            findings.add(finding(SearchFinding.CHAIN, 1));
        }
        if (passesOfThisSearch >= passesToEnd) {
            state = endsAs;
            if (unresolved > 0) {
                findings.add(finding(SearchFinding.UNREACHED, 0));
            }
        }
        passes.add(new Pass(start, ticker.nanos(), limits, first, roots));
        unresolvedAfterPass = unresolved;
        lastReport = new PassReport(roots, false, walk < 0 ? elapsed : walk, cpu, stopped, slice, 1, 1);
        return lastReport;
    }

    private SearchFinding finding(String outcome, int reached) {
        return new SearchFinding(candidateId, id, outcome, List.of(), 1, reached, 1, reached, reached > 0, reached > 0, null);
    }

    @Override
    public int watch(List<LeakCandidate> candidates) {
        calls.add("watch");
        int added = newSlotsAtNextWatch;
        newSlotsAtNextWatch = 0;
        if (!candidates.isEmpty() && !slotTaken) {
            slotTaken = true;
            candidateId = candidates.get(0).id();
            added++;
        }
        unresolved += added;
        slotsGiven += added;
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
        delivered.addAll(taken);
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
