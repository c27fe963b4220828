package io.holdfast.core;

/**
 * Follows the size of the container at a leak's accumulation point. The path from its root is read anew at every call, so a container that
 * was replaced is followed too; nothing is held strongly between calls. Called on the Holdfast thread; bounded work.
 */
@FunctionalInterface
public interface GrowthProbe {
    /** The path no longer leads anywhere. */
    long GONE = -1;
    /** The container is there, but its elements cannot be counted within the bound. */
    long UNKNOWN = -2;

    /** Nothing says how many elements the container takes. */
    long UNBOUNDED = Long.MAX_VALUE;

    /**
     * The number of elements that the container, or what holds it, states as its most, and that those of the last look have not clearly passed; {@link #UNBOUNDED} if
     * there is none. Says nothing before the first look.
     */
    default long bound() {
        return UNBOUNDED;
    }

    /** Elements now, {@link #GONE} or {@link #UNKNOWN}. */
    long elements();
}
