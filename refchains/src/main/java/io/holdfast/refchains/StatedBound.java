package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.HashMap;
import java.util.Map;

/**
 * The number of elements that a collection says it takes at the most: the maximum of a cache, the capacity of a queue. By the shape of the object, not by its class:
 * number fields of the collection itself, and of a collection it wraps, whose names say so and whose values stay. A hash table calls the size at which it gets
 * a larger array its maximum, too: such a number grows with the table and is no bound.
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

    private final HeapReader reader;
    /** What each field said when it was read first; {@link #MOVED} once it has said something else. */
    private final Map<Source, Long> first = new HashMap<>();

    /**
     * A number field.
     *
     * @param wrapped number of the field that refers to the collection it is in, or {@link #ITSELF}
     * @param plan    of that collection
     * @param offset  in it
     */
    private record Source(int wrapped, int plan, long offset) { }

    StatedBound(HeapReader reader) {
        this.reader = reader;
    }

    /**
     * The smallest bound of the container that the number of its elements has not passed; {@link GrowthProbe#UNBOUNDED} if it states none. A cache evicts when it has
     * too many already, so it counts as passed only by an eighth.
     */
    long of(Object container, long elements) {
        ClassPlan plan = reader.plan(container);
        if (!collection(plan)) {
            return GrowthProbe.UNBOUNDED;
        }
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
            long stated = field.wide() ? reader.longField(collection, field.offset()) : reader.intField(collection, field.offset());
            boolean stays = stays(new Source(wrapped, plan.id(), field.offset()), stated);
            if (stays && stated + stated / PASSED_BY >= elements && stated > 0 && (field.wide() || stated < NO_BOUND_INT)) {
                bound = Math.min(bound, stated);
            }
        }
        return bound;
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
