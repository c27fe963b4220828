package io.holdfast.refchains;

import io.holdfast.core.GrowthProbe;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Hashtable;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the elements of a container by reading fields; no method of it is called and no lock taken, so the number may be a moment old. The
 * JDK's collections keep a count; wrappers lead to one that does; in anything else the instances of the owner class are counted, up to a bound of
 * references. Entered are only nodes of collections and objects of classes that lay between container and owner in the chains found: whatever else hangs on the
 * container may lead anywhere. Not thread-safe.
 */
final class ElementCount {
    /** References read to count the elements at one accumulation point: some milliseconds. */
    static final int MAX_READS = 100_000;
    /** Slots of an array, which are read much faster. */
    private static final int MAX_SLOTS = 1 << 20;
    private static final int MAX_WRAPPERS = 4;
    /** Superclass of the JDK's adders. */
    private static final Class<?> STRIPED = LongAdder.class.getSuperclass();

    /** Where a class keeps its count. */
    private record SizeField(Class<?> type, String field) { }

    private static final SizeField[] SIZE_FIELDS = {
        new SizeField(HashMap.class, "size"), new SizeField(ArrayList.class, "size"), new SizeField(LinkedList.class, "size"),
        new SizeField(TreeMap.class, "size"), new SizeField(PriorityQueue.class, "size"), new SizeField(IdentityHashMap.class, "size"),
        new SizeField(WeakHashMap.class, "size"), new SizeField(EnumMap.class, "size"), new SizeField(PriorityBlockingQueue.class, "size"),
        new SizeField(Vector.class, "elementCount"), new SizeField(Hashtable.class, "count"),
        new SizeField(ArrayBlockingQueue.class, "count"), new SizeField(LinkedBlockingDeque.class, "count"),
    };

    private final HeapReader reader;
    private final Structure structure;
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
        this.structure = structure;
    }

    /** The elements; {@link GrowthProbe#UNKNOWN} if that takes more than {@code maxReads} references. */
    long of(Object container, int maxReads) {
        reads = 0;
        Object at = container;
        for (int i = 0; i < MAX_WRAPPERS && at != null; i++) {
            long known = known(at);
            if (known >= 0) {
                return known;
            }
            at = wrapped(at);
        }
        return walk(container, maxReads);
    }

    /** References the last count has read. */
    int reads() {
        return reads;
    }

    private long known(Object container) {
        if (container instanceof Properties) {
            return -1;
        }
        for (SizeField known : SIZE_FIELDS) {
            if (known.type().isInstance(container)) {
                return integer(container, known.type(), known.field());
            }
        }
        if (container instanceof ConcurrentHashMap) {
            return striped(container, ConcurrentHashMap.class, "baseCount", "counterCells");
        }
        if (container instanceof ArrayDeque) {
            return reference(container, ArrayDeque.class, "elements") instanceof Object[] ring && ring.length > 0
                    ? Math.floorMod(integer(container, ArrayDeque.class, "tail") - integer(container, ArrayDeque.class, "head"), ring.length) : -1;
        }
        if (container instanceof CopyOnWriteArrayList) {
            return reference(container, CopyOnWriteArrayList.class, "array") instanceof Object[] array ? array.length : -1;
        }
        if (container instanceof LinkedBlockingQueue) {
            return reference(container, LinkedBlockingQueue.class, "count") instanceof AtomicInteger count
                    ? integer(count, AtomicInteger.class, "value") : -1;
        }
        if (container instanceof ConcurrentSkipListMap) {
            return reference(container, ConcurrentSkipListMap.class, "adder") instanceof LongAdder adder ? striped(adder, STRIPED, "base", "cells") : -1;
        }
        return switch (reader.plan(container).className()) {
            case "java.lang.ThreadLocal$ThreadLocalMap", "java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue" ->
                    integer(container, container.getClass(), "size");
            default -> container instanceof Object[] array ? present(array) : -1;
        };
    }

    private static long present(Object[] array) {
        if (array.length > MAX_SLOTS) {
            return -1;
        }
        long present = 0;
        for (Object element : array) {
            present += element == null ? 0 : 1;
        }
        return present;
    }

    private long striped(Object container, Class<?> type, String base, String cells) {
        long offset = reader.offsetOf(type, base);
        if (offset < 0) {
            return -1;
        }
        long sum = reader.longField(container, offset);
        if (reference(container, type, cells) instanceof Object[] array) {
            for (Object cell : array) {
                long value = cell == null ? -1 : reader.offsetOf(cell.getClass(), "value");
                sum += value < 0 ? 0 : reader.longField(cell, value);
            }
        }
        return Math.max(0, sum);
    }

    private long integer(Object object, Class<?> type, String field) {
        long offset = reader.offsetOf(type, field);
        return offset < 0 ? -1 : reader.intField(object, offset);
    }

    private Object reference(Object object, Class<?> type, String field) {
        long offset = reader.offsetOf(type, field);
        return offset < 0 ? null : reader.reference(object, offset);
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
        boolean isElement = reader.plan(container).className().equals(structure.owner());
        LocalSearch search = new LocalSearch(reader, (object, plan) -> {
            if (plan.className().equals(structure.owner())) {
                met[0]++;
                return structure.linked() || isElement ? LocalSearch.Answer.ENTER : LocalSearch.Answer.LEAVE_OUT;
            }
            boolean node = plan.collectionInternal() && !plan.collection() && !plan.map() && plan.shape() == Shape.OBJECT;
            return node || structure.plans().contains(plan.id()) ? LocalSearch.Answer.ENTER : LocalSearch.Answer.LEAVE_OUT;
        }, maxReads);
        search.run(container);
        reads = maxReads - search.readsLeft();
        return search.readsLeft() <= 0 ? GrowthProbe.UNKNOWN : met[0] + (isElement ? 1 : 0);
    }
}
