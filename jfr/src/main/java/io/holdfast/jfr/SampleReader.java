package io.holdfast.jfr;

import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.ScoutedAllocation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;

/** Turns one {@code jdk.ObjectAllocationSample} into a {@link ScoutedAllocation}. Runs on the stream's thread; never throws. */
final class SampleReader implements Consumer<RecordedEvent> {
    private static final String OWN_PACKAGE = "io.holdfast.";
    private static final String EXAMPLES_PACKAGE = "io.holdfast.examples.";

    private final Consumer<ScoutedAllocation> consumer;
    private final VolumeEstimator volumes;
    private final LongAdder seen;
    private final LongAdder ownThread;
    private final LongAdder ownCode;
    private final LongAdder noInstruction;
    private final LongAdder noStack;
    private final LongAdder faults;

    SampleReader(Consumer<ScoutedAllocation> consumer, VolumeEstimator volumes, Counters counters) {
        this.consumer = consumer;
        this.volumes = volumes;
        seen = counters.counter("jfr.scout.samples");
        ownThread = counters.counter("jfr.scout.skipped.ownthread");
        ownCode = counters.counter("jfr.scout.skipped.owncode");
        noInstruction = counters.counter("jfr.scout.skipped.noinstruction");
        noStack = counters.counter("jfr.scout.skipped.nostack");
        faults = counters.counter("jfr.scout.faults");
    }

    @Override
    public void accept(RecordedEvent event) {
        try {
            seen.increment();
            read(event);
        } catch (Throwable e) {
            // On Flight Recorder's thread: it would print the stack to the user's console, or end the stream.
            faults.increment();
        }
    }

    private void read(RecordedEvent event) {
        RecordedThread thread = event.getThread();
        String threadName = thread == null ? null : thread.getJavaName();
        if (isOwnThread(threadName)) {
            ownThread.increment();
            return;
        }
        RecordedStackTrace stack = event.getStackTrace();
        RecordedClass allocated = event.getClass("objectClass");
        if (stack == null || allocated == null) {
            noStack.increment();
            return;
        }
        List<RecordedFrame> frames = stack.getFrames();
        Optional<Frame> found = AllocatingFrame.find(frames.size(), i -> frame(frames.get(i)));
        if (found.isPresent() && isOwnCode(found.get().className()) || calledByOwnCode(frames)) {
            ownCode.increment();
            return;
        }
        String className = ClassNames.fromDescriptor(allocated.getName());
        long weight = event.getLong("weight");
        volumes.add(className, found.orElse(null), threadName, weight);
        if (found.isEmpty()) {
            noInstruction.increment();
            return;
        }
        Frame site = found.get();
        consumer.accept(new ScoutedAllocation(site.className(), site.methodName(), site.descriptor(), site.bytecodeIndex(), site.line(),
                className, weight));
    }

    /** Whether the innermost code that is not the JDK's is ours: what the JDK allocates for us is of no interest either. */
    private static boolean calledByOwnCode(List<RecordedFrame> frames) {
        for (RecordedFrame frame : frames) {
            String name = frame.getMethod().getType().getName();
            if (!name.startsWith("java.") && !name.startsWith("jdk.") && !name.startsWith("sun.")) {
                return isOwnCode(name);
            }
        }
        return false;
    }

    private static Frame frame(RecordedFrame frame) {
        RecordedMethod method = frame.getMethod();
        return new Frame(method.getType().getName(), method.getName(), method.getDescriptor(), frame.getBytecodeIndex(), frame.getLineNumber(),
                "Native".equals(frame.getType()), method.isHidden());
    }

    static boolean isOwnCode(String className) {
        return className.startsWith(OWN_PACKAGE) && !className.startsWith(EXAMPLES_PACKAGE);
    }

    /** Threads of Holdfast and of Flight Recorder. */
    static boolean isOwnThread(String name) {
        return name != null && (name.equals("holdfast") || name.equals(StartThread.NAME) || name.startsWith("JFR "));
    }
}
