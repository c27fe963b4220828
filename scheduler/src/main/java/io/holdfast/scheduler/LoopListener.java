package io.holdfast.scheduler;

import java.util.List;

import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchSummary;

/**
 * Told what the loop does, always on the Holdfast thread. Calls must be short: the loop waits for them. A call that throws switches the loop
 * off.
 */
public interface LoopListener {
    /**
     * Time to look at what is followed between searches. At most once a second and not before the last looks are paid off: they may use half of
     * the share of the thread.
     */
    void onLook(long nowNanos);

    /** Last call of every iteration, also of those that only wait. */
    void onIteration(long nowNanos);

    /** After each pass, before the findings of that pass. */
    void onPass(PassReport report, SearchSummary summary, PassConditions conditions);

    /** Findings, each delivered once; never empty. */
    void onFindings(List<SearchFinding> findings);

    /** Once per search that ended by itself, after its findings. */
    void onSearchEnded(SearchSummary summary);

    /** Once, when the loop has switched itself off. No other call follows. */
    void onFailure(Throwable failure);
}
