package io.holdfast.refchains;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.function.Consumer;

/**
 * Values by class, by identity. Holds classes weakly and forgets their values when they are unloaded. A {@code ClassValue} would hang our values on
 * the class instead and so pin us. Values must not lead to the class. One entry per class, about 100 bytes. Not thread-safe.
 */
final class WeakClassTable<V> {
    private static final int FIRST_CAPACITY = 256;
    /** 2^32 divided by the golden ratio: spreads hashes over the upper bits. */
    private static final int SPREAD = 0x9E37_79B9;

    private final ReferenceQueue<Class<?>> unloaded = new ReferenceQueue<>();
    private Entry<V>[] slots = newSlots(FIRST_CAPACITY);
    private int shift = shiftFor(FIRST_CAPACITY);
    private int size;

    private static final class Entry<V> extends WeakReference<Class<?>> {
        final int hash;
        final V value;

        Entry(Class<?> type, int hash, V value, ReferenceQueue<Class<?>> queue) {
            super(type, queue);
            this.hash = hash;
            this.value = value;
        }
    }

    /** The value of the class, or null. */
    V get(Class<?> type) {
        int hash = System.identityHashCode(type);
        int mask = slots.length - 1;
        for (int i = hash * SPREAD >>> shift; ; i = i + 1 & mask) {
            Entry<V> entry = slots[i];
            if (entry == null) {
                return null;
            }
            // refersTo and not get: a look at another class of equal hash must not keep that class alive
            if (entry.hash == hash && entry.refersTo(type)) {
                return entry.value;
            }
        }
    }

    /** Adds a class that is not there. */
    void add(Class<?> type, V value) {
        purge();
        if ((size + 1) * 2 > slots.length) {
            grow();
        }
        place(new Entry<>(type, System.identityHashCode(type), value, unloaded));
        size++;
    }

    int size() {
        purge();
        return size;
    }

    /** Tells the classes that are there. */
    void forEachClass(Consumer<Class<?>> visitor) {
        for (Entry<V> entry : slots) {
            Class<?> type = entry == null ? null : entry.get();
            if (type != null) {
                visitor.accept(type);
            }
        }
    }

    /** Forgets what was unloaded. */
    void purge() {
        for (Reference<? extends Class<?>> gone = unloaded.poll(); gone != null; gone = unloaded.poll()) {
            remove((Entry<?>) gone);
        }
    }

    private void place(Entry<V> entry) {
        int mask = slots.length - 1;
        int i = entry.hash * SPREAD >>> shift;
        while (slots[i] != null) {
            i = i + 1 & mask;
        }
        slots[i] = entry;
    }

    private void remove(Entry<?> gone) {
        int mask = slots.length - 1;
        int i = gone.hash * SPREAD >>> shift;
        while (slots[i] != gone) {
            i = i + 1 & mask;
        }
        slots[i] = null;
        size--;
        // What follows in the same run may have been pushed here by the one that went.
        for (i = i + 1 & mask; slots[i] != null; i = i + 1 & mask) {
            Entry<V> moved = slots[i];
            slots[i] = null;
            place(moved);
        }
    }

    private void grow() {
        Entry<V>[] old = slots;
        slots = newSlots(old.length * 2);
        shift = shiftFor(slots.length);
        for (Entry<V> entry : old) {
            if (entry != null) {
                place(entry);
            }
        }
    }

    private static int shiftFor(int capacity) {
        return Integer.numberOfLeadingZeros(capacity) + 1;
    }

    @SuppressWarnings("unchecked")
    private static <V> Entry<V>[] newSlots(int capacity) {
        return (Entry<V>[]) new Entry<?>[capacity];
    }
}
