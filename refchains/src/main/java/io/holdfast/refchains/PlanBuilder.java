package io.holdfast.refchains;

import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Turns declared fields into plans. Numbers the plans. Not thread-safe. */
final class PlanBuilder {
    /** Classes whose fields could not be had: they are treated as leaves. */
    static final String UNREADABLE = "refchains.classes.unreadable";
    /** Its list ends nowhere: a finalizer does not hold its object as long as that is alive. */
    private static final String FINALIZER = "java.lang.ref.Finalizer";
    /** Whose object is dead stands here until its turn comes. */
    private static final String FINALIZATION_QUEUE = "queue";
    /** The launcher's own reference to the main class explains nothing. */
    private static final String LAUNCHER = "sun.launcher.LauncherHelper";
    private static final String LAUNCHED = "appClass";
    private static final String REFERENT = "referent";
    /** Class of {@link #CLASS_VALUES}. */
    static final String CLASS = "java.lang.Class";
    /** What {@link ClassValue} has computed for a class hangs on the class object itself, like its statics. */
    private static final String CLASS_VALUES = "classValueMap";

    /** Fields of {@link Reference} by which the collector holds objects, not the application. */
    private static final Set<String> COLLECTORS_OWN = Set.of(REFERENT, "next", "discovered");

    private final FieldSource fields;
    private final LoadedClassLookup loaded;
    private final WellKnownLoaders loaders;
    private final Counters counters;
    private int nextId;

    PlanBuilder(FieldSource fields, LoadedClassLookup loaded, WellKnownLoaders loaders, Counters counters) {
        this.fields = fields;
        this.loaded = loaded;
        this.loaders = loaders;
        this.counters = counters;
    }

    int takeId() {
        return nextId++;
    }

    /** The plan for objects of exactly that class. */
    ClassPlan instances(int id, Class<?> type) {
        Shape shape = ShapeRules.of(type);
        PlannedFields found = shape == Shape.OWN || type.isArray() || type.isPrimitive() || type.isInterface() ? PlannedFields.NONE : instanceFields(type);
        if (shape == Shape.OBJECT && found.count() == 0) {
            shape = Shape.LEAF;
        }
        long referent = shape == Shape.SOFT_REFERENCE ? offsetOf(Reference.class, REFERENT) : ClassPlan.NO_OFFSET;
        return plan(id, type, shape, found, referent);
    }

    /** The plan for objects of a class of which there are none yet. */
    ClassPlan withoutInstances(int id, Class<?> type) {
        Shape shape = ShapeRules.of(type);
        return plan(id, type, shape == Shape.OBJECT ? Shape.LEAF : shape, PlannedFields.NONE, ClassPlan.NO_OFFSET);
    }

    /** The plan for the statics of that class, which must be initialised. */
    ClassPlan statics(int id, Class<?> type) {
        PlannedFields.Builder found = new PlannedFields.Builder();
        if (!OwnCode.hidesStatics(type)) {
            boolean finalizer = type.getName().equals(FINALIZER);
            String className = ClassNames.of(type);
            boolean launcher = className.equals(LAUNCHER);
            for (DeclaredField field : declared(type)) {
                if (field.reference() && field.fixed() && !(launcher && field.name().equals(LAUNCHED))
                        && !(finalizer && !field.name().equals(FINALIZATION_QUEUE))) {
                    found.add(field.name(), className, field.offset(), field.leads());
                }
            }
            long classValues = offsetOf(Class.class, CLASS_VALUES);
            if (classValues != ClassPlan.NO_OFFSET) {
                found.add(CLASS_VALUES, CLASS, classValues, true);
            }
        }
        return plan(id, type, Shape.CLASS, found.build(), ClassPlan.NO_OFFSET);
    }

    ClassPlan withoutStatics(int id, Class<?> type) {
        return plan(id, type, Shape.CLASS, PlannedFields.NONE, ClassPlan.NO_OFFSET);
    }

    private ClassPlan plan(int id, Class<?> type, Shape shape, PlannedFields found, long referent) {
        return new ClassPlan(id, ClassNames.of(type), shape, found, referent, loaders.custom(type),
                ShapeRules.collectionInternal(type, loaded), ShapeRules.mapInternal(type, loaded), Map.class.isAssignableFrom(type),
                Collection.class.isAssignableFrom(type), ShapeRules.counted(type, loaded));
    }

    private PlannedFields instanceFields(Class<?> type) {
        PlannedFields.Builder found = new PlannedFields.Builder();
        for (Class<?> declaring = type; declaring != null && declaring != Object.class; declaring = declaring.getSuperclass()) {
            if (declaring.getName().equals(FINALIZER)) {
                continue;
            }
            String className = ClassNames.of(declaring);
            for (DeclaredField field : declared(declaring)) {
                if (field.reference() && !field.fixed() && !(declaring == Reference.class && COLLECTORS_OWN.contains(field.name()))) {
                    found.add(field.name(), className, field.offset(), field.leads());
                }
            }
        }
        return found.build();
    }

    /** Place of an instance field of any type that the class or a superclass declares, {@link ClassPlan#NO_OFFSET} if there is none. */
    long offsetOf(Class<?> type, String name) {
        for (Class<?> declaring = type; declaring != null && !declaring.isArray(); declaring = declaring.getSuperclass()) {
            for (DeclaredField field : declared(declaring)) {
                if (!field.fixed() && field.name().equals(name)) {
                    return field.offset();
                }
            }
        }
        return ClassPlan.NO_OFFSET;
    }

    /** Instance fields of the class and its superclasses, and its own static ones, that may state how many elements a collection takes. */
    List<BoundField> boundFields(Class<?> type) {
        List<BoundField> found = new ArrayList<>();
        for (Class<?> declaring = type; declaring != null && !declaring.isArray(); declaring = declaring.getSuperclass()) {
            for (DeclaredField field : declared(declaring)) {
                if ((field.type() == 'I' || field.type() == 'J') && (!field.fixed() || declaring == type)) {
                    BoundField bound = BoundField.of(field.name(), field.offset(), field.type() == 'J', field.fixed());
                    if (bound.ofCollection() || bound.ofHolder()) {
                        found.add(bound);
                    }
                }
            }
        }
        return found;
    }

    /** Name of an instance field, of the class itself first, in which an object states a time; null if there is none. */
    String timeField(Class<?> type) {
        for (Class<?> declaring = type; declaring != null && !declaring.isArray(); declaring = declaring.getSuperclass()) {
            for (DeclaredField field : declared(declaring)) {
                if (!field.fixed() && TimeField.is(field.name(), field.type())) {
                    return field.name();
                }
            }
        }
        return null;
    }

    private List<DeclaredField> declared(Class<?> type) {
        try {
            return fields.of(type);
        } catch (LinkageError | RuntimeException unreadable) {
            counters.increment(UNREADABLE);
            return List.of();
        }
    }
}
