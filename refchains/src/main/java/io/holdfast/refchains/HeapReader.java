package io.holdfast.refchains;

import java.util.List;

/**
 * Reads references of any object. Never runs application code and never initialises a class. One thread at a time; nothing it is given is held.
 */
interface HeapReader {
    /** How objects of exactly that class are read. */
    ClassPlan plan(Class<?> type);

    /** How that object is read. */
    ClassPlan plan(Object object);

    /**
     * Static reference fields that the class itself declares; offsets are relative to the {@code Class} object. Without fields as long as the class is
     * not initialised: ask again at each search. Once there, ordinals do not change.
     */
    ClassPlan statics(Class<?> type);

    /** The reference at an offset that a plan of {@code base} gave; anything else crashes the VM. */
    Object reference(Object base, long offset);

    int intField(Object base, long offset);

    long longField(Object base, long offset);

    /**
     * Offset of an instance field of any type that {@code type} or a superclass declares; -1 if there is none, if it cannot be read, or if the class is
     * not initialised.
     */
    long offsetOf(Class<?> type, String field);

    /** Instance fields of a class and its superclasses, and its own static ones, that may say how many elements a collection takes; none if it is not initialised. */
    List<BoundField> boundFields(Class<?> type);

    /** Name of an instance field in which objects of that class state a time; null if there is none, or it is not initialised. */
    String timeField(Class<?> type);

    /** See {@link HeapAccess#level}. */
    String accessLevel();
}
