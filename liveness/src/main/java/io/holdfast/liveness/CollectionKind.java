package io.holdfast.liveness;

/** What the end of a collection, as the collectors of JDK 17 and 25 announce it, says about weak references to dead objects. */
enum CollectionKind {
    /** Clears the references to some dead objects, at best the young ones. */
    EPOCH,
    /** Clears the references to all objects that were dead when it began. */
    DISPROVING,
    /**
     * Clears no weak reference, not even to an object that died young: a minor cycle of generational ZGC treats them all as strong. What outlives it
     * has proven nothing, so it makes no one older.
     */
    UNTELLING,
    /** Part of a collection that is announced as a whole too. */
    IGNORED;

    private static final String EXPLICIT = "System.gc()";

    /**
     * @param collector    name of the collector bean
     * @param action       action of the notification
     * @param cause        cause of the collection
     * @param id           number of the collection, counted per collector from 1
     * @param generational whether the collector keeps generations in memory pools of their own
     */
    static CollectionKind of(String collector, String action, String cause, long id, boolean generational) {
        return switch (collector) {
            case "Copy", "PS Scavenge", "G1 Young Generation" -> EPOCH;
            case "ZGC Minor Cycles" -> UNTELLING;
            case "MarkSweepCompact", "PS MarkSweep", "G1 Old Generation", "ZGC Cycles", "ZGC Major Cycles" -> DISPROVING;
            // Two pauses a cycle, remark and clean-up, told apart by nothing but their order; the references are gone after the second.
            case "G1 Concurrent GC" -> id % 2 == 0 ? DISPROVING : IGNORED;
            // Generational Shenandoah announces young and global cycles alike. An explicit collection is global.
            case "Shenandoah Cycles" -> !generational || EXPLICIT.equals(cause) ? DISPROVING : EPOCH;
            default -> ofUnknown(collector, action);
        };
    }

    /** Whether a collector of that name marks while the application runs. */
    static boolean marksConcurrently(String collector) {
        return collector.startsWith("G1") || collector.startsWith("ZGC") || collector.startsWith("Shenandoah");
    }

    /** Whether some collections of a collector of that name keep every object alive that is held weakly; see {@link #UNTELLING}. */
    static boolean keepsWeaklyHeld(String collector) {
        return collector.equals("ZGC Minor Cycles");
    }

    private static CollectionKind ofUnknown(String collector, String action) {
        if (collector.endsWith("Pauses") || action.endsWith("pause")) {
            return IGNORED;
        }
        return action.contains("major") ? DISPROVING : EPOCH;
    }
}
