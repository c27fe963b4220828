package io.holdfast.core;

import java.util.List;

/**
 * The incremental walk, as the scheduler sees it. All methods run on the Holdfast thread, except {@link #requestStop} and {@link #summary}.
 */
public interface ChainSearch {
    SearchState state();

    /** Any thread: the search running, as of its last pass, or the last one; null before the first. */
    SearchSummary summary();

    /** Frees what the finished search holds. Returns whether it is free; a search that is not free must not be restarted. */
    boolean release();

    /** Starts a new search for the candidates watched. State becomes RUNNING. */
    void restart(long nowNanos);

    /** Runs one bounded pass of the running search. */
    PassReport runPass(PassLimits limits);

    /** Gives candidates without a slot a free one (at most 5 slots). Returns how many were new. */
    int watch(List<LeakCandidate> candidates);

    /** Slots whose candidate has no chain yet. */
    int unresolved();

    /** Findings since the last call, each delivered once. */
    List<SearchFinding> takeFindings();

    /** Ends the current search without an event and forgets candidates and findings (end of a recording). */
    void clear();

    /** Any thread: makes a pass that is under way end within one slice. */
    void requestStop();
}
