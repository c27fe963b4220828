package io.holdfast.refchains;

import io.holdfast.core.StackLocal;
import java.lang.ref.WeakReference;
import java.util.Arrays;

/**
 * The classes, threads, loaders and local variables from which the walk set out, by number. Classes that can never be unloaded and notes of
 * variables are held as they are, everything else weakly. In the table a root's number is written as {@code -2 - number} in place of a parent.
 */
final class RootHolders {
    private static final int ENCODING = -2;

    private final PermanentClasses permanent;
    private Object[] holders = new Object[64];
    private int size;

    private static final class Weak extends WeakReference<Object> {
        Weak(Object referent) {
            super(referent);
        }
    }

    RootHolders(PermanentClasses permanent) {
        this.permanent = permanent;
    }

    /** Adds a holder and returns what stands for it in the parent column. */
    int add(Object holder) {
        if (size == holders.length) {
            holders = Arrays.copyOf(holders, size * 2);
        }
        holders[size] = holder instanceof StackLocal || holder instanceof Class<?> type && permanent.contains(type) ? holder : new Weak(holder);
        return ENCODING - size++;
    }

    /** The holder, or null if it is gone. */
    Object get(int encoded) {
        Object holder = holders[ENCODING - encoded];
        return holder instanceof Weak weak ? weak.get() : holder;
    }

    static boolean encodes(int parent) {
        return parent <= ENCODING;
    }
}
