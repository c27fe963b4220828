package io.holdfast.examples.benchmarks;

import io.holdfast.agent.AllocationInstrumentation;
import io.holdfast.agent.AttachResult;
import io.holdfast.agent.HookSettings;
import io.holdfast.agent.SelfAttach;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrustedLookup;
import io.holdfast.jfr.AllocationScout;
import java.lang.instrument.Instrumentation;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;

/**
 * How long it takes until a site carries a hook, by its share of the allocated bytes: 90 %, 8.9 %, 1 % and 0.1 %. The allocation goes on at a fixed rate, from
 * before the start. Arguments: megabytes a second, seconds to wait, samples a second.
 */
final class SiteDiscovery {
    private static final int OBJECT_BYTES = 80;
    private static final int PARTS = 1_000;
    private static final Object[] LATEST = new Object[1 << 14];
    private static volatile boolean ended;

    private SiteDiscovery() { }

    /** Objects of 80 bytes, one class a site. */
    private static final class Content {
        private Content() { }

        static Object most() {
            return new byte[OBJECT_BYTES - 16];
        }

        static Object many() {
            return new char[(OBJECT_BYTES - 16) / 2];
        }

        static Object hundredth() {
            return new int[(OBJECT_BYTES - 16) / 4];
        }

        static Object thousandth() {
            return new long[(OBJECT_BYTES - 16) / 8];
        }
    }

    public static void main(String[] arguments) throws Exception {
        double megabytes = Double.parseDouble(arguments[0]);
        long limit = Long.parseLong(arguments[1]) * 1_000_000_000L;
        AttachResult attached = SelfAttach.attach();
        if (!attached.attached()) {
            throw new IllegalStateException(attached.reason());
        }
        Thread program = new Thread(() -> allocate(megabytes), "program");
        program.start();
        Instrumentation jvm = attached.instrumentation();
        Counters counters = new Counters();
        Ticker ticker = Ticker.system();
        String[] names = {"most", "many", "hundredth", "thousandth"};
        double[] found = {Double.NaN, Double.NaN, Double.NaN, Double.NaN};
        long start = ticker.nanos();
        try (AllocationInstrumentation instrumentation = AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(), sample -> true,
                new GcEpochs(), ticker, counters, new SplittableRandom(), null, HookSettings.defaults());
                AllocationScout scout = new AllocationScout(instrumentation::observe, counters)) {
            scout.start(Integer.parseInt(arguments[2]));
            int left = names.length;
            while (left > 0 && ticker.nanos() - start < limit) {
                Thread.sleep(100);
                instrumentation.maintain(ticker.nanos(), List.of());
                for (int site = 0; site < instrumentation.siteCount(); site++) {
                    for (int i = 0; i < names.length; i++) {
                        if (Double.isNaN(found[i]) && instrumentation.active(site) && instrumentation.site(site).methodName().equals(names[i])) {
                            found[i] = (ticker.nanos() - start) / 1e9;
                            left--;
                        }
                    }
                }
            }
            System.out.printf(Locale.ROOT, "%.0f MB/s: 90 %% after %.1f s, 8.9 %% after %.1f s, 1 %% after %.1f s, 0.1 %% after %.1f s; %d batches, %.0f ms stopped%n", megabytes,
                    found[0], found[1], found[2], found[3], instrumentation.batches(), instrumentation.stoppedNanos() / 1e6);
        }
        ended = true;
        System.exit(0);
    }

    private static void allocate(double megabytes) {
        long start = System.nanoTime();
        for (long count = 0; !ended; count++) {
            int part = (int) (count % PARTS);
            LATEST[(int) count & LATEST.length - 1] = part == 0 ? Content.thousandth() : part <= 10 ? Content.hundredth() : part < 100 ? Content.many() : Content.most();
            if (part == 0) {
                long due = start + (long) (count * (double) OBJECT_BYTES / megabytes * 1_000);
                while (System.nanoTime() < due) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
