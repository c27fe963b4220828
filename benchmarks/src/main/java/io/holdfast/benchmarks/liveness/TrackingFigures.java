package io.holdfast.benchmarks.liveness;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.AllocationSite;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.Ticker;
import io.holdfast.liveness.LivenessSettings;
import io.holdfast.liveness.LivenessTracker;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * What liveness tracking costs: inserting a row, a fold of a full table of 262 144 rows and 256 classes, heap per row, telling the context of a sample, and young
 * pauses with a full table and without, by turns in one run. CPU time of the measuring thread unless said otherwise. Run by hand with 2 GB of heap:
 * {@code java -Xmx2g -cp 'benchmarks/target/classes:benchmarks/target/lib/*' io.holdfast.benchmarks.liveness.TrackingFigures}.
 */
public final class TrackingFigures {
    private static final int ROWS = LivenessSettings.MAX_TRACKING_TABLE_SIZE;
    private static final int CLASSES = 256;
    private static final int CHUNK = 4_096;
    private static final int ROUNDS = 9;
    private static final int FOLDS = 15;
    private static final int PAIRS = 5;
    private static final int COLLECTIONS = 10;
    /** Allocation epochs in a full table; samples come in their order, but for stragglers. */
    private static final int COHORTS = 32;
    private static final int STACK_DEPTH = 60;

    private static volatile Object sink;

    private final GcEpochs epochs = new GcEpochs();
    private final Object[] objects = objects();
    private long clock;
    private LivenessTracker tracker;

    private TrackingFigures() { }

    /** Measures and prints. */
    public static void main(String[] arguments) {
        new TrackingFigures().run();
    }

    private void run() {
        System.out.printf("JDK %s, %s%n", Runtime.version(), ManagementFactory.getGarbageCollectorMXBeans().get(0).getName());
        double[] inserts = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            inserts[round] = fill() / ROWS;
        }
        print("insert, ns a row", inserts);
        double[] folds = new double[FOLDS];
        for (int fold = 0; fold < FOLDS; fold++) {
            epochs.advance(false);
            clock += 1_000_000_000L;
            long start = cpu();
            tracker.maintain(clock);
            folds[fold] = (cpu() - start) / 1e6;
        }
        print("fold, ms", folds);
        long full = used();
        tracker.close();
        tracker = null;
        System.out.printf("heap: %.1f bytes a row, weak references included%n", (full - used()) / (double) ROWS);
        print("context of a sample with " + STACK_DEPTH + " frames, ns", contexts());
        pauses();
    }

    private double[] contexts() {
        double[] figures = new double[ROUNDS];
        tracker = newTracker("java.util.HashMap");
        // The first rounds are for the compiler.
        for (int round = -4 * ROUNDS; round < ROUNDS; round++) {
            for (int i = 0; i < 200; i++) {
                offer(objects[i], i, stack(STACK_DEPTH));
            }
            long start = cpu();
            tracker.maintain(clock);
            figures[Math.max(0, round)] = (cpu() - start) / 200.0;
        }
        tracker.close();
        return figures;
    }

    private void pauses() {
        double[] ratios = new double[PAIRS];
        double[] with = new double[PAIRS];
        double[] without = new double[PAIRS];
        for (int pair = -1; pair < PAIRS; pair++) {
            fill();
            double full = pause();
            tracker.close();
            double empty = pause();
            if (pair >= 0) {
                with[pair] = full;
                without[pair] = empty;
                ratios[pair] = full / empty;
            }
        }
        print("young pause with a full table, ms", with);
        print("young pause without, ms", without);
        print("ratio, pair by pair", ratios);
    }

    /** Mean pause of the youngest collector's next collections. */
    private static double pause() {
        System.gc();
        GarbageCollectorMXBean young = ManagementFactory.getGarbageCollectorMXBeans().get(0);
        List<byte[]> window = new ArrayList<>();
        long count = young.getCollectionCount();
        long millis = young.getCollectionTime();
        long wanted = count + COLLECTIONS;
        for (int i = 0; young.getCollectionCount() < wanted; i++) {
            byte[] bytes = new byte[1_000];
            sink = bytes;
            // Some of it lives through a collection, as in a program.
            if (window.size() < 20_000) {
                window.add(bytes);
            } else {
                window.set(i % 20_000, bytes);
            }
        }
        return (young.getCollectionTime() - millis) / (double) (young.getCollectionCount() - count);
    }

    /** Fills a new table; returns the CPU nanoseconds of the draining. */
    private double fill() {
        if (tracker != null) {
            tracker.close();
        }
        tracker = newTracker("com.acme.Login");
        long nanos = 0;
        for (int row = 0; row < ROWS;) {
            for (int i = 0; i < CHUNK && row < ROWS; i++) {
                offer(objects[row], row, null);
                row++;
            }
            long start = cpu();
            tracker.maintain(clock);
            nanos += cpu() - start;
        }
        return nanos;
    }

    private void offer(Object object, int number, Throwable stack) {
        tracker.sink().offer(new AllocationSample(new WeakReference<>(object), number % 64, number % 16, "thread", stack, clock,
                epochs.epoch() - COHORTS + (long) number * COHORTS / ROWS));
    }

    private static Throwable stack(int depth) {
        return depth == 0 ? new Throwable() : stack(depth - 1);
    }

    private static Object[] objects() {
        Object[] all = new Object[ROWS];
        for (int i = 0; i < ROWS; i++) {
            int dimensions = 1 + i % CLASSES / 2;
            all[i] = Array.newInstance(i % 2 == 0 ? Object.class : String.class, new int[dimensions]);
        }
        return all;
    }

    private LivenessTracker newTracker(String className) {
        epochs.advance(false);
        LivenessSettings settings = new LivenessSettings(ROWS, 1, true, true, 0, 1, 0, Integer.MAX_VALUE, true);
        return new LivenessTracker(settings, new FixedSites(className), epochs, new Ticker() {
            @Override
            public long nanos() {
                return clock;
            }

            @Override
            public java.time.Instant now() {
                return java.time.Instant.EPOCH;
            }
        }, new SplittableRandom(1), new Counters());
    }

    private static long cpu() {
        return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }

    private static void print(String what, double[] figures) {
        double[] sorted = figures.clone();
        Arrays.sort(sorted);
        System.out.printf("%s: median %.2f, least %.2f, most %.2f%n", what, sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }

    private record FixedSites(String className) implements SiteCatalogue {
        @Override
        public AllocationSite site(int siteId) {
            return new AllocationSite(className, "make", null, siteId, "java.lang.Object");
        }

        @Override
        public int siteCount() {
            return 64;
        }

        @Override
        public boolean active(int siteId) {
            return false;
        }

        @Override
        public void grant(int siteId, int tokens) { }

        @Override
        public double bytesPerSecond(int siteId) {
            return 0;
        }
    }
}
