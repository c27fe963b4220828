package io.holdfast.liveness;

import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;

/**
 * The tracked objects: parallel arrays, one entry each per row, ordered by allocation epoch. The order makes a cohort a run of rows, so distinct
 * ages are counted without sets. Owned by the Holdfast thread: samples come through a queue, so there is no lock and nothing to publish.
 *
 * <p>With compressed references a row takes 60 bytes in the arrays and 32 in its weak reference. Whether an object is dead is asked with
 * {@code refersTo}: {@code get} during a concurrent marking would keep it alive.
 */
final class TrackingTable {
    static final int INITIAL_CAPACITY = 2_048;
    /** Upper bound of the memory of one row. */
    static final int BYTES_PER_ROW = 96;
    /** Undecoded stacks kept at a time; each takes about a kilobyte. */
    static final int MAX_UNDECODED_STACKS = 2_048;

    /** Rows the header of an array takes the place of. */
    private static final int HEADER_ROWS = 4;
    private static final int LARGE = 16_384;
    private static final int SIZE_UNIT = 8;

    /** Decides about a row; called in order. May touch rows it has kept, at the place they were kept at, and nothing else. */
    @FunctionalInterface
    interface RowFilter {
        boolean keep(int row);
    }

    private final int maxRows;
    private int size;
    private int undecodedStacks;
    private WeakReference<Object>[] references;
    private SiteClass[] origins;
    /** A {@code Throwable} until the first fold, then the decoded stack as a list that rows share, or nothing. */
    private Object[] stacks;
    private long[] threadIds;
    private String[] threadNames;
    private long[] allocationEpochs;
    private long[] sequences;
    private long[] allocationNanos;
    private int[] disproving;
    private int[] weights;
    /** Sizes in units of eight bytes, which the JVM rounds to anyway: so they fit for the largest array. */
    private int[] sizes;

    TrackingTable(int maxRows) {
        this.maxRows = withRoomForHeader(maxRows);
        allocate(Math.min(INITIAL_CAPACITY, maxRows));
    }

    int size() {
        return size;
    }

    int capacity() {
        return references.length;
    }

    int undecodedStacks() {
        return undecodedStacks;
    }

    boolean full() {
        return size == references.length;
    }

    /** Doubles the capacity up to the limit; returns whether there is more room. The capacity changes only when all memory was to be had. */
    boolean grow() {
        int wanted = Math.min(maxRows, withRoomForHeader(Integer.highestOneBit(Math.max(1, capacity() + HEADER_ROWS)) * 2));
        if (wanted <= capacity()) {
            return false;
        }
        TrackingTable larger;
        try {
            larger = new TrackingTable(maxRows, wanted);
        } catch (OutOfMemoryError tooLarge) {
            return false;
        }
        copyInto(larger);
        adopt(larger);
        return true;
    }

    /** Adds a row behind the last one of its epoch. The table must not be full. Returns false when the undecoded stack had to be left out. */
    boolean add(WeakReference<Object> reference, SiteClass origin, Throwable stack, long threadId, String threadName, long allocationEpoch,
                long sequence, int disprovingAtAdmission, int weight, long nanos, long bytes) {
        boolean room = stack == null || undecodedStacks < MAX_UNDECODED_STACKS;
        int row = size++;
        // Threads offer samples in any order; the few rows of later epochs make way.
        while (row > 0 && allocationEpochs[row - 1] > allocationEpoch) {
            move(row - 1, row);
            row--;
        }
        references[row] = reference;
        origins[row] = origin;
        stacks[row] = room ? stack : null;
        undecodedStacks += stacks[row] == null ? 0 : 1;
        threadIds[row] = threadId;
        threadNames[row] = threadName;
        allocationEpochs[row] = allocationEpoch;
        sequences[row] = sequence;
        disproving[row] = disprovingAtAdmission;
        weights[row] = weight;
        allocationNanos[row] = nanos;
        sizes[row] = (int) Math.min(Integer.MAX_VALUE, (bytes + SIZE_UNIT - 1) / SIZE_UNIT);
        origin.rows++;
        return room;
    }

    /** Drops the rows the filter does not keep; the others keep their order. Returns how many went. */
    int retain(RowFilter filter) {
        int kept = 0;
        for (int row = 0; row < size; row++) {
            if (filter.keep(row)) {
                if (kept != row) {
                    move(row, kept);
                }
                kept++;
            } else {
                origins[row].rows--;
                undecodedStacks -= stacks[row] instanceof Throwable ? 1 : 0;
            }
        }
        int dropped = size - kept;
        Arrays.fill(references, kept, size, null);
        Arrays.fill(origins, kept, size, null);
        Arrays.fill(stacks, kept, size, null);
        Arrays.fill(threadNames, kept, size, null);
        size = kept;
        return dropped;
    }

