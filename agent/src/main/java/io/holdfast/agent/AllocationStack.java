package io.holdfast.agent;

import java.util.Arrays;

/**
 * The stack of an allocation, undecoded until asked for. Holds the classes of its frames until then. The hook's own frames are not part of it.
 */
final class AllocationStack extends Throwable {
    private static final long serialVersionUID = 1L;

    AllocationStack() {
        super(null, null, false, true);
    }

    @Override
    public StackTraceElement[] getStackTrace() {
        StackTraceElement[] frames = super.getStackTrace();
        int first = 0;
        while (first < frames.length && ofTheHook(frames[first].getClassName())) {
            first++;
        }
        return first == 0 ? frames : Arrays.copyOfRange(frames, first, frames.length);
    }

    private static boolean ofTheHook(String className) {
        return className.equals(SampleMaker.class.getName()) || className.equals(IntervalLane.class.getName())
                || className.equals(HookBytecode.INTERNAL_NAME.replace('/', '.'));
    }
}
