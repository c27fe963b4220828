package io.holdfast.liveness;

import io.holdfast.core.ClassNames;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * One {@link TrackedClass} per class of a sampled object, classes of equal name and different loaders apart. Classes are held weakly ({@code Class}
 * has neither {@code equals} nor {@code hashCode} of its own, so the map compares identities). Bounded by the classes that are loaded.
 */
final class ClassDictionary {
    private final Map<Class<?>, TrackedClass> classes = new WeakHashMap<>();
    private int ids;

    TrackedClass of(Class<?> type) {
        TrackedClass known = classes.get(type);
        if (known == null) {
            known = new TrackedClass(++ids, ClassNames.of(type), type);
            classes.put(type, known);
        }
        return known;
    }

    int size() {
        return classes.size();
    }

    void clear() {
        classes.clear();
    }
}
