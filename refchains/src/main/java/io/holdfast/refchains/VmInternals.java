package io.holdfast.refchains;

import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * The few methods of the JDK that need a trusted lookup, bound once. None of them runs application code, except where noted. An object of this class
 * can read everything: it stays inside this package.
 */
final class VmInternals implements LoadedClassLookup {
    private static final String UNSAFE = "jdk.internal.misc.Unsafe";
    private static final Field[] NO_FIELDS = {};

    private final HeapMemory memory;
    private final MethodHandle declaredFields;
    private final MethodHandle fieldOffset;
    private final MethodHandle namedFieldOffset;
    private final MethodHandle staticFieldOffset;
    private final MethodHandle staticFieldBase;
    private final MethodHandle shouldBeInitialized;
    private final MethodHandle findLoadedClass;
    private final MethodHandle threads;

    /** Throws when this JDK lacks one of the methods: then there is only reflection. */
    VmInternals(MethodHandles.Lookup trusted) throws ReflectiveOperationException, IOException {
        Class<?> type = Class.forName(UNSAFE);
        Object unsafe;
        try {
            unsafe = trusted.findStatic(type, "getUnsafe", MethodType.methodType(type)).invoke();
        } catch (RuntimeException | Error failed) {
            throw failed;
        } catch (Throwable failed) {
            throw new ReflectiveOperationException(failed);
        }
        memory = TrustedMemory.spin(trusted, unsafe);
        fieldOffset = trusted.findVirtual(type, "objectFieldOffset", MethodType.methodType(long.class, Field.class)).bindTo(unsafe);
        namedFieldOffset = trusted.findVirtual(type, "objectFieldOffset", MethodType.methodType(long.class, Class.class, String.class)).bindTo(unsafe);
        staticFieldOffset = trusted.findVirtual(type, "staticFieldOffset", MethodType.methodType(long.class, Field.class)).bindTo(unsafe);
        staticFieldBase = trusted.findVirtual(type, "staticFieldBase", MethodType.methodType(Object.class, Field.class)).bindTo(unsafe);
        shouldBeInitialized = trusted.findVirtual(type, "shouldBeInitialized", MethodType.methodType(boolean.class, Class.class)).bindTo(unsafe);
        declaredFields = trusted.findVirtual(Class.class, "getDeclaredFields0", MethodType.methodType(Field[].class, boolean.class));
        findLoadedClass = trusted.findVirtual(ClassLoader.class, "findLoadedClass0", MethodType.methodType(Class.class, String.class));
        threads = trusted.findStatic(Thread.class, "getThreads", MethodType.methodType(Thread[].class));
    }

    HeapMemory memory() {
        return memory;
    }

    /**
     * All fields the class declares, those that reflection hides included. Makes the loader of the class load the types of its fields: so only for
     * classes for which that runs no application code. Throws a {@link LinkageError} when one of them is missing.
     */
    Field[] declaredFields(Class<?> type) {
        if (type.isArray() || type.isPrimitive()) {
            return NO_FIELDS;
        }
        try {
            return (Field[]) declaredFields.invokeExact(type, false);
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    long offset(Field field) {
        try {
            return (long) fieldOffset.invokeExact(field);
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    /** Offset of a field that exactly this class declares, static or not; -1 if it does not. Loads nothing. */
    long offset(Class<?> type, String field) {
        try {
            return (long) namedFieldOffset.invokeExact(type, field);
        } catch (InternalError absent) {
            return ClassPlan.NO_OFFSET;
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    /** Offset of a static field relative to its {@code Class} object; -1 on a VM that keeps statics elsewhere. */
    long staticOffset(Class<?> type, Field field) {
        try {
            return (Object) staticFieldBase.invokeExact(field) == type ? (long) staticFieldOffset.invokeExact(field) : ClassPlan.NO_OFFSET;
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    /** Whether the class's initialiser has run to its end. */
    boolean initialized(Class<?> type) {
        try {
            return !(boolean) shouldBeInitialized.invokeExact(type);
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    /** Live platform threads. */
    Thread[] threads() {
        try {
            return (Thread[]) threads.invokeExact();
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    @Override
    public Class<?> find(ClassLoader loader, String binaryName) {
        if (loader == null) {
            return LoadedClassLookup.ofBootLoader(binaryName);
        }
        try {
            return (Class<?>) findLoadedClass.invokeExact(loader, binaryName);
        } catch (Throwable failed) {
            throw unexpected(failed);
        }
    }

    /** For what a method handle declares to throw but does not: throws errors, returns the exception. */
    static RuntimeException unexpected(Throwable failed) {
        if (failed instanceof Error error) {
            throw error;
        }
        return failed instanceof RuntimeException exception ? exception : new IllegalStateException(failed);
    }
}
