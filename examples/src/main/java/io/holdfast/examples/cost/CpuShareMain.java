package io.holdfast.examples.cost;

import io.holdfast.Holdfast;
import io.holdfast.HoldfastStatus;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Measures what Holdfast's own threads cost in a program that runs for minutes: CPU time of each as a share of the wall time of one core, every
 * half minute and for the whole run. The program: {@link Cases}.
 */
public final class CpuShareMain {
    private static final int SECONDS_BETWEEN_LINES = 30;
    private static final int WORKERS = 2;
    /** What an ordinary program keeps: with its content and map, two million objects for a search to walk. */
    private static final int PRODUCTS = 500_000;
    private static final Map<Integer, Product> CATALOGUE = new HashMap<>();

    private record Product(List<String> names, int price) { }

    private CpuShareMain() { }

    /**
     * Runs the program and prints.
     *
     * @param args {@code healthy}, {@code explained} or {@code unreachable}; seconds to run, default 600
     */
    public static void main(String[] args) throws InterruptedException {
        Cases program = Cases.valueOf(args[0].toUpperCase(Locale.ROOT));
        int seconds = args.length > 1 ? Integer.parseInt(args[1]) : 600;
        long start = System.nanoTime();
        Holdfast holdfast = Holdfast.start();
        for (int i = 0; i < PRODUCTS; i++) {
            CATALOGUE.put(i, new Product(List.of("product-" + i), i));
        }
        program.begin();
        long end = start + TimeUnit.SECONDS.toNanos(seconds);
        for (int i = 0; i < WORKERS; i++) {
            int worker = i;
            new Thread(() -> work(program, worker, end), "worker-" + worker).start();
        }
        Map<String, Long> before = Map.of();
        for (int at = SECONDS_BETWEEN_LINES; at <= seconds; at += SECONDS_BETWEEN_LINES) {
            TimeUnit.NANOSECONDS.sleep(start + TimeUnit.SECONDS.toNanos(at) - System.nanoTime());
            Map<String, Long> now = ThreadCpu.nanosByName();
            HoldfastStatus status = holdfast.status().orElseThrow();
            System.out.println(at + " s: " + shares(before, now, SECONDS_BETWEEN_LINES) + "; " + status.searches() + " searches; " + status.gate() + ": "
                    + status.waiting());
            before = now;
        }
        System.out.println("whole run, of one core: " + shares(Map.of(), before, seconds));
        System.out.println(holdfast.status().orElseThrow().cost());
        System.out.println(holdfast.leaks().size() + " leaks");
        holdfast.close();
    }

    private static void work(Cases program, int worker, long end) {
        try {
            program.work(worker, end);
        } catch (InterruptedException e) {
            System.out.println("worker " + worker + " was interrupted");
        }
    }

    private static String shares(Map<String, Long> before, Map<String, Long> now, int seconds) {
        Map<String, String> shares = new TreeMap<>();
        now.forEach((name, nanos) -> {
            if (name.startsWith("holdfast") || name.startsWith("JFR")) {
                double share = (nanos - before.getOrDefault(name, 0L)) * 100.0 / TimeUnit.SECONDS.toNanos(seconds);
                shares.put(name, String.format(Locale.ROOT, "%.2f %%", share));
            }
        });
        return shares.toString();
    }
}
