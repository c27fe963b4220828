package hosts;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What a host spends, in its learning phase and after it: one line each, in the form that {@code Pairs} reads. The system property {@code rate} holds the host
 * back to so many operations a second; without it, it works at full speed. What is late is made up for: the rate does not depend on how fast the host is.
 */
final class Phases {
    private static final OperatingSystemMXBean SYSTEM = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
    private static final int RATE = Integer.getInteger("rate", 0);

    private Phases() { }

    /** Some work; the number of operations done. */
    @FunctionalInterface
    interface Work {
        long once() throws Exception;
    }

    /** Works for so many seconds, twice. */
    static void run(int learningSeconds, int steadySeconds, Work work) throws Exception {
        PlantedLeak.startIfAsked();
        phase("learning", learningSeconds, work);
        phase("steady", steadySeconds, work);
    }

    private static void phase(String name, int seconds, Work work) throws Exception {
        long cpu = SYSTEM.getProcessCpuTime();
        long collections = collectionMillis();
        long start = System.nanoTime();
        long end = start + seconds * 1_000_000_000L;
        long operations = 0;
        while (System.nanoTime() < end) {
            operations += work.once();
            waitUntilDue(start, operations);
        }
        double wall = System.nanoTime() - start;
        System.out.printf(Locale.ROOT, "%s operations %d ns_cpu %.1f ns_wall %.1f gc_ms %d%n", name, operations,
                (SYSTEM.getProcessCpuTime() - cpu) / (double) operations, wall / operations, collectionMillis() - collections);
    }

    private static void waitUntilDue(long start, long operations) {
        if (RATE <= 0) {
            return;
        }
        long due = start + operations * TimeUnit.SECONDS.toNanos(1) / RATE;
        for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static long collectionMillis() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
    }
}
