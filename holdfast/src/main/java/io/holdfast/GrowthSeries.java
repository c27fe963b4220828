package io.holdfast;

import java.util.Arrays;

/*
 * What separates a leak from a cache that fills
 *
 * Both grow, and over ten seconds nothing tells them apart. A leak keeps growing: cut the time it has been watched into quarters and each
 * quarter lies above the one before, the last as well as the first. A cache that has filled stops, so its last quarters are level; a batch
 * that is flushed falls. The test below asks for exactly that, and for a rise that stands out of the noise (objects in use come and go).
 * What it cannot tell apart is a cache that is still filling when the time is over: hence the shortest span, and LeakLedger's burn-in.
 */
/**
 * Sizes of one container over time. Keeps at most {@value #CAPACITY} points, evenly thinned as time goes on, so that it always spans the
 * whole history. Not thread-safe.
 */
final class GrowthSeries {
    static final int CAPACITY = 128;
    /** Points needed for a verdict. */
    static final int MIN_POINTS = 8;
    /** Elements a container must gain before it is called growing. */
    static final double MIN_RISE = 8;
    /** The rise must be this many times the scatter around the fitted line. */
    static final double MIN_RISE_TO_SCATTER = 3;
    /**
     * And the slope this many times its standard error, which for n points at equal distances is √(12/n) of the scatter over the whole span. With few
     * points that is the stricter of the two: many containers are looked at each second, and noise must not rise by chance in one of them.
     */
    static final double MIN_SLOPE_TO_ERROR = 6;
    /** The newest quarter must keep at least this share of the mean rate. */
    static final double MIN_RECENT_RATE = 0.3;

    /**
     * The whole rise must be this many times what steps of such a scatter add up to by chance (a t-test of the mean step). The series is looked at every
     * second and there are many of them, so chance has many tries.
     */
    static final double MIN_STEP_TO_ERROR = 5;
    /** Readings between two of which a step is measured, at the most. */
    private static final int MAX_LAG = 4;
    /** Shortest time after which a container is said to have stopped growing. */
    static final long LEVEL_NANOS = 12_000_000_000L;
    /** Share of the mean rate below which it has stopped. */
    static final double MAX_LEVEL_RATE = 0.1;

    private final long[] nanos = new long[CAPACITY];
    private final double[] elements = new double[CAPACITY];
    private int size;
    private int stride = 1;
    private int skipped;
    private long lastElements = -1;

    /** Adds a reading; time must not run backwards. */
    void add(long nowNanos, long count) {
        lastElements = count;
        if (++skipped < stride && size > 0) {
            return;
        }
        skipped = 0;
        if (size == CAPACITY) {
            for (int i = 0; i < CAPACITY / 2; i++) {
                nanos[i] = nanos[2 * i];
                elements[i] = elements[2 * i];
            }
            size = CAPACITY / 2;
            stride *= 2;
        }
        nanos[size] = nowNanos;
        elements[size++] = count;
    }

    /** The newest reading, -1 before the first. */
    long last() {
        return lastElements;
    }

    /** Elements gained since the first reading kept. */
    long gained() {
        return size == 0 ? 0 : lastElements - (long) elements[0];
    }

    /** Nanoseconds between the first and the last point kept. */
    long spanNanos() {
        return size < 2 ? 0 : nanos[size - 1] - nanos[0];
    }

    int points() {
        return size;
    }

    /** Rate of the line fitted through all points, in elements per hour; 0 with fewer than two points. */
    double perHour() {
        return slope(0, size) * 3.6e12;
    }

    /**
     * Whether chance alone could have brought it there. A registry at rest, with as many logging in as out, is no noise around a level but a random walk,
     * and that rises for a minute as often as not. What tells a leak is that its steps are alike: their mean must stand out of their own scatter.
     */
    private boolean wandersThere() {
        // Objects in use that come and go are noise around the line, which does not add up: over several steps it weighs less than in one.
        int lag = Math.max(1, Math.min(MAX_LAG, size / 8));
        double rate = (elements[size - 1] - elements[0]) / (nanos[size - 1] - nanos[0]);
        double squares = 0;
        for (int i = lag; i < size; i++) {
            double step = elements[i] - elements[i - lag] - rate * (nanos[i] - nanos[i - lag]);
            squares += step * step;
        }
        int steps = size - lag;
        double perStep = squares / steps / lag;
        double error = Math.sqrt(perStep * (size - 1) * steps / Math.max(1, steps - 1));
        return elements[size - 1] - elements[0] < MIN_STEP_TO_ERROR * error;
    }

    /** Whether the container has grown all the time, to the end. */
    boolean growsSteadily() {
        if (size < MIN_POINTS) {
            return false;
        }
        double slope = slope(0, size);
        double rise = slope * spanNanos();
        double bar = Math.max(MIN_RISE_TO_SCATTER, MIN_SLOPE_TO_ERROR * Math.sqrt(12.0 / size));
        if (rise < MIN_RISE || rise < bar * scatter(slope) || wandersThere()) {
            return false;
        }
        double before = median(0, size / 4);
        for (int quarter = 1; quarter < 4; quarter++) {
            int from = quarter * size / 4;
            int to = (quarter + 1) * size / 4;
            double median = median(from, to);
            if (median <= before) {
                return false;
            }
            before = median;
        }
        return slope(3 * size / 4 - 1, size) >= MIN_RECENT_RATE * slope;
    }

    /**
     * Whether it has stopped growing: the newest points, over {@link #LEVEL_NANOS} at least, have risen by next to nothing of what the whole history
     * would let expect. Never while it {@linkplain #growsSteadily grows steadily}.
     */
    boolean level() {
        if (size < MIN_POINTS || growsSteadily()) {
            return false;
        }
        int from = size - MIN_POINTS;
        while (from > 0 && nanos[size - 1] - nanos[from] < LEVEL_NANOS) {
            from--;
        }
        return slope(from, size) <= MAX_LEVEL_RATE * slope(0, size) || slope(0, size) <= 0;
    }

    private double slope(int from, int to) {
        int n = to - from;
        if (n < 2) {
            return 0;
        }
        double meanX = 0;
        double meanY = 0;
        for (int i = from; i < to; i++) {
            meanX += nanos[i] - nanos[from];
            meanY += elements[i];
        }
        meanX /= n;
        meanY /= n;
        double covariance = 0;
        double variance = 0;
        for (int i = from; i < to; i++) {
            double dx = nanos[i] - nanos[from] - meanX;
            covariance += dx * (elements[i] - meanY);
            variance += dx * dx;
        }
        return variance == 0 ? 0 : covariance / variance;
    }

    private double scatter(double slope) {
        double meanX = 0;
        double meanY = 0;
        for (int i = 0; i < size; i++) {
            meanX += nanos[i] - nanos[0];
            meanY += elements[i];
        }
        meanX /= size;
        meanY /= size;
        double squares = 0;
        for (int i = 0; i < size; i++) {
            double residual = elements[i] - meanY - slope * (nanos[i] - nanos[0] - meanX);
            squares += residual * residual;
        }
        return Math.sqrt(squares / size);
    }

    private double median(int from, int to) {
        double[] part = Arrays.copyOfRange(elements, from, to);
        Arrays.sort(part);
        return part[part.length / 2];
    }

    @Override
    public String toString() {
        return last() + " elements, +" + gained() + " in " + spanNanos() / 1_000_000_000L + " s" + (growsSteadily() ? ", grows steadily" : "");
    }
}
