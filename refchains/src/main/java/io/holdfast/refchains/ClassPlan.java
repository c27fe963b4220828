package io.holdfast.refchains;

import io.holdfast.core.ClassNames;

/**
 * How to read one class: offsets and names of its reference fields. Holds names and numbers only, so it pins neither class nor class loader.
 * Immutable.
 */
final class ClassPlan {
    /** Offset of what is not there. */
    static final long NO_OFFSET = -1;

    private static final int CUSTOM_LOADER = 1;
    private static final int COLLECTION_INTERNAL = 1 << 1;
    private static final int MAP = 1 << 2;
    private static final int COLLECTION = 1 << 3;
    private static final int MAP_INTERNAL = 1 << 4;
    private static final int COUNTED = 1 << 5;

    private final int id;
    private final String className;
    private final Shape shape;
    private final PlannedFields fields;
    private final long referentOffset;
    private final int flags;
    /** Made when it is asked for: two microseconds that most classes need not cost. */
    private String stableName;

    ClassPlan(int id, String className, Shape shape, PlannedFields fields, long referentOffset, boolean customLoader,
              boolean collectionInternal, boolean mapInternal, boolean map, boolean collection, boolean counted) {
        this.id = id;
        this.className = className;
        this.shape = shape;
        this.fields = fields;
        this.referentOffset = referentOffset;
        this.flags = (customLoader ? CUSTOM_LOADER : 0) | (collectionInternal ? COLLECTION_INTERNAL : 0) | (map ? MAP : 0)
                | (collection ? COLLECTION : 0) | (mapInternal ? MAP_INTERNAL : 0)
                | (counted ? COUNTED : 0);
    }

    /** Dense from 0, never reused, different for the plan of a class's statics and the plan of its instances. */
    int id() {
        return id;
    }

    /** As {@link io.holdfast.core.ClassNames#of} writes it. */
    String className() {
        return className;
    }

    /** The name without the numbers of a generated class, see {@link ClassNames#stable}. */
    String stableName() {
        String name = stableName;
        if (name == null) {
            name = ClassNames.stable(className);
            stableName = name;
        }
        return name;
    }

    Shape shape() {
        return shape;
    }

    int fieldCount() {
        return fields.count();
    }

    /** Relative to the object; for a plan of statics, relative to the {@code Class} object. */
    long offset(int i) {
        return fields.offset(i);
    }

    String field(int i) {
        return fields.name(i);
    }

    String declaringClass(int i) {
        return fields.declaringClass(i);
    }

    /** Whether the declared type of the field can hold an object that is worth walking. */
    boolean mayLead(int i) {
        return fields.mayLead(i);
    }

    /** Where a {@link Shape#SOFT_REFERENCE} has its referent; {@link #NO_OFFSET} for all others. */
    long referentOffset() {
        return referentOffset;
    }

    /**
     * Whether objects of the class are part of a collection, so that no leak is named after them: collections and maps, what is nested in them,
     * map entries, arrays, atomic references. A rule by shape: no list of libraries.
     */
    boolean collectionInternal() {
        return (flags & COLLECTION_INTERNAL) != 0;
    }

    /** Whether objects of the class are entries of a map, or otherwise nested in one. */
    boolean mapInternal() {
        return (flags & MAP_INTERNAL) != 0;
    }

    /** Whether objects of the class are counted even where they lead nowhere. See {@link ShapeRules#counted}. */
    boolean counted() {
        return (flags & COUNTED) != 0;
    }

    /** Whether the class was defined by a loader other than boot, platform, application loader and ours. */
    boolean customLoader() {
        return (flags & CUSTOM_LOADER) != 0;
    }

    /** Whether it implements {@link java.util.Map}. */
    boolean map() {
        return (flags & MAP) != 0;
    }

    /** Whether it implements {@link java.util.Collection}. */
    boolean collection() {
        return (flags & COLLECTION) != 0;
    }

    @Override
    public String toString() {
        return shape + " " + className + " " + fields;
    }
}
