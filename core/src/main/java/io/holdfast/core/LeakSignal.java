package io.holdfast.core;

import java.util.List;

/**
 * What the scheduler asks liveness. All methods run on the Holdfast thread.
 */
public interface LeakSignal {
    /** Whether a signal can arise at all; a search never starts without one. */
    boolean enabled();

    /** Drains the sample queue, and cleans up and folds when a collection has happened since. Bounded work. */
    void maintain(long nowNanos);

    /** Whether at least one candidate exists now. Publishes nothing. */
    boolean hasCandidate();

    /**
     * Whether a search is wanted although there is no candidate, to see what grows. Such a search is never hurried: it waits until everything that
     * was spent is paid off at the ordinary share.
     */
    default boolean surveyDue(long nowNanos) {
        return false;
    }

    /** At most {@code max} candidates, strongest first; publishes the watched threads. */
    List<LeakCandidate> selectCandidates(int max);

    /** Raw projection in seconds until the heap or the container is exhausted; -1 = no projection. */
    double secondsToExhaustion();
}
