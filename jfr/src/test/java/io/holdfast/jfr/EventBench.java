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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
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
            leaks.add(Leaks.withChains("leak00" + (10 + i), chains).confirmedBy(Leaks.confirmed("").confirmation()));
        }
        Findings findings = new Findings(Leaks.SOME_TIME, Leaks.statusWithVolumes(), leaks, samples);
        Counters counters = new Counters();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        ChunkStamps stamps = new ChunkStamps(() -> findings, Leak::id, () -> 9, "", TextPool.ofThisJvm(), new EndedSearches(), new EndedSearches(),
                threads::getCurrentThreadCpuTime, new AtomicLong(), counters);
        stamps.prepare();
        Path file = Files.createTempFile("bench", ".jfr");
        long[] cpu = new long[CHUNKS];
        long[] dropped = new long[CHUNKS];
        try (RegisteredEvents registered = RegisteredEvents.register(stamps); Recording recording = new Recording()) {
            recording.setMaxSize(1 << 20);
            // The hooks stay quiet: what is written is written here, where it can be measured alone.
            recording.setSettings(periodsNever());
            recording.start();
            for (int i = 0; i < CHUNKS; i++) {
                registered.stamps().chunkBegun();
                long before = counters.get("jfr.events.dropped");
                long start = threads.getCurrentThreadCpuTime();
                stamps.all();
                cpu[i] = threads.getCurrentThreadCpuTime() - start;
                dropped[i] = counters.get("jfr.events.dropped") - before;
                recording.dump(file);
            }
            System.out.printf("last file %d kB, of %d types%n", Files.size(file) / 1_000, RegisteredEvents.NAMES.size());
        }
        Files.delete(file);
        System.out.printf("java %s: CPU of the end of a chunk, ms: first %.1f, median %.2f, longest of the last 50 %.2f%n", Runtime.version(), cpu[0] / 1e6,
                median(cpu), Arrays.stream(cpu, CHUNKS / 2, CHUNKS).max().orElse(0) / 1e6);
        System.out.printf("bound %d ms for all kinds; chunks over 50 ms: %d%n", ChunkStamps.CHUNK_NANOS / 1_000_000,
                Arrays.stream(cpu).filter(nanos -> nanos > 50_000_000).count());
        System.out.printf("events left out: in the first chunk %d, in the second %d, in all %d%n", dropped[0], dropped[1], Arrays.stream(dropped).sum());
        Reference.reachabilityFence(alive);
    }

    private static Map<String, String> periodsNever() {
        Map<String, String> settings = new HashMap<>();
        for (String name : RegisteredEvents.NAMES) {
            settings.put(name + "#enabled", "true");
            settings.put(name + "#period", "1000000 s");
        }
        return settings;
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
