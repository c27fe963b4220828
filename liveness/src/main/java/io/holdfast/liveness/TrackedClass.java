package io.holdfast.liveness;

import java.lang.ref.WeakReference;

/**
 * A class some sampled object has. Keeps the name, and the class weakly. Mutable fields are scratch of the Holdfast thread; a number of the fold beside
 * them tells whether they are of this fold, so that nothing can leak from one fold into the next.
 */
final class TrackedClass {
    final int id;
    final String name;
    /** The class itself, for events that name it; weak, like everything of the application. */
    final WeakReference<Class<?>> type;

    /** History of the class, or null when it has none (any more). */
    ClassHistory history;
    /** Survivors found by the fold numbered {@link #foldNumber}. */
    ClassFold fold;
    long foldNumber;
    /** Place among the candidates that are being built, or -1. */
    int place = -1;

    /** A class whose events, if any, name it by its name only. */
    TrackedClass(int id, String name) {
        this(id, name, null);
    }

    TrackedClass(int id, String name, Class<?> type) {
        this.id = id;
        this.name = name;
        this.type = new WeakReference<>(type);
    }
}
