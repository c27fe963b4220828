package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;

/**
 * The number of elements that a collection says it takes at the most: the maximum of a cache, the capacity of a queue. By the shape of the object, not by its class:
 * number fields of the collection itself, and of a collection it wraps, whose names say so.
 */
final class StatedBound {
    /** What stands for no bound. */
    private static final long NO_BOUND_INT = Integer.MAX_VALUE / 2;

    private final HeapReader reader;

    StatedBound(HeapReader reader) {
        this.reader = reader;
    }

    /** The smallest bound of the container that is not below the number of its elements; {@link GrowthProbe#UNBOUNDED} if it states none. */
    long of(Object container, long elements) {
        ClassPlan plan = reader.plan(container);
        if (!collection(plan)) {
            return GrowthProbe.UNBOUNDED;
        }
        long bound = own(container, elements);
        for (int i = 0; i < plan.fieldCount(); i++) {
            Object wrapped = plan.mayLead(i) ? reader.reference(container, plan.offset(i)) : null;
            if (wrapped != null && collection(reader.plan(wrapped))) {
                bound = Math.min(bound, own(wrapped, elements));
            }
        }
        return bound;
    }

    private static boolean collection(ClassPlan plan) {
        return plan.map() || plan.collection();
    }

    private long own(Object collection, long elements) {
        long bound = GrowthProbe.UNBOUNDED;
        for (BoundField field : reader.boundFields(collection.getClass())) {
            long stated = field.wide() ? reader.longField(collection, field.offset()) : reader.intField(collection, field.offset());
            if (stated >= elements && (field.wide() || stated < NO_BOUND_INT)) {
                bound = Math.min(bound, stated);
            }
        }
        return bound;
    }
}
