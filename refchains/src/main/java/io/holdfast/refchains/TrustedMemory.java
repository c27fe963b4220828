package io.holdfast.refchains;

import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;

/**
 * Reads through {@code jdk.internal.misc.Unsafe}. The compiler turns a read into one instruction only if the method handles are constants, that is
 * static finals. So that they are no static state of ours, this class is never used itself: {@link #spin} defines a hidden copy of it, whose
 * constants come from its class data and which is unloaded with its only instance.
 */
final class TrustedMemory implements HeapMemory {
    private static final MethodHandle REFERENCE;
    private static final MethodHandle INT;
    private static final MethodHandle LONG;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            REFERENCE = MethodHandles.classDataAt(lookup, "_", MethodHandle.class, 0);
            INT = MethodHandles.classDataAt(lookup, "_", MethodHandle.class, 1);
            LONG = MethodHandles.classDataAt(lookup, "_", MethodHandle.class, 2);
        } catch (IllegalAccessException impossible) {
            throw new ExceptionInInitializerError(impossible);
        }
    }

    TrustedMemory() { }

    /** {@code unsafe} is an instance of {@code jdk.internal.misc.Unsafe}. */
    static HeapMemory spin(MethodHandles.Lookup trusted, Object unsafe) throws ReflectiveOperationException, IOException {
        List<MethodHandle> handles = List.of(read(trusted, unsafe, "getReference", Object.class), read(trusted, unsafe, "getInt", int.class),
                read(trusted, unsafe, "getLong", long.class));
        String resource = TrustedMemory.class.getSimpleName() + ".class";
        byte[] bytes;
        try (InputStream in = TrustedMemory.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IOException(resource + " is missing");
            }
            bytes = in.readAllBytes();
        }
        MethodHandles.Lookup hidden = MethodHandles.lookup().defineHiddenClassWithClassData(bytes, handles, true);
        try {
            return (HeapMemory) hidden.findConstructor(hidden.lookupClass(), MethodType.methodType(void.class)).invoke();
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable failed) {
            throw new ReflectiveOperationException(failed);
        }
    }

    private static MethodHandle read(MethodHandles.Lookup trusted, Object unsafe, String method, Class<?> type) throws ReflectiveOperationException {
        return trusted.findVirtual(unsafe.getClass(), method, MethodType.methodType(type, Object.class, long.class)).bindTo(unsafe);
    }

    @Override
    public Object reference(Object base, long offset) {
        try {
            return (Object) REFERENCE.invokeExact(base, offset);
        } catch (Throwable failed) {
            throw VmInternals.unexpected(failed);
        }
    }

    @Override
    public int intAt(Object base, long offset) {
        try {
            return (int) INT.invokeExact(base, offset);
        } catch (Throwable failed) {
            throw VmInternals.unexpected(failed);
        }
    }

    @Override
    public long longAt(Object base, long offset) {
        try {
            return (long) LONG.invokeExact(base, offset);
        } catch (Throwable failed) {
            throw VmInternals.unexpected(failed);
        }
    }
}
