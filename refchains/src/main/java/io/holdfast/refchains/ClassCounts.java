package io.holdfast.refchains;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How many objects of each class a walk has met, some of those that lead nowhere more than once, and for a few classes some of the objects, picked evenly and held weakly. By class id; not thread-safe.
 */
final class ClassCounts {
    /** Classes of which objects are picked. */
    static final int MAX_PICKED_CLASSES = 64;

    /** So often one of those picked may be another one as well: what is met twice and more by chance. */
    private static final int MAX_AGAIN = 2;

    private final int perClass;
    private int[] counts = new int[1_024];
    /** By class id; null for classes of which none are picked. The arrays have room for {@code perClass}. */
    private WeakReference<?>[][] picked = new WeakReference<?>[1_024][];
    private int pickedClasses;
    /** State of a generator of random numbers, xorshift with 32 bits (Marsaglia 2003). */
    private int random = 0x9E37_79B9;

    ClassCounts(int perClass) {
        this.perClass = perClass;
    }

    /** A search begins: nothing is met yet, and nothing picked. */
    void begin() {
        Arrays.fill(counts, 0);
        for (WeakReference<?>[] references : picked) {
            if (references != null) {
                Arrays.fill(references, null);
            }
        }
    }

    /** From the next search on objects of that class are picked too, unless there are too many classes already. */
    void pick(int classId) {
        if (pickedClasses < MAX_PICKED_CLASSES) {
            reserve(classId);
            if (picked[classId] == null) {
                picked[classId] = new WeakReference<?>[perClass];
                pickedClasses++;
            }
        }
    }

    void stopPicking(int classId) {
        if (classId < picked.length && picked[classId] != null) {
            picked[classId] = null;
            pickedClasses--;
        }
    }

    void met(Object object, int classId) {
        if (classId >= counts.length) {
            reserve(classId);
        }
        int number = counts[classId]++;
        WeakReference<?>[] references = picked[classId];
        if (references != null) {
            // Reservoir sampling (Vitter's algorithm R): each object met is among those picked with equal probability.
            int place = number < perClass ? number : nextRandom(number + 1);
            if (place < perClass) {
                references[place] = new WeakReference<>(object);
            }
        }
    }

    private int nextRandom(int bound) {
        random ^= random << 13;
        random ^= random >>> 17;
        random ^= random << 5;
        return (random & Integer.MAX_VALUE) % bound;
    }

    private void reserve(int classId) {
        if (classId >= counts.length) {
            int length = Math.max(classId + 1, 2 * counts.length);
            counts = Arrays.copyOf(counts, length);
            picked = Arrays.copyOf(picked, length);
        }
    }

    /** Ids are smaller than this. */
    int ids() {
        return counts.length;
    }

    int count(int classId) {
        return counts[classId];
    }

    /**
     * Of the objects picked those that live, each once, strongly held. None where several were picked again: they are few that many refer to, and the number of those
     * is what was counted. Of ten thousand different ones hardly any two of those picked are the same.
     */
    List<Object> picked(int classId) {
        List<Object> objects = new ArrayList<>(perClass);
        int again = 0;
        WeakReference<?>[] references = classId < picked.length ? picked[classId] : null;
        for (int i = 0; references != null && i < perClass; i++) {
            Object object = references[i] == null ? null : references[i].get();
            if (object != null) {
                boolean known = objects.stream().anyMatch(other -> other == object);
                again += known ? 1 : 0;
                if (!known) {
                    objects.add(object);
                }
            }
        }
        return again > MAX_AGAIN ? List.of() : objects;
    }

    void clear() {
        Arrays.fill(counts, 0);
        Arrays.fill(picked, null);
        pickedClasses = 0;
    }
}
