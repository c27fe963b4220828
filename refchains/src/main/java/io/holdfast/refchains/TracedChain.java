package io.holdfast.refchains;

import io.holdfast.core.GcRoot;
import java.util.Arrays;

/**
 * A chain that was just read again, as numbers and names: it holds no object of the application but its root's holder, and that weakly.
 * Reference {@code i} leads from object {@code i - 1} (the holder for 0) to object {@code i}. A root that is the object itself (thread, loader)
 * has object 0 without a reference into it.
 */
final class TracedChain {
    final RootLink root;
    final boolean rootIsObject;
    GcRoot gcRoot;
    byte[] kinds = new byte[16];
    int[] edges = new int[16];
    int[] hashes = new int[16];
    ClassPlan[] plans = new ClassPlan[16];
    HopNames.Step[] steps = new HopNames.Step[16];
    int length;
    /** Whether it leads through a soft reference. */
    boolean soft;
    /** Last object of the chain that also refers to a living soft referent; -1 = none. */
    private int lastBesideSoft = -1;
    /** Last object that was reached as the element of an array. */
    private int lastElement;

    TracedChain(RootLink root) {
        this.root = root;
        this.rootIsObject = root.kind() != Link.ROOT_STATIC;
    }

    void append(byte kind, int edge, Object object, ClassPlan plan, HopNames.Step step) {
        if (length == kinds.length) {
            int larger = length * 2;
            kinds = Arrays.copyOf(kinds, larger);
            edges = Arrays.copyOf(edges, larger);
            hashes = Arrays.copyOf(hashes, larger);
            plans = Arrays.copyOf(plans, larger);
            steps = Arrays.copyOf(steps, larger);
        }
        kinds[length] = kind;
        edges[length] = edge;
        hashes[length] = System.identityHashCode(object);
        plans[length] = plan;
        lastElement = kind == Link.ELEMENT ? length : lastElement;
        steps[length++] = step;
        soft |= kind == Link.SOFT_REFERENT;
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

    /** First index that has a reference into it. */
    int firstStep() {
        return rootIsObject ? 1 : 0;
    }
}
