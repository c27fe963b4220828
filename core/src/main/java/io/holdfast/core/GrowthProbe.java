package io.holdfast.core;

/**
 * Follows the size of the container at a leak's accumulation point. The path from its root is read anew at every call, so a container that
 * was replaced is followed too; nothing is held strongly between calls. Called on the Holdfast thread; bounded work.
 */
@FunctionalInterface
public interface GrowthProbe {
    /** Elements now; -1 when the path no longer leads anywhere. */
    long elements();
}
