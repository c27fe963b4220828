package io.holdfast.agent;

import fixtures.LeakyProgram;
import io.holdfast.core.AllocationSample;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.ScoutedAllocation;
import io.holdfast.core.TrustedLookup;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Main class of the forked JVMs. Each line printed is a fact for {@link ForkedAgentTest} to look at. */
final class ForkedProgram {
    private static final String LOGIN = "(I)L" + LeakyProgram.class.getName().replace('.', '/') + "$Session;";
    private static final List<ScoutedAllocation> SITES = List.of(
            scouted(LeakyProgram.class.getName(), "login", LOGIN, LeakyProgram.class.getName() + "$Session"),
            scouted("java.util.HashMap", "newNode",
                    "(ILjava/lang/Object;Ljava/lang/Object;Ljava/util/HashMap$Node;)Ljava/util/HashMap$Node;", "java.util.HashMap$Node"),
            scouted("java.util.ArrayList", "grow", "(I)[Ljava/lang/Object;", "java.lang.Object[]"));

    private static final int MAX_KEPT = 1_000;

    private ForkedProgram() { }

    private static ScoutedAllocation scouted(String className, String method, String descriptor, String type) {
        int index = ScannedSites.first(RewritingLoader.classFile(className), method, descriptor, type).index();
        return new ScoutedAllocation(className, method, descriptor, index, -1, type, 1_000);
    }

    public static void main(String[] arguments) throws Exception {
        switch (arguments[0]) {
            case "attach" -> System.out.println(describe(SelfAttach.attach()));
            case "sites" -> sites();
            case "loaders" -> loaders();
            case "plain" -> System.out.println("application runs");
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static String describe(AttachResult result) {
        return result.attached() ? "attached, retransforms: " + result.instrumentation().isRetransformClassesSupported() : result.reason();
    }

    private static void sites() throws Exception {
        Instrumentation jvm = SelfAttach.attach().instrumentation();
        Map<String, byte[]> original = bytes(jvm);
        VirtualTicker ticker = new VirtualTicker();
        ConcurrentLinkedQueue<AllocationSample> samples = new ConcurrentLinkedQueue<>();
        LongAdder offered = new LongAdder();
        for (int round = 1; round <= 2; round++) {
            Counters counters = new Counters();
            AllocationInstrumentation instrumentation = AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(),
                    sample -> {
                        offered.increment();
                        return offered.sum() < MAX_KEPT && samples.add(sample);
                    }, new GcEpochs(), ticker, counters, SkippedHits.none(HookBytecode.MAX_SITES), null, HookSettings.defaults());
            for (ScoutedAllocation site : SITES) {
                instrumentation.observe(site);
                instrumentation.observe(site);
            }
            ticker.advance(6);
            instrumentation.maintain(ticker.nanos(), List.of());
            System.out.println("round " + round + " active: " + active(instrumentation) + " batches: " + instrumentation.batches());
            refuseSecondInstall(jvm, ticker);
            runApplication();
            System.out.println("samples without tokens: " + samples.size());
            for (int id = 0; id < instrumentation.siteCount(); id++) {
                // Enough for the application, whatever the JVM's own threads use up meanwhile.
                instrumentation.grant(id, 50);
            }
            runApplication();
            System.out.println("samples: " + describe(samples, instrumentation));
            System.out.println("changed classes: " + differences(original, bytes(jvm)));
            for (int id = 0; id < instrumentation.siteCount(); id++) {
                instrumentation.grant(id, 1_000_000);
            }
            offered.reset();
            hammer();
            System.out.println("hammered: " + (offered.sum() > MAX_KEPT));
            instrumentation.close();
            System.out.println("changed classes after close: " + differences(original, bytes(jvm)));
            samples.clear();
            offered.reset();
            runApplication();
            System.out.println("samples after close: " + samples.size());
            System.out.println("counters: " + counters.snapshot());
        }
    }

    /** Two loaders share a site, and a loader with hooked classes can go. */
    private static void loaders() throws Exception {
        Instrumentation jvm = SelfAttach.attach().instrumentation();
        VirtualTicker ticker = new VirtualTicker();
        ConcurrentLinkedQueue<AllocationSample> samples = new ConcurrentLinkedQueue<>();
        Counters counters = new Counters();
        try (AllocationInstrumentation instrumentation = AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(),
                samples::add, new GcEpochs(), ticker, counters, SkippedHits.none(HookBytecode.MAX_SITES), null, HookSettings.defaults())) {
            LeakyProgram.login(0);
            WeakReference<ClassLoader> before = redeploy(true, () -> {
                instrumentation.observe(SITES.get(0));
                instrumentation.observe(SITES.get(0));
                ticker.advance(6);
                instrumentation.maintain(ticker.nanos(), List.of());
                instrumentation.grant(0, 2);
            });
            WeakReference<ClassLoader> after = redeploy(false, () -> instrumentation.grant(0, 2));
            LeakyProgram.login(0);
            System.out.println("samples: " + samples.size());
            samples.clear();
            System.out.println("loaders gone: " + gone(before) + " " + gone(after));
        }
    }

