package io.holdfast.refchains;

import io.holdfast.core.GcRoot;
import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * A chain that was just read again. Reference {@code i} leads from object {@code i - 1} (the root's holder for 0) to object {@code i}. A root that
 * is the object itself (thread, loader) has object 0 without a reference into it. The objects are held weakly. Not thread-safe.
 *
 * <p>Of a run of like steps (the nodes of a linked list) only the first {@value #RUN_HEAD} and the last are kept, so a chain of a million hops costs
 * no more than one of a thousand.
 */
final class TracedChain {
    static final int RUN_HEAD = 256;
    /** Kept of one run before its middle is dropped. */
    private static final int RUN_LIMIT = 1_024;

    final RootLink root;
    final boolean rootIsObject;
    GcRoot gcRoot;
    byte[] kinds;
    int[] edges;
    int[] hashes;
    ClassPlan[] plans;
    HopNames.Step[] steps;
    private WeakReference<Object>[] objects;
    /** Objects kept. */
    int length;
    /** Whether it leads through a soft reference. */
    boolean soft;
    private int runFrom;
    private int dropped;
    /** Last object of the chain that also refers to a living soft referent; -1 = none. */
    private int lastBesideSoft = -1;
    /** Last object that was reached as the element of an array. */
    private int lastElement;

    TracedChain(RootLink root) {
        this(root, 16);
    }

    @SuppressWarnings("unchecked")
    private TracedChain(RootLink root, int capacity) {
        this.root = root;
        this.rootIsObject = root.kind() == Link.ROOT_THREAD || root.kind() == Link.ROOT_LOADER;
        kinds = new byte[capacity];
        edges = new int[capacity];
        hashes = new int[capacity];
        plans = new ClassPlan[capacity];
        steps = new HopNames.Step[capacity];
        objects = (WeakReference<Object>[]) new WeakReference<?>[capacity];
    }

    /** A chain that begins like this one: with everything up to its last object but {@code tail}. */
    TracedChain beginning(int tail) {
        int kept = length - tail;
        TracedChain copy = new TracedChain(root, Math.max(16, kept + 8));
        System.arraycopy(kinds, 0, copy.kinds, 0, kept);
        System.arraycopy(edges, 0, copy.edges, 0, kept);
        System.arraycopy(hashes, 0, copy.hashes, 0, kept);
        System.arraycopy(plans, 0, copy.plans, 0, kept);
        System.arraycopy(steps, 0, copy.steps, 0, kept);
        System.arraycopy(objects, 0, copy.objects, 0, kept);
        copy.length = kept;
        copy.dropped = dropped;
        for (int i = 0; i < kept; i++) {
            copy.soft |= kinds[i] == Link.SOFT_REFERENT;
            copy.lastElement = kinds[i] == Link.ELEMENT ? i : copy.lastElement;
        }
        copy.lastBesideSoft = lastBesideSoft < kept ? lastBesideSoft : -1;
        copy.runFrom = Math.min(runFrom, kept);
        return copy;
    }

    void append(byte kind, int edge, Object object, ClassPlan plan, HopNames.Step step) {
        boolean continues = like(length - 1, kind, edge, plan) || like(length - 2, kind, edge, plan);
        if (!continues) {
            runFrom = length;
        } else if (length - runFrom >= RUN_LIMIT) {
            drop(runFrom + RUN_HEAD, RUN_LIMIT / 2);
        }
        if (length == kinds.length) {
            int larger = length * 2;
            kinds = Arrays.copyOf(kinds, larger);
            edges = Arrays.copyOf(edges, larger);
            hashes = Arrays.copyOf(hashes, larger);
            plans = Arrays.copyOf(plans, larger);
            steps = Arrays.copyOf(steps, larger);
            objects = Arrays.copyOf(objects, larger);
        }
        kinds[length] = kind;
        edges[length] = edge;
        hashes[length] = System.identityHashCode(object);
        plans[length] = plan;
        objects[length] = new WeakReference<>(object);
        lastElement = kind == Link.ELEMENT ? length : lastElement;
        steps[length++] = step;
        soft |= kind == Link.SOFT_REFERENT;
    }

    /** Whether step {@code i} is the same field of the same class of object: in a list each is like the one before, or the one before that. */
    private boolean like(int i, byte kind, int edge, ClassPlan plan) {
        return i >= 0 && kind == Link.FIELD && kinds[i] == kind && edges[i] == edge && plans[i].id() == plan.id();
    }

    private boolean continuesRun(int i) {
        return like(i - 1, kinds[i], edges[i], plans[i]) || like(i - 2, kinds[i], edges[i], plans[i]);
    }

    /** Drops an even number, so that two classes that alternate go on alternating. */
    private void drop(int from, int count) {
        int behind = from + count;
        int moved = length - behind;
        System.arraycopy(kinds, behind, kinds, from, moved);
        System.arraycopy(edges, behind, edges, from, moved);
        System.arraycopy(hashes, behind, hashes, from, moved);
        System.arraycopy(plans, behind, plans, from, moved);
        System.arraycopy(steps, behind, steps, from, moved);
        System.arraycopy(objects, behind, objects, from, moved);
        Arrays.fill(objects, length - count, length, null);
        length -= count;
        dropped += count;
        if (lastBesideSoft >= from) {
            lastBesideSoft = lastBesideSoft >= behind ? lastBesideSoft - count : from - 1;
        }
    }

    /** The object appended last also refers to a soft reference whose referent is alive. */
    void besideSoft() {
        lastBesideSoft = length - 1;
    }

    /**
     * Whether it ends in, or below, an entry of a cache of soft references: the entry, its key and whatever else hangs on it go when the collector
     * clears the soft reference beside them. Such a cache is as large as memory permits, by design.
     */
    boolean entryOfSoftCache() {
        return lastBesideSoft > 0 && lastBesideSoft >= lastElement;
    }

    /** Number that tells objects of one chain level apart. */
    long identity(int i) {
        return (long) hashes[i] << 32 | plans[i].id() & 0xFFFF_FFFFL;
    }

    /**
     * For each object a number that tells places apart: two objects that the same fields lead to from the same root or element are at one place, even if
     * they are two because the one has replaced the other between two readings.
     */
    long[] places() {
        long[] places = new long[length];
        for (int i = 0; i < length; i++) {
            if (kinds[i] == Link.ELEMENT || i == 0 && rootIsObject || !complete(i)) {
                places[i] = identity(i);
            } else {
                long before = i == 0 ? System.identityHashCode(root.holder().get()) : places[i - 1];
                places[i] = (before ^ (long) kinds[i] << 32 ^ edges[i] + 1) * 0x9E37_79B9_7F4A_7C15L;
            }
        }
        return places;
    }

    /** Object {@code i}, or null if it has died. */
    Object object(int i) {
        return objects[i].get();
    }

    /** First index that has a reference into it. */
    int firstStep() {
        return rootIsObject ? 1 : 0;
    }

    /** Objects left out of the middle of long runs. */
    int dropped() {
        return dropped;
    }

    /** Whether the steps up to object {@code i} are all there. */
    boolean complete(int i) {
        return dropped == 0 || i < RUN_HEAD;
    }

    /** Where the last run of like steps that is longer than {@value #RUN_HEAD} ends, as the number of objects behind it; -1 = there is none. */
    int objectsBehindLongRun() {
        int to = length - 1;
        while (to > 0) {
            int from = to;
            while (from > 0 && continuesRun(from)) {
                from--;
            }
            if (to - from >= RUN_HEAD) {
                return length - 1 - to;
            }
            to = from - 1;
        }
        return -1;
    }
}
