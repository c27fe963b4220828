package io.holdfast.refchains;

import java.util.Arrays;

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
 * <p>Entries live in segments and the index in 256 parts that grow one by one: no growth step takes longer than a fraction of a slice.
 * Cost: 20 bytes an entry and 5 to 11 bytes of index. Not thread-safe.
 */
final class VisitedTable {
    /** Bytes an entry costs at the most, index and slack included; the frontier cap is computed from it. */
    static final int BYTES_PER_ENTRY = 32;
    static final int NONE = -1;

    private static final int SEGMENT_BITS = 14;
    private static final int SEGMENT_SIZE = 1 << SEGMENT_BITS;
    private static final int SEGMENT_MASK = SEGMENT_SIZE - 1;
    private static final int PARTS = 256;
    private static final int PART_SHIFT = 24;
    /** Entry number + 1 in the lower bits of an index slot; enough for {@link SearchSettings#MAX_FRONTIER_CAP}. */
    private static final int ENTRY_MASK = (1 << 26) - 1;
    /** The upper bits repeat some of the hash, so that a look at a wrong slot seldom costs a look at its entry: that is a cache miss. */
    private static final int FINGERPRINT_MASK = ~ENTRY_MASK;
    private static final int FINGERPRINT_SHIFT = 8;
    private static final int FIRST_PART_SIZE = 8;

    private final int cap;
    private final int[][] index = new int[PARTS][];
    private final int[] used = new int[PARTS];
    private Segment[] segments = new Segment[4];
    private int size;
    private long indexBytes;

    private static final class Segment {
        /** Identity hash in the upper half, class id in the lower. */
        final long[] keys = new long[SEGMENT_SIZE];
        final int[] parents = new int[SEGMENT_SIZE];
        final int[] edges = new int[SEGMENT_SIZE];
        final char[] depths = new char[SEGMENT_SIZE];
        final byte[] kinds = new byte[SEGMENT_SIZE];
        final byte[] marks = new byte[SEGMENT_SIZE];
    }

    VisitedTable(int cap) {
        this.cap = cap;
        for (int i = 0; i < PARTS; i++) {
            index[i] = new int[FIRST_PART_SIZE];
        }
        indexBytes = (long) PARTS * FIRST_PART_SIZE * Integer.BYTES;
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
        int mixed = mix(hash, classId);
        int[] part = index[mixed >>> PART_SHIFT];
        int mask = part.length - 1;
        int fingerprint = fingerprint(mixed);
        long key = key(hash, classId);
        int slot = mixed & mask;
        for (int value = part[slot]; value != 0; value = part[slot]) {
            if ((value & FINGERPRINT_MASK) == fingerprint) {
                int entry = (value & ENTRY_MASK) - 1;
                if (segments[entry >>> SEGMENT_BITS].keys[entry & SEGMENT_MASK] == key) {
                    return entry;
                }
            }
            slot = slot + 1 & mask;
        }
        return NONE;
    }

    /** Adds an entry, even if one with that key exists, and returns its number. There must be {@link #room}. */
    int add(int hash, int classId, int parent, byte kind, int edge, int depth) {
        if (room() <= 0) {
            throw new IllegalStateException("table is full");
        }
        int entry = size++;
        Segment segment = segmentFor(entry);
        int row = entry & SEGMENT_MASK;
        segment.keys[row] = key(hash, classId);
        segment.parents[row] = parent;
        segment.edges[row] = edge;
        segment.kinds[row] = kind;
        segment.depths[row] = (char) Math.min(depth, Character.MAX_VALUE);
        int mixed = mix(hash, classId);
        int part = mixed >>> PART_SHIFT;
        if ((used[part] + 1) * 4 > index[part].length * 3) {
            grow(part);
        }
        place(index[part], mixed, entry);
        used[part]++;
        return entry;
    }

    private Segment segmentFor(int entry) {
        int number = entry >>> SEGMENT_BITS;
        if (number == segments.length) {
            segments = Arrays.copyOf(segments, number * 2);
        }
        if (segments[number] == null) {
            segments[number] = new Segment();
        }
        return segments[number];
    }

    private void grow(int part) {
        int[] old = index[part];
        int[] larger = new int[old.length * 2];
        for (int value : old) {
            if (value != 0) {
                int entry = (value & ENTRY_MASK) - 1;
                place(larger, mix(hash(entry), classId(entry)), entry);
            }
        }
        index[part] = larger;
        indexBytes += (long) old.length * Integer.BYTES;
    }

    private static void place(int[] part, int mixed, int entry) {
        int mask = part.length - 1;
        int slot = mixed & mask;
        while (part[slot] != 0) {
            slot = (slot + 1) & mask;
        }
        part[slot] = entry + 1 | fingerprint(mixed);
    }

    int hash(int entry) {
        return (int) (segments[entry >>> SEGMENT_BITS].keys[entry & SEGMENT_MASK] >>> 32);
    }

    int classId(int entry) {
        return (int) segments[entry >>> SEGMENT_BITS].keys[entry & SEGMENT_MASK];
    }

    int parent(int entry) {
        return segments[entry >>> SEGMENT_BITS].parents[entry & SEGMENT_MASK];
    }

    int edge(int entry) {
        return segments[entry >>> SEGMENT_BITS].edges[entry & SEGMENT_MASK];
    }

    byte kind(int entry) {
        return segments[entry >>> SEGMENT_BITS].kinds[entry & SEGMENT_MASK];
    }

    int depth(int entry) {
        return segments[entry >>> SEGMENT_BITS].depths[entry & SEGMENT_MASK];
    }

    boolean marked(int entry, int mark) {
        return (segments[entry >>> SEGMENT_BITS].marks[entry & SEGMENT_MASK] & mark) != 0;
    }

    void mark(int entry, int mark) {
        segments[entry >>> SEGMENT_BITS].marks[entry & SEGMENT_MASK] |= (byte) mark;
    }

    void unmark(int entry, int mark) {
        segments[entry >>> SEGMENT_BITS].marks[entry & SEGMENT_MASK] &= (byte) ~mark;
    }

    /** Hangs an entry directly below a root. It cannot make a cycle. */
    void attachToRoot(int entry, int holder, byte kind, int edge) {
        Segment segment = segments[entry >>> SEGMENT_BITS];
        int row = entry & SEGMENT_MASK;
        segment.parents[row] = holder;
        segment.kinds[row] = kind;
        segment.edges[row] = edge;
        segment.depths[row] = 0;
    }

    /** Bytes of all arrays. */
    long bytes() {
        long full = 0;
        for (Segment segment : segments) {
            if (segment != null) {
                full += (long) SEGMENT_SIZE * (Long.BYTES + 2 * Integer.BYTES + Character.BYTES + 2);
            }
        }
        return full + indexBytes;
    }

    /** Bits 18 to 23: neither the part's nor, in parts of up to 2¹⁸ slots, the slot's. */
    private static int fingerprint(int mixed) {
        return mixed << FINGERPRINT_SHIFT & FINGERPRINT_MASK;
    }

    private static long key(int hash, int classId) {
        return (long) hash << 32 | classId & 0xFFFF_FFFFL;
    }

    /** Finaliser of MurmurHash3 (public domain): the upper bits choose the part, the lower ones the slot. */
    private static int mix(int hash, int classId) {
        int h = hash ^ classId * 0x9E37_79B9;
        h = (h ^ h >>> 16) * 0x85EB_CA6B;
        h = (h ^ h >>> 13) * 0xC2B2_AE35;
        return h ^ h >>> 16;
    }
}
