package io.holdfast.liveness;

import java.util.ArrayList;
import java.util.List;

/** The newest values of a series. */
final class Ring {
    private final int[] values;
    private int next;
    private int fill;

    Ring(int size) {
        values = new int[size];
    }

    void push(int value) {
        values[next] = value;
        next = (next + 1) % values.length;
        fill = Math.min(values.length, fill + 1);
    }

    int fill() {
        return fill;
    }

    /** Value by age, 0 = the oldest kept. */
    int value(int index) {
        return values[Math.floorMod(next - fill + index, values.length)];
    }

    int latest() {
        return fill == 0 ? 0 : value(fill - 1);
    }

    Regression fit() {
        return Regression.fit(fill, this::value);
    }

    /** Oldest first. */
    List<Integer> toList() {
        List<Integer> list = new ArrayList<>(fill);
        for (int i = 0; i < fill; i++) {
            list.add(value(i));
        }
        return list;
    }
}
