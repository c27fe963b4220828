package io.holdfast.benchmarks;

/** Objects of four classes, as an application has many. Outside of Holdfast's own packages, which are not walked. */
public class MeasuredPart {
    final Object next;

    private MeasuredPart(Object next) {
        this.next = next;
    }

    private static final class Second extends MeasuredPart {
        Second(Object next) {
            super(next);
        }
    }

    private static final class Third extends MeasuredPart {
        Third(Object next) {
            super(next);
        }
    }

    private static final class Fourth extends MeasuredPart {
        Fourth(Object next) {
            super(next);
        }
    }

    /** The {@code i}-th object. */
    public static Object next(int i, Object next) {
        return switch (i & 3) {
            case 0 -> new MeasuredPart(next);
            case 1 -> new Second(next);
            case 2 -> new Third(next);
            default -> new Fourth(next);
        };
    }
}
