package io.holdfast.refchains;

import java.util.Objects;

/**
 * Settings of the search.
 *
 * @param hops            depth at which the walk is pruned; steps that repeat their parent's (a linked list's next) do not count. 1..200 000
 * @param frontierCap     objects the table may hold; one more abandons the search. 1..65 536 000
 * @param ttlNanos        lifetime of one search, 0 = unlimited
 * @param elementsPerStep elements of one array read before other pending work gets its turn
 * @param repairReads     references read at the most to repair one chain that changed while the search ran where it broke, and as many once more above that
 * @param programPackage  what the names of the program's own classes begin with; empty = not known
 * @param contents        whether a chain goes on from what is sought, where that is of the JDK or a library, to what the program has put into it
 */
public record SearchSettings(int hops, int frontierCap, long ttlNanos, int elementsPerStep, int repairReads, String programPackage,
                             boolean contents) {
    /** {@code hops} unless told otherwise. */
    public static final int DEFAULT_HOPS = 200;
    /** {@code ttl} unless told otherwise. */
    public static final long DEFAULT_TTL_NANOS = 60_000_000_000L;
    /** The cap never falls below this by itself. */
    public static final int MIN_AUTO_FRONTIER_CAP = 65_536;
    /** Largest cap that can be configured. */
    public static final int MAX_FRONTIER_CAP = 65_536_000;
    static final int MAX_HOPS = 200_000;
    static final int DEFAULT_ELEMENTS_PER_STEP = 4_096;
    static final int DEFAULT_REPAIR_READS = 40_000;
    /** Share of the maximum heap the table may take: 2 %. */
    private static final long HEAP_SHARE_DIVISOR = 50;

    public SearchSettings {
        hops = clamp(hops, MAX_HOPS);
        frontierCap = clamp(frontierCap, MAX_FRONTIER_CAP);
        ttlNanos = Math.max(0, ttlNanos);
        elementsPerStep = Math.max(1, elementsPerStep);
        repairReads = Math.max(0, repairReads);
        Objects.requireNonNull(programPackage, "programPackage");
    }

    /** Defaults for a heap of that maximum size; {@code maxHeapBytes} ≤ 0 or {@link Long#MAX_VALUE} means unknown. */
    public static SearchSettings defaults(long maxHeapBytes) {
        long heap = maxHeapBytes == Long.MAX_VALUE ? 0 : Math.max(0, maxHeapBytes);
        long cap = heap / HEAP_SHARE_DIVISOR / VisitedTable.BYTES_PER_ENTRY;
        return new SearchSettings(DEFAULT_HOPS, (int) Math.max(MIN_AUTO_FRONTIER_CAP, Math.min(MAX_FRONTIER_CAP, cap)),
                DEFAULT_TTL_NANOS, DEFAULT_ELEMENTS_PER_STEP, DEFAULT_REPAIR_READS, "", true);
    }

    public SearchSettings withHops(int value) {
        return new SearchSettings(value, frontierCap, ttlNanos, elementsPerStep, repairReads, programPackage, contents);
    }

    public SearchSettings withFrontierCap(int value) {
        return new SearchSettings(hops, value, ttlNanos, elementsPerStep, repairReads, programPackage, contents);
    }

    public SearchSettings withTtlNanos(long value) {
        return new SearchSettings(hops, frontierCap, value, elementsPerStep, repairReads, programPackage, contents);
    }

    public SearchSettings withProgramPackage(String value) {
        return new SearchSettings(hops, frontierCap, ttlNanos, elementsPerStep, repairReads, value, contents);
    }

    /** Chains end at what is sought: for one who asks what holds it. */
    public SearchSettings withoutContents() {
        return new SearchSettings(hops, frontierCap, ttlNanos, elementsPerStep, repairReads, programPackage, false);
    }

    private static int clamp(int value, int max) {
        return Math.max(1, Math.min(max, value));
    }
}
