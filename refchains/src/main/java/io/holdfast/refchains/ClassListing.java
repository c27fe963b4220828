package io.holdfast.refchains;

/** Lists loaded classes. */
@FunctionalInterface
interface ClassListing {
    /** May contain duplicates, nulls, arrays and hidden classes. */
    Class<?>[] classes();
}
