package io.holdfast.agent;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.List;

/** One sampled object that is followed until it dies. Keeps neither the object nor its class alive. Immutable but for the object's life. */
public final class SampledAllocation {
    private final Tracked reference;
    private final String className;
    private final long sizeBytes;
    private final double weightBytes;
    private final String threadName;
    private final Instant time;
    private final List<StackTraceElement> stack;

    SampledAllocation(Tracked reference, String className, long sizeBytes, double weightBytes, String threadName, Instant time,
                      List<StackTraceElement> stack) {
        this.reference = reference;
        this.className = className;
        this.sizeBytes = sizeBytes;
        this.weightBytes = weightBytes;
        this.threadName = threadName;
        this.time = time;
        this.stack = stack;
    }

    /** The object, or null when it is dead. Whoever keeps what is returned keeps it alive. */
    public Object get() {
        return reference.get();
    }

    /** Whether the object has not been collected yet. */
    public boolean alive() {
        return !reference.refersTo(null);
    }

    /** Class of the object in source form: {@code com.acme.Outer$Inner}, {@code byte[]}. */
    public String className() {
        return className;
    }

    /** Size of the object itself in bytes. */
    public long sizeBytes() {
        return sizeBytes;
    }

    /** Allocated bytes this sample stands for; see {@link SampledAllocations#weight}. */
    public double weightBytes() {
        return weightBytes;
    }

    /** Name of the allocating thread at that moment. */
    public String threadName() {
        return threadName;
    }

    /** When it was allocated, to some milliseconds. */
    public Instant time() {
        return time;
    }

    /** Where it was allocated, innermost frame first; empty where more samples came at once than are decoded. */
    public List<StackTraceElement> stack() {
        return stack;
    }

    @Override
    public String toString() {
        return className + " " + sizeBytes + " bytes on " + threadName + (stack.isEmpty() ? "" : " at " + stack.get(0));
    }

    /** The weak reference; knows its sample once that is made, so that its death can be told. */
    static final class Tracked extends WeakReference<Object> {
        /** Of the Holdfast thread. */
        SampledAllocation sample;
        int position;

        Tracked(Object object, ReferenceQueue<Object> queue) {
            super(object, queue);
        }
    }
}