    boolean dead(int row) {
        return references[row].refersTo(null);
    }

    WeakReference<Object> reference(int row) {
        return references[row];
    }

    SiteClass origin(int row) {
        return origins[row];
    }

    long threadId(int row) {
        return threadIds[row];
    }

    long allocationEpoch(int row) {
        return allocationEpochs[row];
    }

    long sequence(int row) {
        return sequences[row];
    }

    /** Disproving collections counted when the row came in. */
    int disproving(int row) {
        return disproving[row];
    }

    int weight(int row) {
        return weights[row];
    }

    void addWeight(int row, int more) {
        weights[row] = (int) Math.min(Integer.MAX_VALUE, (long) weights[row] + more);
    }

    /** When it was allocated. */
    long allocationNanos(int row) {
        return allocationNanos[row];
    }

    /** Name of the allocating thread at the allocation, or null. */
    String threadName(int row) {
        return threadNames[row];
    }

    /** Size of the object itself, to the next multiple of eight; 0 = unknown. */
    long bytes(int row) {
        return (long) sizes[row] * SIZE_UNIT;
    }

    /** The undecoded stack of a row, which the row gives up: it holds classes. */
    Throwable takeStack(int row) {
        if (stacks[row] instanceof Throwable stack) {
            stacks[row] = null;
            undecodedStacks--;
            return stack;
        }
        return null;
    }

    /** Gives the row its decoded stack, a list that other rows may have too; null takes none. */
    void keepStack(int row, List<String> decoded) {
        stacks[row] = decoded;
    }

    /** The decoded stack of a row; empty when there is none. */
    @SuppressWarnings("unchecked") // keepStack is the only way in
    List<String> stack(int row) {
        return stacks[row] instanceof List<?> decoded ? (List<String>) decoded : List.of();
    }

    /** Forgets all rows and gives the memory back. */
    void clear() {
        retain(row -> false);
        allocate(0);
    }

    /** A large array of a power of two of elements spills over by its header, and G1 then gives it one more region: 44 % more memory in all. */
    private static int withRoomForHeader(int rows) {
        return rows >= LARGE && Integer.bitCount(rows) == 1 ? rows - HEADER_ROWS : rows;
    }

    private TrackingTable(int maxRows, int capacity) {
        this.maxRows = maxRows;
        allocate(capacity);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private void allocate(int capacity) {
        references = new WeakReference[capacity];
        origins = new SiteClass[capacity];
        stacks = new Object[capacity];
        threadIds = new long[capacity];
        threadNames = new String[capacity];
        allocationEpochs = new long[capacity];
        sequences = new long[capacity];
        allocationNanos = new long[capacity];
        disproving = new int[capacity];
        weights = new int[capacity];
        sizes = new int[capacity];
    }

    private void copyInto(TrackingTable larger) {
        System.arraycopy(references, 0, larger.references, 0, size);
        System.arraycopy(origins, 0, larger.origins, 0, size);
        System.arraycopy(stacks, 0, larger.stacks, 0, size);
        System.arraycopy(threadIds, 0, larger.threadIds, 0, size);
        System.arraycopy(allocationEpochs, 0, larger.allocationEpochs, 0, size);
        System.arraycopy(sequences, 0, larger.sequences, 0, size);
        System.arraycopy(allocationNanos, 0, larger.allocationNanos, 0, size);
        System.arraycopy(disproving, 0, larger.disproving, 0, size);
        System.arraycopy(weights, 0, larger.weights, 0, size);
        System.arraycopy(threadNames, 0, larger.threadNames, 0, size);
        System.arraycopy(sizes, 0, larger.sizes, 0, size);
    }

    private void adopt(TrackingTable other) {
        references = other.references;
        origins = other.origins;
        stacks = other.stacks;
        threadIds = other.threadIds;
        allocationEpochs = other.allocationEpochs;
        sequences = other.sequences;
        allocationNanos = other.allocationNanos;
        disproving = other.disproving;
        weights = other.weights;
        threadNames = other.threadNames;
        sizes = other.sizes;
    }

    private void move(int from, int to) {
        references[to] = references[from];
        origins[to] = origins[from];
        stacks[to] = stacks[from];
        threadIds[to] = threadIds[from];
        allocationEpochs[to] = allocationEpochs[from];
        sequences[to] = sequences[from];
        allocationNanos[to] = allocationNanos[from];
        disproving[to] = disproving[from];
        weights[to] = weights[from];
        threadNames[to] = threadNames[from];
        sizes[to] = sizes[from];
    }
}
