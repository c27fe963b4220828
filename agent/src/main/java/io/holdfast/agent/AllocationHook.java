package io.holdfast.agent;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.ObjLongConsumer;

/**
 * The hook class of this JVM, from our side. It is defined once and stays until the JVM ends (its loader is the boot loader), so a later start
 * finds and uses it again. Closed, it refers to nothing of ours.
 */
final class AllocationHook {
    private final HookMethod method;
    private final int[] tokens;
    private final VarHandle sink;
    private final AtomicIntegerArray inside;

    AllocationHook(HookMethod method, int[] tokens, VarHandle sink, AtomicIntegerArray inside) {
        this.method = Objects.requireNonNull(method, "method");
        this.tokens = Objects.requireNonNull(tokens, "tokens");
        this.sink = Objects.requireNonNull(sink, "sink");
        this.inside = Objects.requireNonNull(inside, "inside");
    }

    /**
     * Finds the hook class, or defines it.
     *
     * @throws IllegalStateException when this JVM does not allow it
     */
    static AllocationHook define(MethodHandles.Lookup trusted) {
        try {
            MethodHandles.Lookup lookup = trusted.in(Object.class);
            Class<?> hook = findOrDefine(lookup);
            MethodHandles.Lookup inside = lookup.in(hook);
            return new AllocationHook(new HookMethod(HookBytecode.INTERNAL_NAME, HookBytecode.HIT),
                    (int[]) inside.findStaticVarHandle(hook, HookBytecode.TOKENS, int[].class).get(),
                    inside.findStaticVarHandle(hook, HookBytecode.SINK, ObjLongConsumer.class),
                    (AtomicIntegerArray) inside.findStaticVarHandle(hook, HookBytecode.INSIDE, AtomicIntegerArray.class).get());
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            throw new IllegalStateException("The allocation hook cannot be defined in this JVM: " + e, e);
        }
    }

    private static Class<?> findOrDefine(MethodHandles.Lookup lookup) throws IllegalAccessException {
        try {
            return Class.forName(HookBytecode.INTERNAL_NAME.replace('/', '.'), true, null);
        } catch (ClassNotFoundException absent) {
            Class<?> hook = lookup.defineClass(HookBytecode.write(Runtime.version().feature()));
            lookup.ensureInitialized(hook);
            return hook;
        }
    }

    HookMethod method() {
        return method;
    }

    int maxSites() {
        return tokens.length;
    }

    /** Sends what is hit to the sink. False when the hook already belongs to another Holdfast of this JVM. */
    boolean open(ObjLongConsumer<Object> to) {
        return sink.compareAndSet((ObjLongConsumer<?>) null, (ObjLongConsumer<?>) to);
    }

    /** Lets go of the sink, and of all tokens. A hit that is under way ends by itself. */
    void close(ObjLongConsumer<Object> from) {
        if (sink.compareAndSet((ObjLongConsumer<?>) from, (ObjLongConsumer<?>) null)) {
            Arrays.fill(tokens, 0);
            freeSlots();
        }
    }

    void grant(int siteId, int amount) {
        tokens[siteId] = amount;
    }

    /** Takes a hit back. Races with other hits, and may lose one or give one too many. */
    void giveBack(int siteId) {
        tokens[siteId]++;
    }

    /** A thread that ran out of stack at the worst moment may have left its slot taken for ever. */
    void freeSlots() {
        for (int slot = 0; slot < inside.length(); slot++) {
            inside.setOpaque(slot, 0);
        }
    }
}
