package io.holdfast.refchains;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The objects a search has met, as numbers only: it keeps nothing alive and gives the collector nothing to trace. An object is known by its
 * identity hash and the id of its class. Entries are numbered from 0 in the order of admission, so a parent's number is smaller than its
 * children's unless the child became a root later.
 *
 * <p><b>False merges.</b> Two objects of one class with equal hashes are taken for one, and the second is then not walked. HotSpot's hashes
 * have 31 bits: among {@code n} objects of one class about {@code n²/2³²} merges are expected (measured: 537 among 1.5 million, 23 168 among
 * 10 million), that is one object in 2 800 with 1.5 million of a class; for linked structures, see {@link Merges}. A sought instance is recognised by identity before the table is asked, so
 * it is never lost by a merge of its own; and each chain is read again before it is reported, so a merge never makes a wrong chain.
 *
 * <p>Entries live in segments and the index in 256 parts that grow one by one: no growth step takes longer than a fraction of a slice. All that is
 * known of an entry lies side by side, in two longs: a look at it is one cache miss.
 * Cost: 16 bytes an entry and 5.3 to 8 bytes of index. Not thread-safe.
 */
final class VisitedTable {
    /**
     * Bytes an entry costs at the most, index and slack included; the frontier cap is computed from it. Where elements behind the first two million of an
     * array are entered, another four.
     */
    static final int BYTES_PER_ENTRY = 24;
    static final int NONE = -1;

    private static final int SEGMENT_BITS = 14;
    private static final int SEGMENT_SIZE = 1 << SEGMENT_BITS;
    private static final int SEGMENT_MASK = SEGMENT_SIZE - 1;
    private static final int PARTS = 256;
    /** The upper bits of a mixed hash choose the part, the others the place in it. */
    private static final int PLACE_BITS = 24;
    private static final int PLACE_MASK = (1 << PLACE_BITS) - 1;
    /** Entry number + 1 in the lower bits of an index slot; enough for {@link SearchSettings#MAX_FRONTIER_CAP}. */
    private static final int ENTRY_BITS = 26;
    private static final int ENTRY_MASK = (1 << ENTRY_BITS) - 1;
    /** The upper bits repeat some of the hash, so that a look at a wrong slot seldom costs a look at its entry: that is a cache miss. */
    private static final int FINGERPRINT_MASK = ~ENTRY_MASK;
    /** A power of two; the next size is half as large again, the one after that the next power of two. */
    private static final int FIRST_PART_SIZE = 8;
    /** Slots of a part that are moved in one batch. */
    private static final int GROWN_AT_ONCE = 256;

    // First long of an entry: identity hash 31 bits, number of the class 21, depth's lower part 12.
    private static final int CLASS_BITS = 21;
    private static final int DEPTH_LOW_BITS = 12;
    private static final int DEPTH_LOW_MASK = (1 << DEPTH_LOW_BITS) - 1;
    private static final int HASH_SHIFT = DEPTH_LOW_BITS + CLASS_BITS;
    private static final int CLASS_MASK = (1 << CLASS_BITS) - 1;
    // Second: parent 27 bits with its sign, edge 21, kind 4, depth's upper part 4, marks 8.
    private static final int PARENT_SHIFT = 37;
    private static final int EDGE_SHIFT = 16;
    private static final int EDGE_MASK = (1 << 21) - 1;
    /** Stands for an edge that is kept elsewhere: an element far behind in an array. */
    private static final int FAR_EDGE = EDGE_MASK;
    private static final int KIND_SHIFT = 12;
    private static final int KIND_MASK = 15;
    private static final int DEPTH_HIGH_SHIFT = 8;
    private static final int DEPTH_HIGH_MASK = 15;
    private static final int MARKS_MASK = 255;
    private static final int LOWEST_PARENT = -1 << ENTRY_BITS;
    /** Ids of classes from here on are numbered anew, in the order of their coming: only a JVM that has loaded a million classes has such. */
    private static final int FIRST_FAR_CLASS = 1 << CLASS_BITS - 1;

    private final int cap;
    private final int[][] index = new int[PARTS][];
    private final int[] used = new int[PARTS];
    private long[][] segments = new long[4][];
    /** For each segment, edges that do not fit; mostly null. */
    private int[][] farEdges = new int[4][];
    private final int[] moved = new int[GROWN_AT_ONCE];
    private final long[] movedKeys = new long[GROWN_AT_ONCE];
    private final Map<Integer, Integer> farClasses = new HashMap<>();
    private int[] farClassIds = new int[0];
    private int size;
    private long bytes;

