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

    /** The container does not say how many elements it takes. */
    long UNBOUNDED = Long.MAX_VALUE;

    /** The number of elements that the container states as its most, and that {@code elements} have not clearly passed; {@link #UNBOUNDED} if there is none. */
    default long bound(long elements) {
        return UNBOUNDED;
    }

    /** Elements now, {@link #GONE} or {@link #UNKNOWN}. */
    long elements();
}
