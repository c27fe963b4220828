package io.holdfast.jfr;

import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/*
 * Which frame of a sampled stack owns the allocating instruction
 *
 * Almost always the top one. The exceptions are few and were counted in real programs (up to a third of the samples where cloning dominates):
 * native methods have no instructions, so for clone and reflective arrays it is the call in the next frame; objects made without a `new`
 * (reflective constructors, lambda captures) are made in frames the user never sees, so it is the first ordinary frame below these, whose
 * invoke or invokedynamic yields the object. All other native allocation (backtraces, class definition, reflection data) belongs to the VM and
 * to no instruction.
 */

/** Finds the frame whose instruction allocates. Pure; looks at no more frames than it must. */
final class AllocatingFrame {
    /** Frames of reflection or method-handle machinery that may lie over the caller. Deeper ones are given up. */
    static final int MAX_FRAMES = 32;

    private static final Set<String> NATIVE_COPIES = Set.of("java.lang.Object.clone", "java.lang.reflect.Array.newArray",
            "java.lang.reflect.Array.multiNewArray");
    private static final Set<String> NATIVE_CONSTRUCTIONS = Set.of("jdk.internal.misc.Unsafe.allocateInstance", "sun.misc.Unsafe.allocateInstance",
            "jdk.internal.reflect.NativeConstructorAccessorImpl.newInstance0",
            "jdk.internal.reflect.DirectConstructorHandleAccessor$NativeAccessor.newInstance0");

    private AllocatingFrame() { }

    /**
     * The frame that owns the allocation, or empty when no instruction does.
     *
     * @param depth  frames of the stack
     * @param frames the frames, innermost at 0
     */
    static Optional<Frame> find(int depth, IntFunction<Frame> frames) {
        if (depth == 0) {
            return Optional.empty();
        }
        Frame top = frames.apply(0);
        if (top.nativeMethod()) {
            String method = top.className() + "." + top.methodName();
            if (NATIVE_COPIES.contains(method)) {
                return depth > 1 ? Optional.of(frames.apply(1)).filter(AllocatingFrame::hasInstruction) : Optional.empty();
            }
            return NATIVE_CONSTRUCTIONS.contains(method) ? firstOrdinary(depth, frames) : Optional.empty();
        }
        return makesObjectsForOthers(top) ? firstOrdinary(depth, frames) : Optional.of(top).filter(AllocatingFrame::hasInstruction);
    }

    private static Optional<Frame> firstOrdinary(int depth, IntFunction<Frame> frames) {
        for (int i = 1; i < Math.min(depth, MAX_FRAMES); i++) {
            Frame frame = frames.apply(i);
            if (!frame.nativeMethod() && !makesObjectsForOthers(frame) && !isReflection(frame)) {
                return Optional.of(frame).filter(AllocatingFrame::hasInstruction);
            }
        }
        return Optional.empty();
    }

    private static boolean hasInstruction(Frame frame) {
        return !frame.nativeMethod() && !frame.hidden() && frame.bytecodeIndex() >= 0;
    }

    /** Code that is generated, or that allocates instances of classes it does not name. */
    private static boolean makesObjectsForOthers(Frame frame) {
        return frame.hidden() || isHiddenName(frame.className()) || frame.className().startsWith("java.lang.invoke.LambdaForm")
                || frame.className().startsWith("java.lang.invoke.DirectMethodHandle")
                || frame.className().startsWith("jdk.internal.reflect.GeneratedConstructorAccessor")
                || frame.className().startsWith("jdk.internal.reflect.GeneratedMethodAccessor");
    }

    private static boolean isReflection(Frame frame) {
        return frame.className().startsWith("java.lang.invoke.") || frame.className().startsWith("java.lang.reflect.")
                || frame.className().startsWith("jdk.internal.reflect.") || frame.className().equals("jdk.internal.misc.Unsafe")
                || frame.className().equals("sun.misc.Unsafe");
    }

    /** Hidden classes carry an address: {@code X$$Lambda/0x…}, {@code +0x…} or {@code .0x…} by JDK and by who prints it. */
    private static boolean isHiddenName(String className) {
        int address = className.lastIndexOf("0x");
        return address > 0 && "/+.".indexOf(className.charAt(address - 1)) >= 0;
    }
}
