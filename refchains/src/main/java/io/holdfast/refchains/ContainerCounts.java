package io.holdfast.refchains;

import java.util.Arrays;

/** Counts the elements of what a walk meets, if it is a container that tells quickly: how is found out once for each class. Not thread-safe. */
final class ContainerCounts {
    private static final long UNKNOWN = 0;
    private static final long NOT_COUNTED = -1;
    private static final long NO_FIELD = -2;

    private final HeapReader reader;
    private final OwnCount ownCount;
    /** By class id: the offset of the field with the count, or one of the constants. */
    private long[] offsets = new long[1_024];

    ContainerCounts(HeapReader reader) {
        this.reader = reader;
        this.ownCount = new OwnCount(reader);
    }

    /**
     * The elements; negative if it is no container, or one that does not tell.
     *
     * @param holderId id of the class of the object that leads to it: the array of a collection that keeps its count itself is not looked at
     */
    long of(Object container, ClassPlan plan, int holderId) {
        if (plan.shape() == Shape.OBJECT_ARRAY) {
            return counted(holderId) || ((Object[]) container).length < PopulationSizes.MIN_SIZE ? -1 : ownCount.of(container);
        }
        if (!plan.collection() && !plan.map()) {
            return -1;
        }
        int id = plan.id();
        if (id >= offsets.length) {
            offsets = Arrays.copyOf(offsets, Math.max(id + 1, 2 * offsets.length));
        }
        if (offsets[id] == UNKNOWN) {
            long offset = ownCount.offset(container.getClass());
            offsets[id] = offset > 0 ? offset : ownCount.of(container) >= 0 ? NO_FIELD : NOT_COUNTED;
        }
        long offset = offsets[id];
        return offset > 0 ? reader.intField(container, offset) : offset == NO_FIELD ? ownCount.of(container) : -1;
    }

    /** Whether containers of that class have been met, and tell. */
    boolean counted(int classId) {
        return classId >= 0 && classId < offsets.length && (offsets[classId] > 0 || offsets[classId] == NO_FIELD);
    }
}
