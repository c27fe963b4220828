package io.holdfast.refchains;

import java.util.Arrays;

/** Entries in the order they came, read in turns: the cursor goes round and stays where it was. Bounded by the table. Not thread-safe. */
final class EntryList {
    private int[] entries = new int[16];
    private int size;
    private int cursor;

    void add(int entry) {
        if (size == entries.length) {
            entries = Arrays.copyOf(entries, size * 2);
        }
        entries[size++] = entry;
    }

    int size() {
        return size;
    }

    /** The next in turn. There must be one. */
    int next() {
        int entry = entries[cursor];
        cursor = cursor + 1 < size ? cursor + 1 : 0;
        return entry;
    }

    boolean contains(int entry) {
        for (int i = 0; i < size; i++) {
            if (entries[i] == entry) {
                return true;
            }
        }
        return false;
    }
}