    VisitedTable(int cap) {
        this.cap = cap;
        for (int i = 0; i < PARTS; i++) {
            index[i] = new int[FIRST_PART_SIZE];
        }
        bytes = (long) PARTS * FIRST_PART_SIZE * Integer.BYTES;
    }

    int size() {
        return size;
    }

    /** Entries that can still be added. */
    int room() {
        return cap - size;
    }

    /** Number of the entry, or {@link #NONE}. */
    int find(int hash, int classId) {
        int number = classNumber(classId);
        int mixed = mix(hash, number);
        int[] part = index[mixed >>> PLACE_BITS];
        int fingerprint = fingerprint(mixed);
        long key = key(hash, number);
        int slot = home(mixed, part.length);
        for (int value = part[slot]; value != 0; value = part[slot]) {
            if ((value & FINGERPRINT_MASK) == fingerprint) {
                int entry = (value & ENTRY_MASK) - 1;
                if (first(entry) >>> DEPTH_LOW_BITS == key) {
                    return entry;
                }
            }
            if (++slot == part.length) {
                slot = 0;
            }
        }
        return NONE;
    }

    /**
     * Adds an entry, even if one with that key exists, and returns its number. There must be {@link #room}.
     *
     * @param parent an entry, {@link #NONE}, or what {@link RootHolders} gave out
     */
    int add(int hash, int classId, int parent, byte kind, int edge, int depth) {
        if (room() <= 0 || parent < LOWEST_PARENT) {
            throw new IllegalStateException("table is full");
        }
        int number = classNumber(classId);
        int entry = size++;
        long[] segment = segmentFor(entry >>> SEGMENT_BITS);
        int row = (entry & SEGMENT_MASK) * 2;
        int stored = Math.min(depth, Character.MAX_VALUE);
        segment[row] = key(hash, number) << DEPTH_LOW_BITS | stored & DEPTH_LOW_MASK;
        segment[row + 1] = link(entry, parent, kind, edge) | (long) (stored >>> DEPTH_LOW_BITS) << DEPTH_HIGH_SHIFT;
        int mixed = mix(hash, number);
        int part = mixed >>> PLACE_BITS;
        if ((used[part] + 1) * 4 > index[part].length * 3) {
            grow(part);
        }
        place(index[part], mixed, entry);
        used[part]++;
        return entry;
    }

    private long[] segmentFor(int number) {
        if (number == segments.length) {
            segments = Arrays.copyOf(segments, number * 2);
            farEdges = Arrays.copyOf(farEdges, number * 2);
        }
        if (segments[number] == null) {
            segments[number] = new long[2 * SEGMENT_SIZE];
            bytes += 2L * SEGMENT_SIZE * Long.BYTES;
        }
        return segments[number];
    }

    /** The second long of an entry without depth and marks. */
    private long link(int entry, int parent, byte kind, int edge) {
        int stored = edge;
        if (edge < 0 || edge >= FAR_EDGE) {
            stored = FAR_EDGE;
            int segment = entry >>> SEGMENT_BITS;
            if (farEdges[segment] == null) {
                farEdges[segment] = new int[SEGMENT_SIZE];
                bytes += (long) SEGMENT_SIZE * Integer.BYTES;
            }
            farEdges[segment][entry & SEGMENT_MASK] = edge;
        }
        return (long) parent << PARENT_SHIFT | (long) stored << EDGE_SHIFT | (long) kind << KIND_SHIFT;
    }

    /**
     * In batches: first the numbers of entries, then their keys, then their places. To look at an entry is a cache miss, but where nothing depends on
     * the one before, many are under way at once.
     */
    private void grow(int part) {
        int[] old = index[part];
        int[] larger = new int[Integer.bitCount(old.length) == 1 ? old.length / 2 * 3 : old.length / 3 * 4];
        for (int from = 0; from < old.length; from += GROWN_AT_ONCE) {
            int count = 0;
            for (int slot = from, to = Math.min(old.length, from + GROWN_AT_ONCE); slot < to; slot++) {
                int value = old[slot];
                moved[count] = (value & ENTRY_MASK) - 1;
                count += value != 0 ? 1 : 0;
            }
            for (int i = 0; i < count; i++) {
                movedKeys[i] = first(moved[i]) >>> DEPTH_LOW_BITS;
            }
            for (int i = 0; i < count; i++) {
                place(larger, mix((int) (movedKeys[i] >>> CLASS_BITS), (int) movedKeys[i] & CLASS_MASK), moved[i]);
            }
        }
        index[part] = larger;
        bytes += (long) (larger.length - old.length) * Integer.BYTES;
    }

