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
    /** Samples that a site may still become: what its tokens are set to when a hit is given back. */
    private final int[] due;
    private final VarHandle sink;
    private final AtomicIntegerArray inside;

    private final long[] left;
    private final long[] sizes;
    private final VarHandle interval;

    AllocationHook(HookMethod method, int[] tokens, VarHandle sink, AtomicIntegerArray inside) {
        this(method, tokens, sink, inside, null, null, null);
    }

    /** The last three belong to the interval lane; null where it does not exist. */
    AllocationHook(HookMethod method, int[] tokens, VarHandle sink, AtomicIntegerArray inside, long[] left, long[] sizes, VarHandle interval) {
        this.method = Objects.requireNonNull(method, "method");
        this.tokens = Objects.requireNonNull(tokens, "tokens");
        this.due = new int[tokens.length];
        this.sink = Objects.requireNonNull(sink, "sink");
        this.inside = Objects.requireNonNull(inside, "inside");
        this.left = left;
        this.sizes = sizes;
        this.interval = interval;
    }

    /**
     * Finds the hook class, or defines it.
     *
     * @throws IllegalStateException when this JVM does not allow it
     */
    static AllocationHook define(MethodHandles.Lookup trusted) {
        try {
            MethodHandles.Lookup lookup = trusted.in(Object.class);
            Class<?> hook = findOrDefine(trusted, lookup);
            MethodHandles.Lookup inside = lookup.in(hook);
            return new AllocationHook(new HookMethod(HookBytecode.INTERNAL_NAME, HookBytecode.HIT),
                    (int[]) inside.findStaticVarHandle(hook, HookBytecode.TOKENS, int[].class).get(),
                    inside.findStaticVarHandle(hook, HookBytecode.SINK, ObjLongConsumer.class),
                    (AtomicIntegerArray) inside.findStaticVarHandle(hook, HookBytecode.INSIDE, AtomicIntegerArray.class).get(),
                    (long[]) inside.findStaticVarHandle(hook, HookBytecode.LEFT, long[].class).get(),
                    (long[]) inside.findStaticVarHandle(hook, HookBytecode.SIZES, long[].class).get(),
                    inside.findStaticVarHandle(hook, HookBytecode.INTERVAL, ObjLongConsumer.class));
        } catch (ReflectiveOperationException | LinkageError | RuntimeException e) {
            throw new IllegalStateException("The allocation hook cannot be defined in this JVM: " + e, e);
        }
    }

    private static Class<?> findOrDefine(MethodHandles.Lookup trusted, MethodHandles.Lookup lookup) throws ReflectiveOperationException {
        try {
            return Class.forName(HookBytecode.INTERNAL_NAME.replace('/', '.'), true, null);
        } catch (ClassNotFoundException absent) {
            Class<?> hook = lookup.defineClass(HookBytecode.write(Runtime.version().feature(), arrayBase(trusted)));
            lookup.ensureInitialized(hook);
            return hook;
        }
    }

    /** Where the elements of a byte[] begin. The constant was an {@code int} in older releases and is a {@code long} in newer ones. */
    private static long arrayBase(MethodHandles.Lookup trusted) throws ReflectiveOperationException {
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe", false, null);
        try {
            return (int) trusted.in(unsafe).findStaticVarHandle(unsafe, "ARRAY_BYTE_BASE_OFFSET", int.class).get();
        } catch (NoSuchFieldException newer) {
            return (long) trusted.in(unsafe).findStaticVarHandle(unsafe, "ARRAY_BYTE_BASE_OFFSET", long.class).get();
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
            Arrays.fill(due, 0);
            Arrays.fill(tokens, 0);
            freeSlots();
        }
    }

    boolean hasInterval() {
        return interval != null;
    }

    long[] left() {
        return left;
    }

    long[] sizes() {
        return sizes;
    }

    /** Sends what the interval lane finds to the sink. Only for whom {@link #open} succeeded. */
    void openInterval(ObjLongConsumer<Object> to) {
        interval.setVolatile((ObjLongConsumer<?>) to);
    }

    void closeInterval() {
        if (interval != null) {
            interval.setVolatile((ObjLongConsumer<?>) null);
            Arrays.fill(left, IntervalGaps.NEVER);
        }
    }

    void grant(int siteId, int amount) {
        due[siteId] = amount;
        tokens[siteId] = amount;
    }

    /**
     * Takes a hit back. Many threads do so at once, and a decrement of the hook that is lost would be one token more each time if this one added one: so it
     * restores what is due, which changes at samples only. Races with those may lose one or give one too many.
     */
    void giveBack(int siteId) {
        tokens[siteId] = due[siteId];
    }

    /** A hit becomes a sample. */
    void take(int siteId) {
        due[siteId]--;
    }

    /** A thread that ran out of stack at the worst moment may have left its slot taken for ever. */
    void freeSlots() {
        for (int slot = 0; slot < inside.length(); slot++) {
            inside.setOpaque(slot, 0);
        }
    }
}
