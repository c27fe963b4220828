package io.holdfast.agent;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.function.LongSupplier;

/**
 * How long the VM has stopped its threads in all, as it counts itself: retransforming takes this thread much longer than it stops the others. To the
 * millisecond, and with whatever else stopped them meanwhile (a collection). Any thread.
 */
final class StoppedTime {
    /** The VM does not say. */
    static final long UNKNOWN = -1;
    private static final long NANOS_PER_MILLI = 1_000_000L;
    private static final String HELPER = "sun.management.ManagementFactoryHelper";
    private static final String RUNTIME = "sun.management.HotspotRuntimeMBean";

    private final LongSupplier millis;

    StoppedTime(LongSupplier millis) {
        this.millis = millis;
    }

    /** Without {@code java.management}, in another VM, or with {@code -XX:-UsePerfData} it is unknown. */
    static StoppedTime open(MethodHandles.Lookup trusted) {
        try {
            Class<?> bean = Class.forName(RUNTIME, false, null);
            Object runtime = trusted.findStatic(Class.forName(HELPER, false, null), "getHotspotRuntimeMBean", MethodType.methodType(bean)).invoke();
            MethodHandle total = trusted.findVirtual(bean, "getTotalSafepointTime", MethodType.methodType(long.class)).bindTo(runtime);
            return new StoppedTime(() -> read(total));
        } catch (Throwable different) {
            return new StoppedTime(() -> UNKNOWN);
        }
    }

    private static long read(MethodHandle total) {
        try {
            return (long) total.invokeExact();
        } catch (Throwable failed) {
            return UNKNOWN;
        }
    }

    /** Nanoseconds since the VM's start, or {@link #UNKNOWN}. */
    long nanos() {
        long now = millis.getAsLong();
        return now < 0 ? UNKNOWN : now * NANOS_PER_MILLI;
    }

    /** Of the given wall time the part for which threads were stopped since {@code before}; all of it where that is not known. */
    long since(long before, long wallNanos) {
        long now = nanos();
        return before == UNKNOWN || now == UNKNOWN ? wallNanos : Math.max(0, Math.min(wallNanos, now - before));
    }
}
