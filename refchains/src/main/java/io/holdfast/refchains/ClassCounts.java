package io.holdfast.refchains;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many objects of each class a walk has met, and for a few classes some of the objects, picked evenly and held weakly. By class id; not thread-safe.
 */
final class ClassCounts {
    /** Classes of which objects are picked. */
    static final int MAX_PICKED_CLASSES = 64;

    private final int perClass;
    private int[] counts = new int[1_024];
    /** By class id; the arrays have room for {@code perClass}. */
    private final Map<Integer, WeakReference<?>[]> picked = new HashMap<>();

    ClassCounts(int perClass) {
        this.perClass = perClass;
    }

    /** A search begins: nothing is met yet, and nothing picked. */
    void begin() {
        Arrays.fill(counts, 0);
        picked.values().forEach(references -> Arrays.fill(references, null));
    }

    /** From the next search on objects of that class are picked too, unless there are too many classes already. */
    void pick(int classId) {
        if (picked.size() < MAX_PICKED_CLASSES) {
            picked.computeIfAbsent(classId, id -> new WeakReference<?>[perClass]);
        }
    }

    void stopPicking(int classId) {
        picked.remove(classId);
    }

    /** {@code hash}, the object's identity hash, serves as the random number. */
    void met(Object object, int classId, int hash) {
        if (classId >= counts.length) {
            counts = Arrays.copyOf(counts, Math.max(classId + 1, 2 * counts.length));
        }
        int number = counts[classId]++;
        if (picked.isEmpty()) {
            return;
        }
        WeakReference<?>[] references = picked.get(classId);
        if (references != null) {
            // Reservoir sampling (Vitter's algorithm R): each object met is among those picked with equal probability.
            int place = number < perClass ? number : hash % (number + 1);
            if (place < perClass) {
                references[place] = new WeakReference<>(object);
            }
        }
    }

    /** Ids are smaller than this. */
    int ids() {
        return counts.length;
    }

    int count(int classId) {
        return counts[classId];
    }

    /** Of the objects picked those that live, strongly held. */
    List<Object> picked(int classId) {
        List<Object> objects = new ArrayList<>(perClass);
        WeakReference<?>[] references = picked.get(classId);
        for (int i = 0; references != null && i < perClass; i++) {
            Object object = references[i] == null ? null : references[i].get();
            if (object != null) {
                objects.add(object);
            }
        }
        return objects;
    }

    void clear() {
        Arrays.fill(counts, 0);
        picked.clear();
    }
}
