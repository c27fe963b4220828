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
    /** The last object that lies inside a collection, where objects move; -1 where the way leads through fields only. */
    private final int moving;
    private final boolean readable;
    private WeakReference<Object> known;
    private WeakReference<Object> last;

    ProbePath(TracedChain chain, int index) {
        root = chain.root;
        readable = index < MAX_STEPS && chain.complete(index);
        int steps = readable ? index + 1 : 0;
        kinds = Arrays.copyOf(chain.kinds, steps);
        edges = Arrays.copyOf(chain.edges, steps);
        classIds = new int[steps];
        int inside = readable ? -1 : index;
        for (int i = 0; i < steps; i++) {
            classIds[i] = chain.plans[i].id();
            inside = kinds[i] == Link.ELEMENT || i < index && chain.plans[i].collectionInternal() ? i : inside;
        }
        moving = inside;
        known = new WeakReference<>(moving < 0 ? null : chain.object(moving));
        last = new WeakReference<>(chain.object(index));
    }

    /**
     * The object now. Where the way leads through fields, what it leads to is right even if it is another object. Where it leads through collections, whose
     * elements move, the object known there is followed as long as it lives; and when that was a node that a map has replaced by a copy, the object at the end.
     */
    Object read(HeapReader reader) {
        Object start = known.get();
        if (moving >= 0 && start == null) {
            Object end = last.get();
            if (end != null) {
                return end;
            }
            start = walk(reader, root.holder().get(), 0, moving);
            known = new WeakReference<>(start);
        }
        Object now = walk(reader, moving < 0 ? root.holder().get() : start, moving + 1, kinds.length - 1);
        if (now != null && now != last.get()) {
            last = new WeakReference<>(now);
        }
        return now;
    }

    /**
     * What refers to the object by a field now: an object, or a class where the field is static. Null where the object lies in a collection or is a root itself, or
     * where the way is too long or broken. Only after {@link #read}.
     */
    Object holder(HeapReader reader) {
        int end = kinds.length - 1;
        if (end <= moving || kinds[end] != Link.FIELD && kinds[end] != Link.STATIC_FIELD && kinds[end] != Link.ROOT_STATIC) {
            return null;
        }
        return walk(reader, moving < 0 ? root.holder().get() : known.get(), moving + 1, end - 1);
    }

    private Object walk(HeapReader reader, Object from, int first, int last) {
        Object base = from;
        if (base == null || !readable && first == 0 || base instanceof Thread thread && !thread.isAlive()) {
            return null;
        }
        Outgoing outgoing = new Outgoing(reader);
        for (int i = first; i <= last; i++) {
            Object object = outgoing.reread(base, kinds[i], edges[i]);
            if (object == null || i < kinds.length - 1 && reader.plan(object).id() != classIds[i]) {
                return null;
            }
            base = object;
        }
        return base;
    }
}
