package io.holdfast.refchains;

/** Told of everything walks admit. Called for every object: must be quick. */
interface WalkObserver {
    /** For searches that are about their candidates only. */
    WalkObserver NONE = (object, plan, hash, holderId, first) -> { };

    /**
     * An object that leads nowhere was met where its holder was read for the first time in this search, and passed over. It may be met again at another holder. Not told
     * of what lies in a collection that {@linkplain #countsItself counts itself}.
     */
    default void passedOver(Object object, ClassPlan plan) { }

    /** Whether the elements of objects of that class are counted when they are admitted. */
    default boolean countsItself(int classId) {
        return true;
    }

    /**
     * An object that may lead somewhere was met, for the first time in this search.
     *
     * @param hash     its identity hash
     * @param holderId id of the class of the object that leads to it, negative at a root
     * @param first    whether its holder was read for the first time: else it may have been {@linkplain #passedOver passed over} before
     */
    void admitted(Object object, ClassPlan plan, int hash, int holderId, boolean first);

    default void searchBegins() { }

    /**
     * A search has ended.
     *
     * @param everywhere whether it has come everywhere
     * @param cpuNanos   CPU time it took
     */
    default void searchEnded(boolean everywhere, long cpuNanos, long nowNanos) { }

    /** Forgets everything. */
    default void clear() { }
}