    private static WeakReference<ClassLoader> redeploy(boolean loadFirst, Runnable between) throws Exception {
        String session = LeakyProgram.class.getName() + "$Session";
        RewritingLoader loader = new RewritingLoader(Map.of(LeakyProgram.class.getName(), RewritingLoader.classFile(LeakyProgram.class.getName()),
                session, RewritingLoader.classFile(session)));
        if (loadFirst) {
            loader.loadClass(LeakyProgram.class.getName()).getMethod("login", int.class).invoke(null, 1);
        }
        between.run();
        loader.loadClass(LeakyProgram.class.getName()).getMethod("login", int.class).invoke(null, 1);
        return new WeakReference<>(loader);
    }

    private static boolean gone(WeakReference<ClassLoader> loader) throws InterruptedException {
        for (int i = 0; i < 2_000 && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return loader.get() == null;
    }

    private static List<String> active(AllocationInstrumentation instrumentation) {
        List<String> active = new ArrayList<>();
        for (int id = 0; id < instrumentation.siteCount(); id++) {
            active.add(instrumentation.site(id).methodName() + "=" + instrumentation.active(id));
        }
        return active.stream().sorted().toList();
    }

    private static void refuseSecondInstall(Instrumentation jvm, VirtualTicker ticker) {
        try {
            AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(), sample -> true, new GcEpochs(), ticker,
                    new Counters(), SkippedHits.none(HookBytecode.MAX_SITES), null, HookSettings.defaults());
            System.out.println("second install succeeded");
        } catch (IllegalStateException e) {
            System.out.println("second install: " + e.getMessage());
        }
    }

    private static void runApplication() throws InterruptedException {
        Thread application = new Thread(() -> {
            for (int i = 0; i < 100; i++) {
                LeakyProgram.login(i);
            }
            LeakyProgram.list(1_000);
        }, "application");
        application.start();
        application.join();
        LeakyProgram.SESSIONS.clear();
    }

    /** Many threads in the slow path, from compiled code too, with user code that is hit while it holds locks. */
    private static void hammer() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            threads.add(new Thread(() -> {
                Map<Integer, Object> own = new HashMap<>();
                for (int i = 0; i < 5_000; i++) {
                    own.put(i, LeakyProgram.list(12));
                }
            }, "hammer-" + t));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static String describe(ConcurrentLinkedQueue<AllocationSample> samples, AllocationInstrumentation instrumentation) {
        List<String> seen = new ArrayList<>();
        for (AllocationSample sample : samples) {
            if (sample.threadName().equals("application")) {
                StackTraceElement top = sample.stack().getStackTrace()[0];
                seen.add(instrumentation.site(sample.siteId()).methodName() + "@" + top.getMethodName());
            }
        }
        samples.clear();
        return seen.stream().distinct().sorted().toList().toString();
    }

    /** The bytes the JVM runs, as a transformer that comes last sees them. */
    private static Map<String, byte[]> bytes(Instrumentation jvm) throws Exception {
        Map<String, byte[]> seen = new HashMap<>();
        ClassFileTransformer observer = new ClassFileTransformer() {
            @Override
            public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] classFile) {
                // A class that is loaded in the middle of a retransformation is announced with the other one's Class.
                if (redefined != null && redefined.getName().replace('.', '/').equals(name)) {
                    seen.put(name, classFile.clone());
                }
                return null;
            }
        };
        jvm.addTransformer(observer, true);
        jvm.retransformClasses(LeakyProgram.class, HashMap.class, ArrayList.class);
        jvm.removeTransformer(observer);
        return seen;
    }

    private static List<String> differences(Map<String, byte[]> before, Map<String, byte[]> after) {
        return before.keySet().stream().filter(name -> !Arrays.equals(before.get(name), after.get(name))).sorted().toList();
    }
}
