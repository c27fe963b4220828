package io.holdfast.refchains;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;

/**
 * Fields by reflection alone. In place of an offset stands where the field is declared: static or not, depth of the declaring class below
 * {@code Object}, and place among the fields it declares. Field objects pin their class, so they are held weakly and fetched again when the
 * collector has taken them.
 *
 * <p>Reflection makes the loader of a class load the types of its fields. Classes of a loader whose code is the application's are therefore refused,
 * unless it is the one that loaded Holdfast.
 */
final class PlainFields implements FieldSource {
    private static final long STATIC = 1L << 40;
    private static final int DEPTH_SHIFT = 20;
    private static final int INDEX_MASK = (1 << DEPTH_SHIFT) - 1;
    private static final Field[] NONE = {};

    private final ClosedPackages closed;
    private final WellKnownLoaders loaders;
    private final WeakClassTable<Cached> cache = new WeakClassTable<>();

    private static final class Cached {
        /** Holds the declared fields, those that cannot be opened as null. */
        Reference<Field[]> fields = new WeakReference<>(null);
    }

    PlainFields(ClosedPackages closed, WellKnownLoaders loaders) {
        this.closed = closed;
        this.loaders = loaders;
    }

    @Override
    public List<DeclaredField> of(Class<?> type) {
        List<DeclaredField> found = new ArrayList<>();
        Field[] fields = declared(type);
        for (int i = 0; i < fields.length; i++) {
            Field field = fields[i];
            if (field != null) {
                boolean fixed = Modifier.isStatic(field.getModifiers());
                boolean reference = !field.getType().isPrimitive();
                found.add(new DeclaredField(field.getName(), encode(type, i, fixed), fixed, field.getType().descriptorString().charAt(0),
                        reference && !ShapeRules.leaf(field.getType())));
            }
        }
        return found;
    }

    /** The field that {@code encoded} stands for in {@code base}. */
    Field at(Object base, long encoded) {
        boolean fixed = (encoded & STATIC) != 0;
        Class<?> declaring = fixed ? (Class<?>) base : base.getClass();
        if (!fixed) {
            int depth = (int) (encoded >>> DEPTH_SHIFT & INDEX_MASK);
            for (int steps = depth(declaring) - depth; steps > 0; steps--) {
                declaring = declaring.getSuperclass();
            }
        }
        return declared(declaring)[(int) encoded & INDEX_MASK];
    }

    private static long encode(Class<?> declaring, int index, boolean fixed) {
        return (fixed ? STATIC : 0) | (long) depth(declaring) << DEPTH_SHIFT | index;
    }

    private static int depth(Class<?> type) {
        int depth = 0;
        for (Class<?> above = type.getSuperclass(); above != null; above = above.getSuperclass()) {
            depth++;
        }
        return depth;
    }

    private Field[] declared(Class<?> type) {
        if (type.isArray() || type.isPrimitive()) {
            return NONE;
        }
        Cached cached = cache.get(type);
        if (cached == null) {
            cached = new Cached();
            cache.add(type, cached);
        }
        Field[] fields = cached.fields.get();
        if (fields == null) {
            if (loaders.custom(type) && type.getClassLoader().getClass().getClassLoader() != null) {
                throw new IllegalStateException("the loader runs code of the application");
            }
            fields = type.getDeclaredFields();
            boolean refused = false;
            for (int i = 0; i < fields.length; i++) {
                if (!fields[i].trySetAccessible()) {
                    refused = true;
                    fields[i] = null;
                }
            }
            if (refused) {
                closed.add(type);
            }
            cached.fields = new WeakReference<>(fields);
        }
        return fields;
    }
}
