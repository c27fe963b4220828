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
    boolean soft;

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
        steps[length++] = step;
        soft |= kind == Link.SOFT_REFERENT;
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
