package io.holdfast.benchmarks;

import io.holdfast.examples.benchmarks.HeapShape;
import io.holdfast.examples.benchmarks.WalkedHeap;
import java.lang.management.ManagementFactory;
import java.util.Locale;

/**
 * Does walking stop the program? Walks for some seconds while nothing else runs, and writes a line to the safepoint log's stream before and after: run with
 * {@code -Xlog:safepoint}. What is in between, the walk has caused.
 *
 * <p>Arguments: shape, thousands of objects, seconds.
 */
final class Safepoints {
    private Safepoints() { }

    public static void main(String[] args) {
        Walker walker = Walker.open();
        WalkedHeap heap = WalkedHeap.build(HeapShape.valueOf(args[0].toUpperCase(Locale.ROOT)), Integer.parseInt(args[1]) * 1_000);
        walker.walkAll(Walker.SLICES);
        System.gc();
        long end = System.nanoTime() + Integer.parseInt(args[2]) * 1_000_000_000L;
        long collections = collections();
        System.out.println("walking begins");
        int searches = 0;
        while (System.nanoTime() < end) {
            walker.walkAll(Walker.SLICES);
            searches++;
        }
        System.out.println("walking ends after " + searches + " searches of " + heap.count().all() + " objects; collections meanwhile: "
                + (collections() - collections));
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(bean -> bean.getCollectionCount()).sum();
    }
}
