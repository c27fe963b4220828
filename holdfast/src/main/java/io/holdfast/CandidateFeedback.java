package io.holdfast;

/** What the ledger tells liveness about a candidate, so that its place can go to another. */
interface CandidateFeedback {
    /** The walk reached nothing, or only the newest cohorts: survival alone accused it. */
    void mute(long candidateId);

    /** A chain is known. */
    void explained(long candidateId);
}
