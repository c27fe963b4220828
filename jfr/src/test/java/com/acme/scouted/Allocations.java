package com.acme.scouted;

import java.lang.reflect.Constructor;
import java.util.function.Supplier;

/** One method for each way to allocate; bytecode indices are fixed by what the methods say and nothing else. */
public final class Allocations {
    private static final int[] ORIGINAL = new int[2_000];
    private static final Constructor<Marker> CONSTRUCTOR = constructor();
    /** Keeps the compiler from removing the allocations. */
    private static volatile Object sink;

    private Allocations() { }

    /** {@code new} at 0. */
    public static Object object() {
        return new Marker();
    }

    /** {@code newarray} at 3. */
    public static Object primitives() {
        return new int[2_000];
    }

    /** {@code anewarray} at 3. */
    public static Object references() {
        return new String[2_000];
    }

    /** {@code multianewarray} at 6; rows are made by the same instruction. */
    public static Object rectangle() {
        return new short[200][1_000];
    }

    /** {@code invokedynamic} at 1. */
    public static Supplier<Object> capture(Object captured) {
        return () -> captured;
    }

    /** {@code invokevirtual} of {@code clone} at 3. */
    public static Object copy() {
        return ORIGINAL.clone();
    }

    /** {@code invokevirtual} of {@code newInstance} at 7. */
    public static Object reflective() throws ReflectiveOperationException {
        return CONSTRUCTOR.newInstance();
    }

    /** Every kind, with some hundred kilobytes each: the sampler goes by bytes. */
    public static void all() throws ReflectiveOperationException {
        for (int i = 0; i < 20_000; i++) {
            sink = object();
            sink = capture(sink);
            sink = reflective();
            if (i % 400 == 0) {
                sink = primitives();
                sink = references();
                sink = copy();
            }
        }
        sink = rectangle();
    }

    public static void ownThread() {
        for (int i = 0; i < 10_000; i++) {
            sink = new OwnThreadMarker();
        }
    }

    private static Constructor<Marker> constructor() {
        try {
            return Marker.class.getConstructor();
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
