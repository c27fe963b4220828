package io.holdfast.examples.benchmarks;

import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A large heap beside which one class leaks: how long until the leak is explained? Run it with the agent; it prints when the leaking begins.
 *
 * <p>Arguments: shape, thousands of objects, seconds at most.
 */
final class LargeHeapLeak {
    static final Map<Integer, Session> ACTIVE = new ConcurrentHashMap<>();

    private LargeHeapLeak() { }

    /** What leaks. */
    private static final class Session {
        final byte[] state = new byte[2_000];
        final Object itself = this;
    }

    public static void main(String[] args) throws InterruptedException {
        WalkedHeap heap = WalkedHeap.build(HeapShape.valueOf(args[0].toUpperCase(Locale.ROOT)), Integer.parseInt(args[1]) * 1_000);
        long end = System.nanoTime() + Integer.parseInt(args[2]) * 1_000_000_000L;
        System.out.printf("%d ms after the start: leaking begins beside %,d objects%n", sinceStart(), heap.count().all());
        byte[] garbage = null;
        for (int i = 0; System.nanoTime() < end; i++) {
            // A thousand a second, a tenth of what is allocated.
            ACTIVE.put(i, new Session());
            for (int j = 0; j < 10; j++) {
                garbage = new byte[2_000];
            }
            if (i % 100 == 0) {
                Thread.sleep(100);
            }
        }
        System.out.println("end " + garbage.length + " " + heap.count().all());
    }

    private static long sinceStart() {
        return System.currentTimeMillis() - java.lang.management.ManagementFactory.getRuntimeMXBean().getStartTime();
    }
}
