package io.holdfast.agent;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Numbers of the classes whose sizes the interval lane knows by heart. By name alone: classes of one name in two loaders share a countdown's step (what
 * a callback is told is measured on the object itself). Holds names only. Any thread.
 */
final class ShapeTable {
    /** All numbers are taken: such objects are measured one by one. */
    static final int NONE = -1;

    private final ConcurrentHashMap<String, Integer> shapes = new ConcurrentHashMap<>();
    private final AtomicInteger next = new AtomicInteger();
    private final int referenceShift;

    /** @param referenceShift binary logarithm of the width of a reference in an array */
    ShapeTable(int referenceShift) {
        this.referenceShift = referenceShift;
    }

    /** The code of an instruction, see {@link IntervalCode}. */
    int code(AllocationInstruction instruction, int siteId) {
        int kind = instruction.intervalKind();
        return switch (kind) {
            case IntervalCode.ARRAY -> IntervalCode.of(kind, elementShift(instruction.type()), siteId);
            case IntervalCode.OBJECT -> {
                int shape = shapeOf(instruction.type());
                yield shape == NONE ? IntervalCode.of(IntervalCode.MEASURED, 0, siteId) : IntervalCode.of(kind, shape, siteId);
            }
            default -> IntervalCode.of(kind, 0, siteId);
        };
    }

    private int shapeOf(String className) {
        Integer known = shapes.get(className);
        if (known != null) {
            return known;
        }
        if (next.get() >= IntervalCode.MAX_SHAPES) {
            return NONE;
        }
        return shapes.computeIfAbsent(className, name -> {
            int shape = next.getAndIncrement();
            return shape < IntervalCode.MAX_SHAPES ? shape : NONE;
        });
    }

    private int elementShift(String arrayType) {
        return switch (arrayType) {
            case "boolean[]", "byte[]" -> 0;
            case "char[]", "short[]" -> 1;
            case "int[]", "float[]" -> 2;
            case "long[]", "double[]" -> 3;
            default -> referenceShift;
        };
    }
}
