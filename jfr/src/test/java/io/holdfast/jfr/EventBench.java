package io.holdfast.jfr;

import io.holdfast.core.Counters;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveSample;
import io.holdfast.core.ReferenceChain;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import jdk.jfr.Recording;

/**
 * What writing costs: 128 chains of 12 hops, and a thousand living objects, into a hundred chunks. No test: prints figures for docs/performance.md.
 * Run it with the classes of the tests on the class path; the first argument is the number of living objects.
 */
final class EventBench {
    private static final int CHUNKS = 100;

    private EventBench() { }

    public static void main(String[] args) throws Exception {
        int objects = Integer.parseInt(args[0]);
        Object alive = new byte[24];
        List<LiveSample> samples = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            samples.add(Leaks.sample(alive, "http-" + i % 16, stack(i % 64)));
        }
        List<ReferenceChain> chains = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            chains.add(Leaks.longChain(12, "com.acme.orders.persistence.Session" + i));
        }
        List<Leak> leaks = new ArrayList<>();
        for (int i = 0; i < 16; i++) {
            leaks.add(Leaks.withChains("leak00" + (10 + i), chains));
        }
        Findings findings = Leaks.findings(leaks, samples);
        Counters counters = new Counters();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        Path file = Files.createTempFile("bench", ".jfr");
        long[] cpu = new long[CHUNKS];
        long[] bare = new long[CHUNKS];
        long size;
        try (Recording without = new Recording()) {
            without.setMaxSize(1 << 20);
            without.start();
            for (int i = 0; i < CHUNKS; i++) {
                bare[i] = dump(without, file, threads);
            }
        }
        try (LeakEvents events = new LeakEvents(() -> findings, counters, Leak::id, () -> 9, "")) {
            events.register();
            Await.until("the event types", events::registered);
            try (Recording recording = new Recording()) {
                recording.setMaxSize(1 << 20);
                recording.start();
                for (int i = 0; i < CHUNKS; i++) {
                    cpu[i] = dump(recording, file, threads);
                }
                size = Files.size(file);
            }
        }
        Files.delete(file);
        System.out.printf("java %s: CPU of a dump by the dumping thread, ms: first %.1f, median %.2f, longest of the last 50 %.2f; without events median %.2f%n",
                Runtime.version(), cpu[0] / 1e6, median(cpu), Arrays.stream(cpu, CHUNKS / 2, CHUNKS).max().orElse(0) / 1e6, median(bare));
        System.out.printf("left out in all: %d events; last file %d kB%n", counters.get("jfr.events.dropped"), size / 1_000);
        Reference.reachabilityFence(alive);
    }

    private static long dump(Recording recording, Path file, ThreadMXBean threads) throws Exception {
        long start = threads.getCurrentThreadCpuTime();
        recording.dump(file);
        return threads.getCurrentThreadCpuTime() - start;
    }

    private static List<String> stack(int number) {
        List<String> frames = new ArrayList<>();
        for (int i = 0; i < 24; i++) {
            frames.add("com.acme.orders.Service" + number + ".handle(Service.java:" + (100 + i) + ")");
        }
        return frames;
    }

    private static double median(long[] values) {
        long[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2] / 1e6;
    }
}
