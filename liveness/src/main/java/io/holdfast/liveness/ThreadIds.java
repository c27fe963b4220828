package io.holdfast.liveness;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Ids of threads, without running code of the program: up to JDK 18 {@code Thread.getId} may be overridden. */
final class ThreadIds {
    /** {@code Thread.threadId}, which is final; null before JDK 19. */
    private static final MethodHandle THREAD_ID = threadId();

    private ThreadIds() { }

    /**
     * Id of a thread. Where its class could have replaced {@code getId}, a negative number that belongs to the thread as its identity hash does; such
     * numbers may coincide, and then two threads look like one.
     */
    static long of(Thread thread) {
        if (THREAD_ID != null) {
            try {
                return (long) THREAD_ID.invokeExact(thread);
            } catch (Throwable impossible) {
                return pseudoId(thread);
            }
        }
        return thread.getClass().getClassLoader() == null ? thread.getId() : pseudoId(thread);
    }

    /** Of a thread whose class is not to be asked. */
    static long pseudoId(Thread thread) {
        return -1L - System.identityHashCode(thread);
    }

    private static MethodHandle threadId() {
        try {
            return MethodHandles.publicLookup().findVirtual(Thread.class, "threadId", MethodType.methodType(long.class));
        } catch (ReflectiveOperationException older) {
            return null;
        }
    }
}
