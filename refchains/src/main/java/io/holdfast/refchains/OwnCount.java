package io.holdfast.refchains;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedList;
import java.util.PriorityQueue;
import java.util.Properties;
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
 * The number of elements where a container keeps it itself: in the JDK's collections, whose fields are read, and in arrays, whose slots are looked at. No
 * method of the container is called and no lock taken, so the number may be a moment old. Not thread-safe.
 */
final class OwnCount {
    /** Slots of an array looked at: a millisecond. */
    private static final int MAX_SLOTS = 1 << 20;
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

    OwnCount(HeapReader reader) {
        this.reader = reader;
    }

    /** Offset of the field in which objects of that class count their elements, to be read as an {@code int}; -1 where there is no such field. */
    long offset(Class<?> type) {
        for (SizeField known : SIZE_FIELDS) {
            if (known.type().isAssignableFrom(type) && !Properties.class.isAssignableFrom(type)) {
                return reader.offsetOf(known.type(), known.field());
            }
        }
        return -1;
    }

    /** The elements, or -1 where no count is kept. Constant work, but for arrays, whose slots are looked at. */
    long of(Object container) {
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
            // There is no adder before the first element.
            return reader.offsetOf(ConcurrentSkipListMap.class, "adder") < 0 ? -1
                    : reference(container, ConcurrentSkipListMap.class, "adder") instanceof LongAdder adder ? striped(adder, STRIPED, "base", "cells") : 0;
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
}
