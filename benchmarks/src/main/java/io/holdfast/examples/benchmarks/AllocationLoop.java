package io.holdfast.examples.benchmarks;

import io.holdfast.agent.AllocationInstrumentation;
import io.holdfast.agent.AttachResult;
import io.holdfast.agent.HookSettings;
import io.holdfast.agent.SampledAllocations;
import io.holdfast.agent.SelfAttach;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrustedLookup;
import java.lang.instrument.Instrumentation;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What one allocation costs in a loop of them, in CPU time of the threads: an object that escapes, an array that escapes, and an object the compiler removes.
 *
 * <p>Arguments: mode, threads, seconds before, seconds counted for each kind. Modes: {@code off}; {@code restored} (hooked once, then restored);
 * {@code disarmed} (hooks without tokens); {@code tokens} (each site gets 16 tokens a second); {@code interval} (empty callback); {@code storing} (what is
 * sampled is followed weakly with its stack); {@code async}, {@code async-live} (async-profiler on the class path, alloc=512k); {@code instrumenter}
 * (java-allocation-instrumenter as the agent, the same interval counted in its callback).
 */
final class AllocationLoop {
    private static final int INNER = 10_000;
    private static final long INTERVAL = 512 * 1024;
    private static final String[] KINDS = {"object", "array", "removed"};

    /** 32 bytes. */
    private static final class Made {
        final long first;
        final long second;
        final int third;

        Made(long value) {
            first = value;
            second = value;
            third = (int) value;
        }
    }

    /** Where what escapes goes; one for each thread, apart from each other. */
    private static final Object[] ESCAPED = new Object[512];
    private static volatile boolean stop;