    private static void place(int[] part, int mixed, int entry) {
        int slot = home(mixed, part.length);
        while (part[slot] != 0) {
            if (++slot == part.length) {
                slot = 0;
            }
        }
        part[slot] = entry + 1 | fingerprint(mixed);
    }

    private long first(int entry) {
        return segments[entry >>> SEGMENT_BITS][(entry & SEGMENT_MASK) * 2];
    }

    private long second(int entry) {
        return segments[entry >>> SEGMENT_BITS][(entry & SEGMENT_MASK) * 2 + 1];
    }

    /** 31 bits, as HotSpot's hashes have. */
    int hash(int entry) {
        return (int) (first(entry) >>> HASH_SHIFT);
    }

    int classId(int entry) {
        int number = (int) (first(entry) >>> DEPTH_LOW_BITS) & CLASS_MASK;
        return number < FIRST_FAR_CLASS ? number : farClassIds[number - FIRST_FAR_CLASS];
    }

    int parent(int entry) {
        return (int) (second(entry) >> PARENT_SHIFT);
    }

    int edge(int entry) {
        int edge = (int) (second(entry) >>> EDGE_SHIFT) & EDGE_MASK;
        return edge == FAR_EDGE ? farEdges[entry >>> SEGMENT_BITS][entry & SEGMENT_MASK] : edge;
    }

    byte kind(int entry) {
        return (byte) ((int) second(entry) >>> KIND_SHIFT & KIND_MASK);
    }

    int depth(int entry) {
        return (int) first(entry) & DEPTH_LOW_MASK | ((int) second(entry) >>> DEPTH_HIGH_SHIFT & DEPTH_HIGH_MASK) << DEPTH_LOW_BITS;
    }

    boolean marked(int entry, int mark) {
        return (second(entry) & MARKS_MASK & mark) != 0;
    }

    void mark(int entry, int mark) {
        segments[entry >>> SEGMENT_BITS][(entry & SEGMENT_MASK) * 2 + 1] |= mark & MARKS_MASK;
    }

    void unmark(int entry, int mark) {
        segments[entry >>> SEGMENT_BITS][(entry & SEGMENT_MASK) * 2 + 1] &= ~(long) (mark & MARKS_MASK);
    }

    /** Hangs an entry directly below a root. It cannot make a cycle. */
    void attachToRoot(int entry, int holder, byte kind, int edge) {
        if (holder < LOWEST_PARENT) {
            throw new IllegalStateException("table is full");
        }
        long[] segment = segments[entry >>> SEGMENT_BITS];
        int row = (entry & SEGMENT_MASK) * 2;
        segment[row] &= ~(long) DEPTH_LOW_MASK;
        segment[row + 1] = link(entry, holder, kind, edge) | segment[row + 1] & MARKS_MASK;
    }

    /** Bytes of all arrays. */
    long bytes() {
        return bytes + (long) farClassIds.length * Integer.BYTES;
    }

    private int classNumber(int classId) {
        return classId < FIRST_FAR_CLASS ? classId : farClassNumber(classId);
    }

    private int farClassNumber(int classId) {
        Integer known = farClasses.get(classId);
        if (known != null) {
            return known;
        }
        int ordinal = farClasses.size();
        if (ordinal == FIRST_FAR_CLASS) {
            throw new IllegalStateException("too many classes");
        }
        if (ordinal == farClassIds.length) {
            farClassIds = Arrays.copyOf(farClassIds, Math.max(16, ordinal * 2));
        }
        farClassIds[ordinal] = classId;
        farClasses.put(classId, FIRST_FAR_CLASS + ordinal);
        return FIRST_FAR_CLASS + ordinal;
    }

    /** In ascending order of the bits used here, so that a part that grows is written in order. */
    private static int home(int mixed, int length) {
        return (int) ((long) (mixed & PLACE_MASK) * length >>> PLACE_BITS);
    }

    /** The lowest bits: neither the part's nor, in parts of up to 2¹⁸ slots, the slot's. */
    private static int fingerprint(int mixed) {
        return mixed << ENTRY_BITS;
    }

    /** Hash and class without depth, right-aligned. */
    private static long key(int hash, int classNumber) {
        return (long) (hash & Integer.MAX_VALUE) << CLASS_BITS | classNumber;
    }

    /** Finaliser of MurmurHash3 (public domain): the upper bits choose the part, the ones below them the slot. */
    private static int mix(int hash, int classNumber) {
        int h = (hash & Integer.MAX_VALUE) ^ classNumber * 0x9E37_79B9;
        h = (h ^ h >>> 16) * 0x85EB_CA6B;
        h = (h ^ h >>> 13) * 0xC2B2_AE35;
        return h ^ h >>> 16;
    }
}
