package io.holdfast.agent;

import io.holdfast.core.ClassNames;

/**
 * An instruction that makes an object, as found in the bytes handed to us.
 *
 * @param index      its bytecode index
 * @param completion index of the instruction after which the finished object is on top of the stack; -1 when there is none (a {@code new} that is
 *                   not followed by {@code dup})
 * @param kind       how it makes the object
 * @param type       class made, in the form of {@link ClassNames#of}; empty for calls, whose result is only known at run time
 * @param line       line number, or -1
 * @param alwaysNew  whether what is there after it was made by it, and by no other instruction that carries a hook. False for calls that only may
 *                   allocate, or whose allocation happens at an instruction of the callee
 */
record AllocationInstruction(int index, int completion, Kind kind, String type, int line, boolean alwaysNew) {
    static final int NEVER = -1;

    enum Kind {
        /** {@code new}, {@code newarray}, {@code anewarray}. */
        EXACT,
        /** {@code multianewarray}: makes its component arrays too, which the scout reports at the same index. */
        NESTED_ARRAYS,
        /** A call that the compiler replaces by an allocation: {@code clone}, {@code Arrays.copyOf} and the like. */
        CALL,
        /** {@code invokedynamic}: a lambda that captures. */
        CAPTURE
    }

    /** Whether the instruction, met at its exact index, can have made an object of that class. */
    boolean mayMake(String allocatedClass) {
        return switch (kind) {
            case EXACT -> type.equals(allocatedClass);
            case NESTED_ARRAYS -> type.startsWith(allocatedClass) && allocatedClass.endsWith("[]");
            case CALL -> true;
            case CAPTURE -> allocatedClass.contains("$$Lambda");
        };
    }

    /** Whether the instruction certainly makes objects of that class, wherever in the method it stands. */
    boolean makes(String allocatedClass) {
        return kind != Kind.CALL && kind != Kind.CAPTURE && type.equals(allocatedClass);
    }

    /** How the interval lane counts it; one of the kinds of {@link IntervalCode}. */
    int intervalKind() {
        return switch (kind) {
            case NESTED_ARRAYS -> IntervalCode.NESTED;
            case CALL, CAPTURE -> IntervalCode.MEASURED;
            case EXACT -> type.endsWith("[]") ? IntervalCode.ARRAY : IntervalCode.OBJECT;
        };
    }

    boolean supported() {
        return completion != NEVER;
    }
}
