package io.holdfast.agent;

import fixtures.EveryAllocation;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.TrustedLookup;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Main class of the JVMs in which the interval lane is tried: prints one line per behaviour, for {@link IntervalLaneForkedTest} to look at. */
final class IntervalProgram {
    private static final int MAX_RECORDED = 4_096;

    private final VirtualTicker ticker = new VirtualTicker();
    private final Counters counters = new Counters();
    private final List<String> log = new ArrayList<>();
    private final SampledAllocations sampled = new SampledAllocations(ticker, counters, new SplittableRandom(42), log::add);
    private final Instrumentation jvm;
    private final AllocationInstrumentation instrumentation;

    private IntervalProgram() {
        jvm = SelfAttach.attach().instrumentation();
        instrumentation = AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(), sample -> true, new GcEpochs(), ticker,
                counters, new SplittableRandom(), null, new HookSettings(false, true, sampled, List.of()));
        sampled.budget(0);
    }

    /** What one thread is told of. */
    private static final class Recorder implements SampledAllocationListener {
        final Thread thread = Thread.currentThread();
        final Object[] objects = new Object[MAX_RECORDED];
        final long[] sizes = new long[MAX_RECORDED];
        volatile int count;

        @Override
        public void sampled(Thread by, Object object, Class<?> type, long sizeBytes) {
            if (by == thread && by == Thread.currentThread() && type == object.getClass() && count < MAX_RECORDED) {
                objects[count] = object;
                sizes[count++] = sizeBytes;
            }
        }

        int times(Object object) {
            int times = 0;
            for (int i = 0; i < count; i++) {
                times += objects[i] == object ? 1 : 0;
            }
            return times;
        }

        long size(Object object) {
            for (int i = 0; i < count; i++) {
                if (objects[i] == object) {
                    return sizes[i];
                }
            }
            return -1;
        }

        void clear() {
            count = 0;
        }
    }

    public static void main(String[] arguments) throws Exception {
        IntervalProgram program = new IntervalProgram();
        try {
            int warmUp = Integer.parseInt(arguments[0]);
            program.nothingBeforeAnybodyListens();
            program.everyAllocationOnceWithItsSize(warmUp);
            program.constructorThatThrows();
            program.stackOfTheAllocation();
            program.callbackIsNotReentered();
            program.faultsAreContained();
            program.twoListeners();
            program.onAndOff();
            program.threads();
            program.intervalOfZeroIsExactOnManyThreads();
            program.intervalChanges();
            program.budget();
            program.livesAndDies();
            program.virtualThreads();
            check("interval when nobody listens", program.sampled.wanted());
            if (arguments.length > 1) {
                program.statistics();
            }
        } finally {
            program.instrumentation.close();
        }
        program.restored();
    }

    private void maintain() {
        ticker.advance(6);
        instrumentation.maintain(ticker.nanos(), List.of());
    }

    private static void check(String behaviour, Object outcome) {
        System.out.println(behaviour + ": " + outcome);
    }

    private Recorder listen(long interval) {
        Recorder recorder = new Recorder();
        sampled.interval(interval);
        sampled.addListener(recorder);
        maintain();
        return recorder;
    }

    private void nothingBeforeAnybodyListens() {
        maintain();
        check("batches without a listener", instrumentation.batches());
        check("samples without a listener", counters.get(IntervalLane.SAMPLES));
    }

    private void everyAllocationOnceWithItsSize(int warmUp) throws Exception {
        Map<String, Callable<Object>> ways = EveryAllocation.all();
        for (int i = 0; i < warmUp; i++) {
            for (Callable<Object> way : ways.values()) {
                way.call();
            }
        }
        Recorder recorder = listen(0);
        Map<String, String> wrong = new HashMap<>();
        for (int round = 0; round < 3 + warmUp; round++) {
            for (Map.Entry<String, Callable<Object>> way : ways.entrySet()) {
                recorder.clear();
                Object made = way.getValue().call();
                int times = recorder.times(made);
                long size = recorder.size(made);
                if (times != 1 || size != jvm.getObjectSize(made)) {
                    wrong.put(way.getKey(), times + " times, " + size + " bytes in round " + round);
                }
            }
        }
        recorder.clear();
        int[][] rows = (int[][]) ways.get("int[][]").call();
        check("rows of an array of arrays", recorder.times(rows[0]) + recorder.times(rows[1]) + recorder.times(rows[2]));
        check("ways to allocate not seen exactly once", wrong);
        sampled.removeListener(recorder);
    }

    private void constructorThatThrows() {
        Recorder recorder = listen(0);
        recorder.clear();
        EveryAllocation.refused();
        boolean seen = false;
        for (int i = 0; i < recorder.count; i++) {
            seen |= recorder.objects[i] instanceof EveryAllocation.Refused;
        }
        check("unfinished object seen", seen);
        sampled.removeListener(recorder);
    }

    private void stackOfTheAllocation() {
        List<StackTraceElement[]> stacks = new ArrayList<>();
        SampledAllocationListener listener = (thread, object, type, size) -> {
            if (object instanceof EveryAllocation.Small) {
                stacks.add(new Throwable().getStackTrace());
            }
        };
        sampled.interval(0);
        sampled.addListener(listener);
        maintain();
        stacks.clear();
        EveryAllocation.deep(20);
        sampled.removeListener(listener);
        int frames = 0;
        for (StackTraceElement frame : stacks.get(0)) {
            frames += frame.getMethodName().equals("deep") ? 1 : 0;
        }
        check("stack of the allocation in the callback", stacks.size() + " with " + frames + " frames");
    }

    private void callbackIsNotReentered() {
        AtomicInteger depth = new AtomicInteger();
        AtomicInteger deepest = new AtomicInteger();
        List<Object> garbage = new ArrayList<>();
        Thread main = Thread.currentThread();
        SampledAllocationListener listener = (thread, object, type, size) -> {
            if (thread != main) {
                return; // a thread of the JVM may be sampled beside us, which is no nesting
            }
            deepest.accumulateAndGet(depth.incrementAndGet(), Math::max);
            garbage.add(EveryAllocation.deep(3));
            garbage.clear();
            depth.decrementAndGet();
        };
        sampled.interval(0);
        sampled.addListener(listener);
        maintain();
        sampled.disable();
        sampled.enable(main);
        EveryAllocation.deep(5);
        sampled.disable(main);
        sampled.enable();
        sampled.removeListener(listener);
        check("deepest callback", deepest.get());
    }

    private void faultsAreContained() {
        AtomicInteger calls = new AtomicInteger();
        Thread main = Thread.currentThread();
        SampledAllocationListener bad = (thread, object, type, size) -> {
            if (thread == main) {
                calls.incrementAndGet();
                throw new IllegalArgumentException("not to be seen");
            }
        };
        sampled.interval(0);
        sampled.addListener(bad);
        maintain();
        Recorder good = listen(0);
        for (int i = 0; i < 100; i++) {
            EveryAllocation.deep(0);
        }
        int after = calls.get();
        maintain();
        EveryAllocation.deep(0);
        check("calls of a listener that throws", after == calls.get() && after == SampledAllocations.MAX_FAULTS);
        check("the other one is told", good.count > 100);
        check("log", log);
        sampled.removeListener(good);
    }

    private void twoListeners() {
        Recorder first = listen(0);
        Recorder second = listen(0);
        first.clear();
        second.clear();
        Object made = EveryAllocation.deep(0);
        check("two listeners are told", first.times(made) + " and " + second.times(made));
        sampled.removeListener(first);
        Object next = EveryAllocation.deep(0);
        check("one is removed", first.times(next) + " and " + second.times(next));
        sampled.removeListener(second);
    }

    private void onAndOff() {
        Recorder recorder = listen(0);
        StringBuilder seen = new StringBuilder();
        for (int i = 0; i < 3; i++) {
            recorder.clear();
            EveryAllocation.deep(0);
            seen.append(recorder.count > 0).append(' ');
            sampled.disable();
            recorder.clear();
            EveryAllocation.deep(0);
            seen.append(recorder.count > 0).append(' ');
            sampled.enable();
        }
        check("on and off", seen.toString().strip());
        sampled.removeListener(recorder);
    }

    /** Threads come and go, and are enabled one by one. */
    private void threads() throws InterruptedException {
        Set<String> seen = ConcurrentHashMap.newKeySet();
        SampledAllocationListener listener = (thread, object, type, size) -> {
            if (type == EveryAllocation.Small.class) {
                seen.add(thread.getName());
            }
        };
        sampled.interval(0);
        sampled.addListener(listener);
        sampled.disable();
        maintain();
        List<Thread> threads = new ArrayList<>();
        CountDownLatch go = new CountDownLatch(1);
        for (int i = 0; i < 16; i++) {
            Thread thread = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                for (int j = 0; j < 1_000; j++) {
                    EveryAllocation.deep(2);
                }
            }, "worker-" + i);
            if (i % 4 == 0) {
                sampled.enable(thread);
            }
            threads.add(thread);
            thread.start();
        }
        maintain();
        go.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        check("threads enabled one by one", new TreeSet<>(seen));
        sampled.enable();
        sampled.removeListener(listener);
    }

    private void intervalOfZeroIsExactOnManyThreads() throws InterruptedException {
        LongAdder told = new LongAdder();
        SampledAllocationListener listener = (thread, object, type, size) -> {
            if (type == EveryAllocation.Small.class) {
                told.increment();
            }
        };
        sampled.interval(0);
        sampled.addListener(listener);
        maintain();
        told.reset();
        long crowded = counters.get(IntervalLane.CROWDED);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            Thread thread = new Thread(() -> {
                for (int j = 0; j < 2_000; j++) {
                    EveryAllocation.deep(0);
                }
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        sampled.removeListener(listener);
        check("told of 16000 objects on eight threads", told.sum() + counters.get(IntervalLane.CROWDED) - crowded);
    }

    private void intervalChanges() {
        long[] counts = new long[3];
        long[] intervals = {10_000, 100_000, 10_000};
        LongAdder told = new LongAdder();
        SampledAllocationListener listener = (thread, object, type, size) -> told.add(type == EveryAllocation.Small.class ? 1 : 0);
        sampled.interval(1);
        sampled.addListener(listener);
        maintain();
        long size = jvm.getObjectSize(new EveryAllocation.Small(1));
        for (int i = 0; i < intervals.length; i++) {
            sampled.interval(intervals[i]);
            told.reset();
            for (int j = 0; j < 400_000; j++) {
                EveryAllocation.deep(0);
            }
            counts[i] = told.sum();
        }
        sampled.removeListener(listener);
        StringBuilder within = new StringBuilder();
        for (int i = 0; i < intervals.length; i++) {
            double expected = 400_000.0 * size / intervals[i];
            // Seven standard errors: threads of the JVM draw gaps as well, so the seed fixes nothing.
            within.append(Math.abs(counts[i] - expected) <= 7 * Math.sqrt(expected)).append(' ');
        }
        check("samples follow the interval", within.toString().strip() + (within.indexOf("false") < 0 ? "" : " " + counts[0] + " " + counts[1] + " " + counts[2]));
        sampled.interval(-7);
        check("negative interval", sampled.interval());
    }

    private void budget() {
        LongAdder told = new LongAdder();
        SampledAllocationListener listener = (thread, object, type, size) -> told.increment();
        sampled.budget(100);
        sampled.interval(1_000);
        sampled.addListener(listener);
        maintain();
        sampled.interval(1_000);
        for (int j = 0; j < 400_000; j++) {
            EveryAllocation.deep(0);
        }
        check("the interval is raised", sampled.effectiveInterval() > 4_000);
        for (int i = 0; i < 60 && sampled.effectiveInterval() > 1_000; i++) {
            maintain();
        }
        check("and comes down", sampled.effectiveInterval());
        sampled.removeListener(listener);
        sampled.budget(0);
    }

    private void livesAndDies() throws Exception {
        Set<SampledAllocation> dead = Collections.newSetFromMap(new IdentityHashMap<>());
        AtomicLong deadSmall = new AtomicLong();
        sampled.onDeath(one -> {
            dead.add(one);
            deadSmall.addAndGet(one.className().equals(EveryAllocation.Small.class.getName()) ? 1 : 0);
        });
        sampled.onDeath(one -> {
            throw new IllegalStateException("contained");
        });
        Thread main = Thread.currentThread();
        sampled.follow(true);
        sampled.disable();
        sampled.interval(0);
        maintain();
        List<Object> kept = new ArrayList<>(100);
        sampled.enable(main);
        for (int i = 0; i < 100; i++) {
            kept.add(EveryAllocation.deep(1));
        }
        WeakReference<Object> gone = new WeakReference<>(kept.remove(99));
        sampled.disable(main);
        maintain();
        for (int i = 0; i < 3_000 && deadSmall.get() < 1; i++) {
            System.gc();
            Thread.sleep(20);
            maintain();
        }
        Map<Object, SampledAllocation> live = new IdentityHashMap<>();
        for (SampledAllocation one : sampled.live()) {
            live.put(one.get(), one);
        }
        int found = 0;
        for (Object object : kept) {
            SampledAllocation one = live.get(object);
            found += one != null && one.sizeBytes() == jvm.getObjectSize(object) && one.stack().get(0).getMethodName().equals("deep")
                    && one.threadName().equals(main.getName()) ? 1 : 0;
        }
        check("followed and alive", found);
        check("the dropped one is dead", gone.refersTo(null) && deadSmall.get() >= 1);
        check("no death of the living", dead.stream().noneMatch(SampledAllocation::alive));
        check("faults of a death callback", counters.get(SampledAllocations.DEATH_FAULTS) > 0);
        sampled.follow(false);
        sampled.enable();
        maintain();
    }

    /** By reflection: not in the oldest release. */
    private void virtualThreads() throws Exception {
        if (Runtime.version().feature() < 21) {
            check("told of 3000 objects on virtual threads", 3_000);
            return;
        }
        LongAdder told = new LongAdder();
        SampledAllocationListener listener = (thread, object, type, size) -> {
            if (type == EveryAllocation.Small.class) {
                told.increment();
            }
        };
        sampled.interval(0);
        sampled.addListener(listener);
        maintain();
        told.reset();
        long crowded = counters.get(IntervalLane.CROWDED);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            threads.add((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, (Runnable) () -> {
                for (int j = 0; j < 100; j++) {
                    EveryAllocation.deep(0);
                    Thread.yield();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        sampled.removeListener(listener);
        check("told of 3000 objects on virtual threads", told.sum() + counters.get(IntervalLane.CROWDED) - crowded);
    }

    /** Shares of classes, and a program whose rhythm is that of the interval. */
    private void statistics() {
        long small = jvm.getObjectSize(new EveryAllocation.Small(1));
        long interval = 16 * 1_024;
        Map<Class<?>, double[]> bytes = new HashMap<>();
        for (Class<?> type : List.of(EveryAllocation.Small.class, byte[].class, char[].class, long[].class, int[].class)) {
            bytes.put(type, new double[2]);
        }
        Thread main = Thread.currentThread();
        SampledAllocationListener listener = (thread, object, type, size) -> {
            double[] sum = thread == main ? bytes.get(type) : null;
            if (sum != null) {
                sum[0] += SampledAllocations.weight(size, interval);
                sum[1]++;
            }
        };
        sampled.interval(interval);
        sampled.addListener(listener);
        maintain();
        EveryAllocation.mixed(10, small);
        bytes.values().forEach(sum -> java.util.Arrays.fill(sum, 0));
        long[] truth = EveryAllocation.mixed(80_000, small);
        check("mixed", within(bytes.get(EveryAllocation.Small.class), truth[0]) + " " + within(bytes.get(byte[].class), truth[1]) + " "
                + within(bytes.get(char[].class), truth[2]));
        bytes.values().forEach(sum -> java.util.Arrays.fill(sum, 0));
        // Sixteen objects of 1 024 bytes are one interval.
        EveryAllocation.rhythm(40_000, 15);
        check("rhythm", within(bytes.get(long[].class), 40_000L * 1_016) + " " + within(bytes.get(int[].class), 15L * 40_000 * 1_016));
        sampled.removeListener(listener);
    }

    /** Ten per cent, or seven standard errors where there are fewer samples. */
    private static String within(double[] estimate, double truth) {
        double limit = Math.max(0.1, 7 / Math.sqrt(Math.max(1, estimate[1])));
        double error = Math.abs(estimate[0] / truth - 1);
        return error <= limit && estimate[1] > 50 ? "true" : "false(" + estimate[0] / truth + " of " + estimate[1] + ")";
    }

    private void restored() {
        long before = counters.get(IntervalLane.SAMPLES) + counters.get(IntervalLane.NESTED);
        for (int i = 0; i < 1_000; i++) {
            EveryAllocation.deep(1);
        }
        check("samples after close", counters.get(IntervalLane.SAMPLES) + counters.get(IntervalLane.NESTED) - before);
        check("listeners after close", sampled.addListener((thread, object, type, size) -> { }));
        check("refused classes", counters.get(AllocationInstrumentation.CLASSES_REFUSED));
    }
}
