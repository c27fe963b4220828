package io.holdfast.benchmarks;

import io.holdfast.examples.benchmarks.HeapShape;
import io.holdfast.examples.benchmarks.WalkedHeap;
import java.util.Locale;
import org.HdrHistogram.Histogram;

/**
 * How long does a slice last that is to last 5 ms? A search over a large heap, one pass each 100 ms as while a candidate has no chain, started anew until
 * the time is over. Wall time is what a core is held for; where the machine is shared it also holds what others took, so CPU time is given too.
 *
 * <p>Arguments: shape, thousands of objects, seconds, milliseconds between passes (0 = back to back).
 */
final class Slices {
    /** Passes in which the walker is still interpreted. */
    private static final int COLD = 100;

    private Slices() { }

    public static void main(String[] args) {
        Walker walker = Walker.open();
        WalkedHeap heap = WalkedHeap.build(HeapShape.valueOf(args[0].toUpperCase(Locale.ROOT)), Integer.parseInt(args[1]) * 1_000);
        long end = System.nanoTime() + Integer.parseInt(args[2]) * 1_000_000_000L;
        long pauseMillis = Integer.parseInt(args[3]);
        Histogram coldWall = new Histogram(3);
        Histogram coldCpu = new Histogram(3);
        Histogram wall = new Histogram(3);
        Histogram cpu = new Histogram(3);
        int searches = 0;
        while (System.nanoTime() < end) {
            walker.walkAll(Walker.SLICES, pass -> {
                boolean cold = coldWall.getTotalCount() < COLD;
                (cold ? coldWall : wall).recordValue(pass.longestSliceNanos() / 1_000);
                (cold ? coldCpu : cpu).recordValue(pass.cpuNanos() / 1_000);
                sleep(pauseMillis);
            });
            searches++;
        }
        System.out.printf("%s %s, %,d objects (%s), %d searches, %d ms between passes%n", System.getProperty("java.vm.name"), System.getProperty("java.version"),
                heap.count().all(), args[0], searches, pauseMillis);
        System.out.println("| | passes | p50 | p90 | p99 | p99.9 | longest |");
        System.out.println("|---|---|---|---|---|---|---|");
        row("longest slice of a pass, ms wall, first " + COLD, coldWall);
        row("pass, ms CPU, first " + COLD, coldCpu);
        row("longest slice of a pass, ms wall, after", wall);
        row("pass, ms CPU, after", cpu);
    }

    private static void row(String name, Histogram micros) {
        System.out.printf(Locale.ROOT, "| %s | %d | %.2f | %.2f | %.2f | %.2f | %.2f |%n", name, micros.getTotalCount(), micros.getValueAtPercentile(50) / 1e3,
                micros.getValueAtPercentile(90) / 1e3, micros.getValueAtPercentile(99) / 1e3, micros.getValueAtPercentile(99.9) / 1e3, micros.getMaxValue() / 1e3);
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
