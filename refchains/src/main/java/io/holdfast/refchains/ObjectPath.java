package io.holdfast.refchains;

import java.util.Arrays;

/**
 * The way from a root to an entry, as the table remembers it, and reading it again. Reusable; holds no object.
 */
final class ObjectPath {
    /** Longer ways are not read again: {@value} references take about a tenth of a second. */
    static final int MAX_LENGTH = 1 << 21;
    /** Room for longer ways is given back. */
    private static final int KEPT_LENGTH = 1 << 14;

    private final VisitedTable table;
    private final RootHolders holders;
    private final HeapReader reader;
    private final Outgoing outgoing;
    private int[] entries = new int[64];
    private int length;

    ObjectPath(VisitedTable table, RootHolders holders, HeapReader reader, Outgoing outgoing) {
        this.table = table;
        this.holders = holders;
        this.reader = reader;
        this.outgoing = outgoing;
    }

    /** Loads the way to the entry. Returns false if it has more than {@code max} entries. */
    boolean load(int entry, int max) {
        return load(entry, max, VisitedTable.NONE);
    }

    /** The same, but if the way leads through entry {@code known} it begins behind it. */
    boolean load(int entry, int max, int known) {
        if (entries.length > KEPT_LENGTH) {
            entries = new int[64];
        }
        length = 0;
        int at = entry;
        for (; at >= 0 && (at != known || length == 0); at = table.parent(at)) {
            if (length == max) {
                return false;
            }
            if (length == entries.length) {
                entries = Arrays.copyOf(entries, length * 2);
            }
            entries[length++] = at;
        }
        for (int low = 0, high = length - 1; low < high; low++, high--) {
            int swapped = entries[low];
            entries[low] = entries[high];
            entries[high] = swapped;
        }
        return true;
    }

    int length() {
        return length;
    }

    /** Root first. */
    int entry(int i) {
        return entries[i];
    }

    byte kind(int i) {
        return table.kind(entries[i]);
    }

    int edge(int i) {
        return table.edge(entries[i]);
    }

    /** Whether the way begins behind that entry, and not at a root. */
    boolean beginsBehind(int entry) {
        return entry >= 0 && table.parent(entries[0]) == entry;
    }

    /** Where the way sets out from. */
    RootLink root() {
        return RootLink.of(holder(), kind(0));
    }

    /** Class, thread or loader from which the way sets out; null if it is gone. */
    Object holder() {
        return holders.get(table.parent(entries[0]));
    }

    /** Reads the {@code i}-th reference from the object before it ({@code base}: the holder for i = 0). Null if another object is there now. */
    Object step(Object base, int i) {
        Object object = reread(base, i);
        return object != null && matches(object, i) ? object : null;
    }

    /** What the {@code i}-th reference leads to now, be it another object. */
    Object reread(Object base, int i) {
        return outgoing.reread(base, kind(i), edge(i));
    }

    Object softReferent(Object base) {
        return outgoing.softReferent(base);
    }

    /** Equal for an entry and its object. */
    long key(int i) {
        return (long) table.hash(entries[i]) << 32 | table.classId(entries[i]);
    }

    static long key(Object object, ClassPlan plan) {
        return (long) System.identityHashCode(object) << 32 | plan.id();
    }

    /** Whether the object is, as far as the table can tell, the one of the entry. */
    boolean matches(Object object, int i) {
        return System.identityHashCode(object) == table.hash(entries[i]) && reader.plan(object).id() == table.classId(entries[i]);
    }
}
