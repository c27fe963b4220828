package io.holdfast.refchains;

import java.lang.ref.WeakReference;
import java.util.Arrays;

/** The way from a root to one object, kept as numbers and weak references, to be read again later. Not thread-safe. */
final class ProbePath {
    /** Longer ways (a linked list above) are not read again; the object itself is followed. */
    private static final int MAX_STEPS = 64;

    private final RootLink root;
    private final byte[] kinds;
    private final int[] edges;
    /** Class of the object at the end of each step: a field's ordinal means nothing in another class. */
    private final int[] classIds;
    private final boolean plain;
    private final boolean readable;
    private WeakReference<Object> last;

    ProbePath(TracedChain chain, int index) {
        root = chain.root;
        readable = index < MAX_STEPS && chain.complete(index);
        int steps = readable ? index + 1 : 0;
        kinds = Arrays.copyOf(chain.kinds, steps);
        edges = Arrays.copyOf(chain.edges, steps);
        classIds = new int[steps];
        boolean onlyFields = readable;
        for (int i = 0; i < steps; i++) {
            classIds[i] = chain.plans[i].id();
            onlyFields &= kinds[i] != Link.ELEMENT && (i == index || !chain.plans[i].collectionInternal());
        }
        plain = onlyFields;
        last = new WeakReference<>(chain.object(index));
    }

    /**
     * The object now. Where the way leads through fields only, what it leads to is right even if it is another object; where it leads through
     * collections, whose elements move, the object known is followed as long as it lives.
     */
    Object read(HeapReader reader) {
        Object known = last.get();
        if (!plain && known != null) {
            return known;
        }
        Object now = walk(reader);
        if (now != null && now != known) {
            last = new WeakReference<>(now);
        }
        return now;
    }

    private Object walk(HeapReader reader) {
        Object base = root.holder().get();
        if (base == null || !readable || base instanceof Thread thread && !thread.isAlive()) {
            return null;
        }
        Outgoing outgoing = new Outgoing(reader);
        for (int i = 0; i < kinds.length && base != null; i++) {
            Object object = outgoing.reread(base, kinds[i], edges[i]);
            if (object == null || i < kinds.length - 1 && reader.plan(object).id() != classIds[i]) {
                return null;
            }
            base = object;
        }
        return base;
    }
}
