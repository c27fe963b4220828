package io.holdfast.refchains;

import io.holdfast.core.ClassNames;
import io.holdfast.core.GrowthProbe;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Counts the elements of a container by reading fields; no method of it is called and no lock taken, so the number may be a moment old. The
 * JDK's collections keep a count; wrappers lead to one that does; in anything else the instances of the owner class are counted, up to a bound of
 * references. Entered are only nodes of collections and objects of classes that lay between container and owner in the chains found: whatever else hangs on the
 * container may lead anywhere. Not thread-safe.
 */
final class ElementCount {
    /** References read to count the elements at one accumulation point: some milliseconds. */
    static final int MAX_READS = 100_000;
    private static final int MAX_WRAPPERS = 4;

    private final HeapReader reader;
    private final OwnCount ownCount;
    private final Structure structure;
    /** The owner's name without the numbers of a generated class. */
    private final String stableOwner;
    private int reads;

    /**
     * What is counted, and what lies above it.
     *
     * @param owner  class of the elements
     * @param linked whether elements hang on each other, like the nodes of a list
     * @param plans  ids of the plans of what lies between container and elements
     */
    record Structure(String owner, boolean linked, Set<Integer> plans) { }

    ElementCount(HeapReader reader, Structure structure) {
        this.reader = reader;
        this.ownCount = new OwnCount(reader);
        this.structure = structure;
        this.stableOwner = ClassNames.stable(structure.owner());
    }

    /** The elements; {@link GrowthProbe#UNKNOWN} if that takes more than {@code maxReads} references. */
    long of(Object container, int maxReads) {
        reads = 0;
        Object at = container;
        for (int i = 0; i < MAX_WRAPPERS && at != null; i++) {
            long own = ownCount.of(at);
            if (own >= 0) {
                return own;
            }
            at = wrapped(at);
        }
        return walk(container, maxReads);
    }

    /** References the last count has read. */
    int reads() {
        return reads;
    }

    /** The collection inside a wrapper ({@code HashSet}, {@code Collections.synchronizedMap}, a key set); null if it is none. */
    private Object wrapped(Object container) {
        if (!(container instanceof Collection) && !(container instanceof Map)) {
            return null;
        }
        ClassPlan plan = reader.plan(container);
        for (int i = 0; i < plan.fieldCount(); i++) {
            Object value = reader.reference(container, plan.offset(i));
            if (value != container && (value instanceof Collection || value instanceof Map)) {
                return value;
            }
        }
        return null;
    }

    private long walk(Object container, int maxReads) {
        long[] met = new long[1];
        boolean startsAtElement = isElement(reader.plan(container));
        LocalSearch search = new LocalSearch(reader, (object, plan) -> {
            if (isElement(plan)) {
                met[0]++;
                return structure.linked() || startsAtElement ? LocalSearch.Answer.ENTER : LocalSearch.Answer.LEAVE_OUT;
            }
            boolean node = plan.collectionInternal() && !plan.collection() && !plan.map() && plan.shape() == Shape.OBJECT;
            return node || structure.plans().contains(plan.id()) ? LocalSearch.Answer.ENTER : LocalSearch.Answer.LEAVE_OUT;
        }, maxReads);
        search.run(container);
        reads = maxReads - search.readsLeft();
        return search.readsLeft() <= 0 ? GrowthProbe.UNKNOWN : met[0] + (startsAtElement ? 1 : 0);
    }

    /** A lambda has another class after the class around it was changed, by Holdfast's own hooks for one. */
    private boolean isElement(ClassPlan plan) {
        return plan.className().equals(structure.owner()) || !stableOwner.equals(structure.owner()) && plan.stableName().equals(stableOwner);
    }
}
