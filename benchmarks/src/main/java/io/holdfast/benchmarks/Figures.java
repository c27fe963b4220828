package io.holdfast.benchmarks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Repeated measurements of one thing, shown as median with the smallest and the largest. */
final class Figures {
    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    double median() {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length == 0 ? Double.NaN : sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }

    /** {@code median (smallest–largest)}. */
    String text(int decimals) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        String one = "%." + decimals + "f";
        return sorted.length == 0 ? "-" : String.format(Locale.ROOT, one + " (" + one + "–" + one + ")", median(), sorted[0], sorted[sorted.length - 1]);
    }

    @Override
    public String toString() {
        return Arrays.toString(values.toArray());
    }
}
