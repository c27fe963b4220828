package io.holdfast.examples.benchmarks;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A program that allocates and looks up, for as long as it is told, and says what an operation cost it. Run it in pairs with and without the agent. What is
 * counted begins only after Holdfast's burn-in. With {@code leak} it also leaks slowly beside a large heap, so that a candidate is chased meanwhile.
 *
 * <p>Arguments: {@code plain} or {@code leak}, thousands of objects of the heap, seconds before, seconds counted.
 */
final class Workload {
    static final List<Object> LEAKED = new ArrayList<>();

    private Workload() { }

    /** What leaks. */
    private static final class Session {
        final byte[] state = new byte[200];
        final Object itself = this;
    }

    public static void main(String[] args) {
        boolean leak = args[0].equals("leak");
        WalkedHeap heap = WalkedHeap.build(HeapShape.MIXED, Integer.parseInt(args[1]) * 1_000);
        Map<Integer, String> map = new HashMap<>();
        long sum = run(map, Integer.parseInt(args[2]), leak)[1];
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        long process = system.getProcessCpuTime();
        long own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long wall = System.nanoTime();
        long[] done = run(map, Integer.parseInt(args[3]), leak);
        own = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - own;
        process = system.getProcessCpuTime() - process;
        wall = System.nanoTime() - wall;
        System.out.printf(Locale.ROOT, "operations %d, ns CPU of the program's thread per operation %.1f, of the process %.1f, ns wall %.1f, heap %d, checksum %d%n", done[0],
                (double) own / done[0], (double) process / done[0], (double) wall / done[0], heap.count().all(), sum + done[1]);
    }

    private static long[] run(Map<Integer, String> map, int seconds, boolean leak) {
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        long operations = 0;
        long sum = 0;
        while (System.nanoTime() < end) {
            for (int i = 0; i < 10_000; i++) {
                int key = (int) (operations++ * 0x9E37_79B9L >>> 8) & 0xFFFF;
                String before = map.put(key, "value " + (operations & 0xFF));
                sum += before == null ? 1 : before.length();
                if ((operations & 7) == 0) {
                    map.remove(key ^ 0x5555);
                }
            }
            if (leak) {
                LEAKED.add(new Session());
            }
        }
        return new long[] {operations, sum};
    }
}
