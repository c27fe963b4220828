package io.holdfast.benchmarks;

import io.holdfast.examples.benchmarks.HeapShape;
import io.holdfast.examples.benchmarks.WalkedHeap;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import org.openjdk.jol.info.GraphLayout;

/**
 * What does an object cost the walk, and is that the same in small and large heaps? Each pair builds the same heap twice and lets one walker meet
 * the first, the other the second, in turns: both meet objects that have no identity hash yet. Then each meets the heap it knows once more.
 *
 * <p>Arguments: shapes separated by commas, sizes in thousands of objects separated by commas, pairs.
 */
final class WalkAgainstJol {
    private final Walker walker = Walker.open();

    private WalkAgainstJol() { }

    public static void main(String[] args) {
        new WalkAgainstJol().run(args[0].split(","), args[1].split(","), Integer.parseInt(args[2]));
    }

    private void run(String[] shapes, String[] thousands, int pairs) {
        warmUp();
        WalkedHeap empty = WalkedHeap.build(null, 0);
        Walker.Result elsewhere = walker.walkAll(Walker.ONE_SLICE);
        System.out.printf("%s %s, %d MB heap. The JVM itself and the classes here: %d objects admitted, %d references; they are in all figures%n",
                System.getProperty("java.vm.name"), System.getProperty("java.version"), Runtime.getRuntime().maxMemory() >> 20, elsewhere.summary().visited()
                - empty.count().all(), elsewhere.summary().references());
        System.out.println("| heap | objects | first walk, ns CPU per object | JOL | pairs' ratio | again | JOL | ratio | in 5 ms slices"
                + " | in vain, in slices | million references/s | references per object | entries per object | table bytes per entry |");
        System.out.println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|");
        for (String shape : shapes) {
            for (String size : thousands) {
                row(HeapShape.valueOf(shape.toUpperCase(Locale.ROOT)), Integer.parseInt(size) * 1_000, pairs);
            }
        }
    }

    private void warmUp() {
        for (HeapShape shape : HeapShape.values()) {
            WalkedHeap heap = WalkedHeap.build(shape, 400_000);
            for (int i = 0; i < 3; i++) {
                walker.walkAll(Walker.ONE_SLICE);
                walker.walkAll(Walker.SLICES);
                check(heap.count().all() > 0);
                GraphLayout.parseInstance(WalkedHeap.root());
            }
        }
    }

    private void row(HeapShape shape, int objects, int pairs) {
        Figures first = new Figures();
        Figures firstJol = new Figures();
        Figures firstRatio = new Figures();
        Figures again = new Figures();
        Figures againJol = new Figures();
        Figures againRatio = new Figures();
        Figures slices = new Figures();
        Figures inVain = new Figures();
        Figures speed = new Figures();
        Figures references = new Figures();
        Figures entries = new Figures();
        Figures bytes = new Figures();
        int all = 0;
        for (int pair = 0; pair < pairs; pair++) {
            double[] ours = null;
            double[] jols = null;
            for (int half = 0; half < 2; half++) {
                WalkedHeap heap = WalkedHeap.build(shape, objects);
                all = heap.count().all();
                if ((pair + half) % 2 == 0) {
                    Walker.Result cold = walker.walkAll(Walker.ONE_SLICE);
                    Walker.Result warm = walker.walkAll(Walker.ONE_SLICE);
                    Walker.Result sliced = walker.walkAll(Walker.SLICES);
                    Walker.Result whole = walker.searchInVain(Walker.SLICES);
                    check(cold.summary().references() >= all - heap.count().leaves());
                    ours = new double[] {(double) cold.cpuNanos() / all, (double) warm.cpuNanos() / all};
                    slices.add((double) sliced.cpuNanos() / all);
                    inVain.add((double) whole.cpuNanos() / all);
                    speed.add(warm.summary().references() * 1e3 / warm.cpuNanos());
                    references.add((double) warm.summary().references() / all);
                    entries.add((double) warm.summary().visited() / all);
                    bytes.add((double) warm.summary().tableBytes() / warm.summary().visited());
                } else {
                    jols = new double[] {jol(heap), jol(heap)};
                }
            }
            first.add(ours[0]);
            firstJol.add(jols[0]);
            firstRatio.add(jols[0] / ours[0]);
            again.add(ours[1]);
            againJol.add(jols[1]);
            againRatio.add(jols[1] / ours[1]);
        }
        System.out.printf(Locale.ROOT, "| %s | %,d | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |%n", shape.label(), all, first.text(0),
                firstJol.text(0), firstRatio.text(2), again.text(0), againJol.text(0), againRatio.text(2), slices.text(0), inVain.text(0), speed.text(1),
                references.text(2), entries.text(2), bytes.text(1));
    }

    private static double jol(WalkedHeap heap) {
        long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long counted = GraphLayout.parseInstance(WalkedHeap.root()).totalCount();
        cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu;
        // Lists grow by half: their arrays and boxed numbers below 128 are few, but not counted by us.
        check(Math.abs(counted - heap.count().all()) < heap.count().all() / 50 + 1_000);
        return (double) cpu / heap.count().all();
    }

    private static void check(boolean measuredWhatItSays) {
        if (!measuredWhatItSays) {
            throw new IllegalStateException("the walk did not meet what it should have");
        }
    }
}
