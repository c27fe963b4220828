package io.holdfast.refchains;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many objects of each class a walk has met, some of those that lead nowhere more than once, and for a few classes some of the objects, picked evenly and held weakly. By class id; not thread-safe.
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

    /** Whether objects of that class are picked. */
    boolean picks(int classId) {
        return picked.containsKey(classId);
    }

    /** {@code hash}, the object's identity hash, serves as the random number; none is needed of a class that is not {@linkplain #picks picked}. */
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

    /**
     * Of the objects picked those that live, each once, strongly held. None where most were picked several times: they are few that many refer to, and the number
     * of those is what was counted.
     */
    List<Object> picked(int classId) {
        List<Object> objects = new ArrayList<>(perClass);
        int again = 0;
        WeakReference<?>[] references = picked.get(classId);
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
        return again > objects.size() ? List.of() : objects;
    }

    void clear() {
        Arrays.fill(counts, 0);
        picked.clear();
    }
}
