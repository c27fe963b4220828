package io.holdfast.refchains;

import java.lang.ref.Reference;
import java.lang.ref.SoftReference;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Rules that tell from the class alone how its objects are walked and read by people. No code of the class is run. */
final class ShapeRules {
    private static final Set<Class<?>> BOXES = Set.of(Boolean.class, Byte.class, Character.class, Short.class, Integer.class, Long.class,
            Float.class, Double.class);
    /** Final classes without reference fields that many objects have: knowing them spares a look at each. Others are leaves by their plan. */
    private static final Set<Class<?>> VALUES = Set.of(UUID.class, Instant.class, Duration.class, LocalDate.class, LocalTime.class);
    private static final String LANGUAGE = "java.lang.";
    private static final String COLLECTIONS = "java.util.";
    private static final String CONCURRENT_COLLECTIONS = "java.util.concurrent.";
    private static final String ATOMICS = "java.util.concurrent.atomic.";
    private static final String THREAD_LOCAL_MAP = "java.lang.ThreadLocal$ThreadLocalMap";

    private ShapeRules() { }

    /** The shape as far as the class tells it; {@link Shape#OBJECT} still becomes a leaf when no reference field is found. */
    static Shape of(Class<?> type) {
        if (OwnCode.owns(type)) {
            return Shape.OWN;
        }
        if (type.isArray()) {
            return type.getComponentType().isPrimitive() ? Shape.LEAF : Shape.OBJECT_ARRAY;
        }
        if (leaf(type)) {
            return Shape.LEAF;
        }
        if (type == Class.class) {
            return Shape.CLASS;
        }
        if (SoftReference.class.isAssignableFrom(type)) {
            return Shape.SOFT_REFERENCE;
        }
        if (Reference.class.isAssignableFrom(type)) {
            return Shape.REFERENCE;
        }
        if (ClassLoader.class.isAssignableFrom(type)) {
            return Shape.CLASS_LOADER;
        }
        return Thread.class.isAssignableFrom(type) ? Shape.THREAD : Shape.OBJECT;
    }

    /** Whether nothing worth walking can be below an object of exactly that class, whatever its fields. */
    static boolean leaf(Class<?> type) {
        return type == String.class || BOXES.contains(type) || VALUES.contains(type) || type.isPrimitive() || type.isArray() && type.getComponentType().isPrimitive();
    }

    /** See {@link ClassPlan#collectionInternal}. */
    static boolean collectionInternal(Class<?> type, LoadedClassLookup loaded) {
        if (type.isArray()) {
            return true;
        }
        String name = type.getName();
        if (name.startsWith(COLLECTIONS)) {
            return ofCollectionPackage(type, name, loaded);
        }
        return name.equals(THREAD_LOCAL_MAP) || name.startsWith(THREAD_LOCAL_MAP + "$") || container(type) || nested(type, name, loaded);
    }

    /**
     * Whether it says something that there are more of them: not of strings, boxes and other values, which everything is made of and which are met only when something of
     * the kind is sought, nor of constants, of which there are more references, nor of parts of a collection, which is counted itself.
     */
    static boolean counted(Class<?> type, LoadedClassLookup loaded) {
        return !type.isArray() && !leaf(type) && !Enum.class.isAssignableFrom(type) && !type.getName().startsWith(LANGUAGE) && !collectionInternal(type, loaded);
    }

    private static boolean ofCollectionPackage(Class<?> type, String name, LoadedClassLookup loaded) {
        boolean inside = name.indexOf('.', COLLECTIONS.length()) < 0 || name.startsWith(CONCURRENT_COLLECTIONS);
        return inside && (container(type) || nested(type, name, loaded) || type == Optional.class
                || name.startsWith(ATOMICS) && name.contains("Reference"));
    }

    private static boolean container(Class<?> type) {
        return Map.class.isAssignableFrom(type) || Collection.class.isAssignableFrom(type) || Map.Entry.class.isAssignableFrom(type);
    }

    /** See {@link ClassPlan#mapInternal}. */
    static boolean mapInternal(Class<?> type, LoadedClassLookup loaded) {
        return Map.Entry.class.isAssignableFrom(type) || nestedIn(Map.class, type, type.getName(), loaded);
    }

    private static boolean nested(Class<?> type, String name, LoadedClassLookup loaded) {
        return nestedIn(Map.class, type, name, loaded) || nestedIn(Collection.class, type, name, loaded);
    }

    /** By name, for the class file attribute that tells would have the VM load the outer class. */
    private static boolean nestedIn(Class<?> kind, Class<?> type, String name, LoadedClassLookup loaded) {
        if (type.isHidden()) {
            return false;
        }
        for (int dollar = name.lastIndexOf('$'); dollar > 0; dollar = name.lastIndexOf('$', dollar - 1)) {
            Class<?> outer = loaded.find(type.getClassLoader(), name.substring(0, dollar));
            if (outer != null && kind.isAssignableFrom(outer)) {
                return true;
            }
        }
        return false;
    }
}
