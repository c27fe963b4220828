package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.HashMap;
import java.util.Map;

/**
 * The number of elements that a collection says it takes at the most: the maximum of a cache, the capacity of a queue. By the shape of the object, not by its class:
 * number fields of the collection itself, of a collection it wraps, and of what holds it in a field, be it only the first of its nodes, whose names say so and whose values stay. A hash table calls the
 * size at which it gets a larger array its maximum, too: such a number grows with the table and is no bound.
 *
 * <p>For one container, or those that follow each other in one place. Keeps numbers only. Not thread-safe.
 */
final class StatedBound {
    /** What stands for no bound. */
    private static final long NO_BOUND_INT = Integer.MAX_VALUE / 2;
    private static final long MOVED = -1;
    private static final int PASSED_BY = 8;
    /** In place of the number of a field that refers to a wrapped collection. */
    private static final int ITSELF = -1;
    private static final int HOLDER = -2;
    private static final int CLASS_OF_HOLDER = -3;

    private final HeapReader reader;
    /** What each field said when it was read first; {@link #MOVED} once it has said something else. */
    private final Map<Source, Long> first = new HashMap<>();

    /**
     * A number field.
     *
     * @param wrapped number of the field that refers to the collection it is in, or one of the constants above
     * @param plan    of what it is in
     * @param offset  in it
     */
    private record Source(int wrapped, int plan, long offset) { }

    StatedBound(HeapReader reader) {
        this.reader = reader;
    }

    /**
     * The smallest bound of the container that the number of its elements has not passed; {@link GrowthProbe#UNBOUNDED} if none is stated. A cache evicts when it has
     * too many already, so it counts as passed only by an eighth.
     *
     * @param holder the object that refers to the container by a field, the class if that is static; null if nothing does
     */
    long of(Object container, Object holder, long elements) {
        long bound = holder == null ? GrowthProbe.UNBOUNDED : ofHolder(holder, elements);
        ClassPlan plan = reader.plan(container);
        // What holds the first node of a list of its own making is the container of that list.
        return Math.min(bound, collection(plan) ? ofCollection(container, plan, elements) : plan.shape() == Shape.OBJECT ? ofHolder(container, elements) : GrowthProbe.UNBOUNDED);
    }

    private long ofCollection(Object container, ClassPlan plan, long elements) {
        long bound = own(container, plan, ITSELF, elements);
        for (int i = 0; i < plan.fieldCount(); i++) {
            Object wrapped = plan.mayLead(i) ? reader.reference(container, plan.offset(i)) : null;
            ClassPlan inner = wrapped == null ? null : reader.plan(wrapped);
            if (inner != null && collection(inner)) {
                bound = Math.min(bound, own(wrapped, inner, i, elements));
            }
        }
        return bound;
    }

    private static boolean collection(ClassPlan plan) {
        return plan.map() || plan.collection();
    }

    private long own(Object collection, ClassPlan plan, int wrapped, long elements) {
        long bound = GrowthProbe.UNBOUNDED;
        for (BoundField field : reader.boundFields(collection.getClass())) {
            if (field.ofCollection() && !field.fixed()) {
                bound = Math.min(bound, stated(collection, new Source(wrapped, plan.id(), field.offset()), field.wide(), elements));
            }
        }
        return bound;
    }

    private long ofHolder(Object holder, long elements) {
        boolean ofClass = holder instanceof Class<?>;
        Class<?> type = ofClass ? (Class<?>) holder : holder.getClass();
        int plan = reader.plan(type).id();
        long bound = GrowthProbe.UNBOUNDED;
        for (BoundField field : reader.boundFields(type)) {
            if (field.ofHolder() && (field.fixed() || !ofClass)) {
                bound = Math.min(bound, stated(field.fixed() ? type : holder, new Source(field.fixed() ? CLASS_OF_HOLDER : HOLDER, plan, field.offset()), field.wide(), elements));
            }
        }
        return bound;
    }

    private long stated(Object base, Source field, boolean wide, long elements) {
        long stated = wide ? reader.longField(base, field.offset()) : reader.intField(base, field.offset());
        boolean bounds = stays(field, stated) && stated > 0 && (wide || stated < NO_BOUND_INT) && stated + stated / PASSED_BY >= elements;
        return bounds ? stated : GrowthProbe.UNBOUNDED;
    }

    private boolean stays(Source field, long stated) {
        Long before = first.putIfAbsent(field, stated);
        if (before == null || before == stated) {
            return true;
        }
        first.put(field, MOVED);
        return false;
    }
}