    private AllocationLoop() { }

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[1]);
        Hooks hooks = Hooks.of(arguments[0]);
        for (int kind = 0; kind < KINDS.length; kind++) {
            measure(kind, threads, Double.parseDouble(arguments[2]), hooks); // what runs before is as hot as what is counted
        }
        for (int kind = 0; kind < KINDS.length; kind++) {
            System.out.println(KINDS[kind] + measure(kind, threads, Double.parseDouble(arguments[3]), hooks));
        }
        hooks.report();
        System.exit(0);
    }

    private static String measure(int kind, int threads, double seconds, Hooks hooks) throws InterruptedException {
        stop = false;
        AtomicLongArray operations = new AtomicLongArray(threads);
        AtomicLongArray nanos = new AtomicLongArray(threads);
        List<Thread> workers = new ArrayList<>();
        long wall = System.nanoTime();
        for (int t = 0; t < threads; t++) {
            int number = t;
            Thread worker = new Thread(() -> work(kind, number, operations, nanos), "worker-" + t);
            workers.add(worker);
            worker.start();
        }
        long end = System.nanoTime() + (long) (seconds * 1e9);
        while (System.nanoTime() < end) {
            Thread.sleep(50);
            hooks.tick();
        }
        stop = true;
        for (Thread worker : workers) {
            worker.join();
        }
        wall = System.nanoTime() - wall;
        long all = 0;
        long cpu = 0;
        for (int t = 0; t < threads; t++) {
            all += operations.get(t);
            cpu += nanos.get(t);
        }
        return String.format(Locale.ROOT, " operations %d ns_cpu %.4f ns_wall %.4f", all, (double) cpu / all, (double) wall * threads / all);
    }

    private static void work(int kind, int number, AtomicLongArray operations, AtomicLongArray nanos) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        long start = bean.getCurrentThreadCpuTime();
        long done = 0;
        long sum = 0;
        while (!stop) {
            sum += switch (kind) {
                case 0 -> objects(number << 6, done);
                case 1 -> arrays(number << 6, done);
                default -> removed(done);
            };
            done += INNER;
        }
        ESCAPED[number << 6] = sum;
        nanos.set(number, bean.getCurrentThreadCpuTime() - start);
        operations.set(number, done);
    }

    private static long objects(int slot, long seed) {
        Object[] escaped = ESCAPED;
        for (int i = 0; i < INNER; i++) {
            escaped[slot + (i & 7)] = new Made(seed + i);
        }
        return 0;
    }

    private static long arrays(int slot, long seed) {
        Object[] escaped = ESCAPED;
        for (int i = 0; i < INNER; i++) {
            escaped[slot + (i & 7)] = new int[8];
        }
        return seed;
    }

    private static long removed(long seed) {
        long sum = 0;
        for (int i = 0; i < INNER; i++) {
            Made made = new Made(seed + i);
            sum += made.first ^ made.third;
        }
        return sum;
    }

    /** What is switched on beside the loop. */
    private static class Hooks {
        static Hooks of(String mode) throws Exception {
            switch (mode) {
                case "off":
                    return new Hooks();
                case "async":
                case "async-live":
                    Class<?> profiler = Class.forName("one.profiler.AsyncProfiler");
                    profiler.getMethod("execute", String.class).invoke(profiler.getMethod("getInstance").invoke(null),
                            "start,event=alloc,alloc=512k" + (mode.equals("async-live") ? ",live" : ""));
                    return new Hooks();
                case "instrumenter":
                    instrumenter();
                    return new Hooks();
                default:
                    return new OwnHooks(mode);
            }
        }

        private static void instrumenter() throws ReflectiveOperationException {
            Class<?> recorder = Class.forName("com.google.monitoring.runtime.instrumentation.AllocationRecorder");
            Class<?> sampler = Class.forName("com.google.monitoring.runtime.instrumentation.Sampler");
            long[] left = {INTERVAL};
            java.lang.ref.WeakReference<?>[] stored = new java.lang.ref.WeakReference<?>[1_024];
            Throwable[] stacks = new Throwable[1_024];
            Object callback = Proxy.newProxyInstance(AllocationLoop.class.getClassLoader(), new Class<?>[] {sampler}, (proxy, method, values) -> {
                if (method.getName().equals("sampleAllocation") && (left[0] -= (Long) values[3]) < 0) {
                    left[0] = INTERVAL;
                    stored[(int) System.nanoTime() & 1_023] = new java.lang.ref.WeakReference<>(values[2]);
                    stacks[(int) System.nanoTime() & 1_023] = new Throwable();
                }
                return null;
            });
            Method add = recorder.getMethod("addSampler", sampler);
            add.invoke(null, callback);
        }

        void tick() { }

        void report() { }
    }

    private static final class OwnHooks extends Hooks {
        private final Counters counters = new Counters();
        private final SampledAllocations sampled = new SampledAllocations(Ticker.system(), counters, new SplittableRandom(), System.err::println);
        private final AllocationInstrumentation instrumentation;
        private final boolean tokens;
        private int ticks;

        OwnHooks(String mode) throws InterruptedException {
            AttachResult attached = SelfAttach.attach();
            if (!attached.attached()) {
                throw new IllegalStateException(attached.reason());
            }
            Instrumentation jvm = attached.instrumentation();
            tokens = mode.equals("tokens");
            instrumentation = AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(), sample -> true, new GcEpochs(),
                    Ticker.system(), counters, new SplittableRandom(), null, new HookSettings(tokens, false, sampled, List.of()));
            String made = Made.class.getName();
            observe("objects", "(IJ)J", made);
            observe("arrays", "(IJ)J", "int[]");
            observe("removed", "(J)J", made);
            if (mode.equals("interval")) {
                sampled.addListener((thread, object, type, size) -> { });
                sampled.budget(0);
            } else if (mode.equals("storing")) {
                sampled.follow(true);
                sampled.budget(0);
            }
            sampled.interval(INTERVAL);
            Thread.sleep(5_100); // the first batch
            instrumentation.maintain(Ticker.system().nanos(), List.of());
            for (int site = 0; site < 3; site++) {
                if (!instrumentation.active(site)) {
                    throw new IllegalStateException("site " + site + " carries no hook");
                }
            }
            if (mode.equals("restored")) {
                instrumentation.close();
            }
        }

        private void observe(String method, String descriptor, String type) {
            instrumentation.observe(new ScoutedAllocation(AllocationLoop.class.getName(), method, descriptor, -1, -1, type, 1_000));
        }

        @Override
        void tick() {
            if (++ticks % 20 == 0) {
                for (int site = 0; tokens && site < 3; site++) {
                    instrumentation.grant(site, 16);
                }
                instrumentation.maintain(Ticker.system().nanos(), List.of());
            }
        }

        @Override
        void report() {
            System.out.println("samples " + counters.get("agent.interval.samples") + " dropped " + counters.get("agent.interval.samples.dropped")
                    + " interval " + sampled.effectiveInterval());
        }
    }
}
