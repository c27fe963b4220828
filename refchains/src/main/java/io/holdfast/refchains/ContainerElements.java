package io.holdfast.refchains;

import java.util.ArrayList;
import java.util.List;

/**
 * Picks some elements of a container, with a bound on references read: from both ends of an array or list, because those were put there at different times, and
 * wherever they lie in a hash table. Of a collection that has nodes the nodes are picked: nothing else holds them. Holds nothing after a call. Not thread-safe.
 */
final class ContainerElements {
    private static final int MAX_READS = 4_096;
    /** Slots of an array, from either end. */
    private static final int MAX_SLOTS = 1 << 16;

    private final HeapReader reader;

    ContainerElements(HeapReader reader) {
        this.reader = reader;
    }

    /** At most {@code max} of about {@code count} elements, strongly held. */
    List<Object> of(Object container, int count, int max) {
        List<Object> picked = new ArrayList<>(max);
        if (container instanceof Object[] array) {
            bothEnds(array, count, max, picked);
            return picked;
        }
        below(container, count, max, picked);
        if (picked.size() < Math.min(max, count) / 2) {
            // Few slots with many elements each: what hangs in the slots of a hash table are heads of lists and trees.
            List<Object> deeper = new ArrayList<>(max);
            for (Object head : picked) {
                below(head, count, max, deeper);
            }
            return deeper.size() > picked.size() ? deeper : picked;
        }
        return picked;
    }

    private void below(Object start, int count, int max, List<Object> picked) {
        new LocalSearch(reader, (object, plan) -> {
            if (picked.size() >= max) {
                return LocalSearch.Answer.FOUND; // enough: nothing more needs to be met
            }
            if (object instanceof Object[] array) {
                bothEnds(array, count, max, picked);
                return LocalSearch.Answer.LEAVE_OUT;
            }
            boolean node = plan.collectionInternal() && plan.shape() == Shape.OBJECT && !plan.collection() && !plan.map();
            if (node) {
                picked.add(object);
            }
            return node ? LocalSearch.Answer.ENTER : LocalSearch.Answer.LEAVE_OUT;
        }, MAX_READS).run(start);
    }

    /** The end is where a list ends that leaves room in its array; a hash table has elements everywhere. */
    private void bothEnds(Object[] array, int count, int max, List<Object> picked) {
        int wanted = picked.size() + (max - picked.size() + 1) / 2;
        int head = 0;
        for (; head < Math.min(array.length, MAX_SLOTS) && picked.size() < wanted; head++) {
            add(array[head], picked);
        }
        int end = Math.min(array.length, Math.max(count, head));
        for (int tail = end - 1; tail >= Math.max(head, end - MAX_SLOTS) && picked.size() < max; tail--) {
            add(array[tail], picked);
        }
    }

    private void add(Object element, List<Object> picked) {
        if (element != null) {
            Shape shape = reader.plan(element).shape();
            if (shape != Shape.OWN && shape != Shape.CLASS && shape != Shape.CLASS_LOADER) {
                picked.add(element);
            }
        }
    }
}
