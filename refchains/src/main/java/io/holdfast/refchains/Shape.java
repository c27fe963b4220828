package io.holdfast.refchains;

/** How an object of a class is walked. */
enum Shape {
    /** By its reference fields. */
    OBJECT,
    /** By its elements. */
    OBJECT_ARRAY,
    /** Not at all: no reference can leave it (strings, boxes, primitive arrays, classes without reference fields, classes that cannot be read). */
    LEAF,
    /** A {@link java.lang.ref.Reference} other than a soft one: its referent and list links are left out of the fields. */
    REFERENCE,
    /** A {@link java.lang.ref.SoftReference}: the same, but {@link ClassPlan#referentOffset()} tells where the referent is. */
    SOFT_REFERENCE,
    /** {@link java.lang.Class}: its static fields are in {@link HeapReader#statics}. */
    CLASS,
    CLASS_LOADER,
    THREAD,
    /** One of Holdfast's own: never entered. */
    OWN
}
