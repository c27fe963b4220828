package io.holdfast;

import io.holdfast.core.LeakCandidate;

/** What the ledger tells liveness about a candidate, so that its place can go to another. */
interface CandidateFeedback {
    /** The walk reached nothing, or only the newest cohorts: survival alone accused it. */
    void mute(long candidateId);

    /** A search that ran to its end reached nothing of it. */
    default void unreached(LeakCandidate candidate, long searchId) { }

    /** A search reached instances of it. */
    default void reached(long candidateId) { }

    /** A chain is known. */
    void explained(long candidateId);
}
