package io.holdfast.refchains;

/**
 * The entries below which objects of a sought class have arrived: an entry's fan-out is how many. A container that leaks is among them, and so is what holds
 * it; both are worth reading again. At most {@value #CAP}: nodes of one element each do not push out the container, which is there from the first of them on.
 * Not thread-safe.
 */
final class LeakParents {
    static final int CAP = 1_024;
    /** From a map's node to its array, the map, and what holds the map. */
    private static final int ANCESTORS = 4;
    private static final int SLOTS = 4 * CAP;

    private final VisitedTable table;
    /** Open addressing: number of the parent + 1. */
    private final int[] index = new int[SLOTS];
    private final int[] entries = new int[CAP];
    private final int[] fanOut = new int[CAP];
    private final int[] fanOutBefore = new int[CAP];
    private int size;
    private boolean grown;
    private int cursor;

    LeakParents(VisitedTable table) {
        this.table = table;
    }

    /** An object of a sought class was admitted below that entry. */
    void arrived(int parent) {
        int above = parent;
        for (int i = 0; i < ANCESTORS && above >= 0; i++) {
            count(above);
            above = table.parent(above);
        }
    }

    private void count(int entry) {
        int slot = entry * 0x9E37_79B9 >>> 20;
        while (index[slot] != 0) {
            int i = index[slot] - 1;
            if (entries[i] == entry) {
                fanOut[i]++;
                grown = true;
                return;
            }
            slot = slot + 1 & SLOTS - 1;
        }
        if (size < CAP) {
            entries[size] = entry;
            fanOut[size] = 1;
            index[slot] = ++size;
            grown = true;
        }
    }

    /** Those that have grown most since the last call, the largest fan-out first among equals; nothing if none has grown. */
    int[] grown(int max) {
        if (!grown) {
            return new int[0];
        }
        grown = false;
        // Kept in order; the last one falls out when a better one comes.
        int[] best = new int[max];
        int found = 0;
        for (int i = 0; i < size; i++) {
            if (fanOut[i] == fanOutBefore[i] || found == max && !before(i, best[max - 1])) {
                continue;
            }
            int at = found < max ? found++ : max - 1;
            for (; at > 0 && before(i, best[at - 1]); at--) {
                best[at] = best[at - 1];
            }
            best[at] = i;
        }
        int[] result = new int[found];
        for (int i = 0; i < found; i++) {
            result[i] = entries[best[i]];
        }
        System.arraycopy(fanOut, 0, fanOutBefore, 0, size);
        return result;
    }

    private boolean before(int one, int other) {
        int byGrowth = Integer.compare(fanOut[one] - fanOutBefore[one], fanOut[other] - fanOutBefore[other]);
        return byGrowth > 0 || byGrowth == 0 && fanOut[one] > fanOut[other];
    }

    /** The next of all, in turns; {@link VisitedTable#NONE} if there are none. */
    int next() {
        if (size == 0) {
            return VisitedTable.NONE;
        }
        cursor = cursor + 1 < size ? cursor + 1 : 0;
        return entries[cursor];
    }

    int size() {
        return size;
    }
}
