package io.holdfast.refchains;

/** Lists live platform threads. */
@FunctionalInterface
interface ThreadListing {
    /** May contain nulls. */
    Thread[] threads();
}
