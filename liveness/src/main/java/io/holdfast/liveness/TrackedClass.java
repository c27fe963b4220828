package io.holdfast.liveness;

/**
 * A class some sampled object has. Keeps the name, never the class. Mutable fields are scratch of the Holdfast thread; a number of the fold beside
 * them tells whether they are of this fold, so that nothing can leak from one fold into the next.
 */
final class TrackedClass {
    final int id;
    final String name;

    /** History of the class, or null when it has none (any more). */
    ClassHistory history;
    /** Survivors found by the fold numbered {@link #foldNumber}. */
    ClassFold fold;
    long foldNumber;
    /** Place among the candidates that are being built, or -1. */
    int place = -1;

    TrackedClass(int id, String name) {
        this.id = id;
        this.name = name;
    }
}
