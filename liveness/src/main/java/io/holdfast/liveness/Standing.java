package io.holdfast.liveness;

/**
 * What is known of a suspicion. A weak reference to a dead object that was promoted stays until a collection of the old generation, so survival alone
 * is no proof.
 */
public enum Standing {
    /** Its instances look alive; no collection has passed that would have shown it if they were dead. */
    PROVISIONAL,
    /** Instances of two cohorts or more outlived enough collections that would have cleared the references to them. */
    CONFIRMED,
    /** A search found nothing but the newest of them; it waits for such a collection. */
    REJECTED
}
