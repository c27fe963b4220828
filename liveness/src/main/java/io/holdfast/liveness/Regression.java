package io.holdfast.liveness;

import java.util.function.IntToDoubleFunction;

/**
 * Line of least squares through values at x = 0, 1, …, n-1.
 *
 * @param earliest the line at the first value
 * @param recent   the line at the last value
 */
record Regression(double earliest, double recent) {
    /** Fits {@code count} values, at least one. Offsets from the first value keep large byte counts exact and a flat series at growth 0. */
    static Regression fit(int count, IntToDoubleFunction value) {
        double middle = (count - 1) / 2.0;
        double base = value.applyAsDouble(0);
        double sum = 0;
        double products = 0;
        double squares = 0;
        for (int x = 0; x < count; x++) {
            double y = value.applyAsDouble(x) - base;
            sum += y;
            products += (x - middle) * y;
            squares += (x - middle) * (x - middle);
        }
        double slope = squares == 0 ? 0 : products / squares;
        double earliest = base + sum / count - slope * middle;
        return new Regression(earliest, earliest + slope * (count - 1));
    }

    /** End minus start of the line. */
    double growth() {
        return recent - earliest;
    }

    /** Whether the line rises by at least that share of its start, and by at least that much. */
    boolean rises(double relative, double absolute) {
        return growth() >= Math.max(relative * earliest, absolute);
    }
}
