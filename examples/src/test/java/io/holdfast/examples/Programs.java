package io.holdfast.examples;

import io.holdfast.Holdfast;
import io.holdfast.core.ChainResult;
import io.holdfast.core.Hop;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** Small programs for forked JVMs. */
final class Programs {
    private Programs() { }

    /** Prints a line and ends: the program whose result must not change. */
    static final class Hello {
        private Hello() { }

        public static void main(String[] args) {
            System.out.println("result 42");
        }
    }

    /** Ends as soon as the allocation hook is in place. */
    static final class EndsWithTheHook {
        private EndsWithTheHook() { }

        public static void main(String[] args) throws InterruptedException {
            long end = System.nanoTime() + 600_000_000_000L;
            boolean there = false;
            while (!there && System.nanoTime() < end) {
                Thread.sleep(20);
                try {
                    Class.forName("java.lang.HoldfastAllocationHook", false, null);
                    there = true;
                } catch (ClassNotFoundException notYet) {
                    continue;
                }
            }
            System.out.println("result " + (there ? 42 : 0));
        }
    }

    /**
     * Keeps objects of one class, until the file in the argument names the class or five minutes are over. They are a seventh of the bytes, so that the JVM's sampler
     * names their site within seconds.
     */
    static final class TeachesTheNextStart {
        private static final List<Object> KEPT = new ArrayList<>();

        private TeachesTheNextStart() { }

        public static void main(String[] args) throws Exception {
            Path file = Path.of(args[0]);
            long end = System.nanoTime() + 300_000_000_000L;
            boolean learned = false;
            byte[] garbage = null;
            for (int i = 1; !learned && System.nanoTime() < end; i++) {
                KEPT.add(KeptAtOneSite.make());
                for (int j = 0; j < 3; j++) {
                    garbage = new byte[2_000];
                }
                Thread.sleep(4);
                learned = i % 100 == 0 && Files.exists(file) && Files.readString(file).contains(KeptAtOneSite.class.getName());
            }
            System.out.println("result " + (learned && garbage != null && KEPT.size() > 100 ? 42 : 0));
        }
    }

    /** Uses the class for the first time when Holdfast has started, and ends. */
    static final class LoadsWhatWasLearned {
        private LoadsWhatWasLearned() { }

        public static void main(String[] args) throws Exception {
            long end = System.nanoTime() + 60_000_000_000L;
            while (Holdfast.current().flatMap(Holdfast::status).filter(status -> !status.gate().equals("not_started")).isEmpty() && System.nanoTime() < end) {
                Thread.sleep(20);
            }
            System.out.println("result " + (KeptAtOneSite.make().content.length - 208));
        }
    }

    static final class KeptAtOneSite {
        final int[] content = new int[250];

        private KeptAtOneSite() { }

        static KeptAtOneSite make() {
            return new KeptAtOneSite();
        }
    }

    /** Returns from main after some seconds, with Holdfast fully up and never closed. */
    static final class EndsByItself {
        private EndsByItself() { }

        public static void main(String[] args) throws InterruptedException {
            Holdfast.start();
            Thread work = new Thread(() -> {
                long end = System.nanoTime() + 8_000_000_000L;
                byte[] last = null;
                while (System.nanoTime() < end) {
                    last = new byte[10_000];
                }
                System.out.println("result " + (last == null ? 0 : 42));
            });
            work.start();
            work.join();
        }
    }

    /** Runs until its input ends. */
    static final class ReadsUntilEnd {
        private ReadsUntilEnd() { }

        public static void main(String[] args) throws java.io.IOException {
            System.out.println("ready");
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
            System.out.println("result 42");
        }
    }

    /** Starts Holdfast twice. */
    static final class StartedTwice {
        private StartedTwice() { }

        public static void main(String[] args) {
            Holdfast first = Holdfast.start();
            Holdfast second = Holdfast.start();
            System.out.println("same " + (first == second));
            first.close();
            System.out.println("current " + Holdfast.current().isPresent());
            System.out.println("result 42");
        }
    }

    /** Asks for the chains of objects: one in a static map, one that only this frame holds, and one with no time to look. */
    static final class FindsChains {
        private static final Map<String, Object> HELD = new ConcurrentHashMap<>();
        private static final Duration LONG = Duration.ofMinutes(10);

        private FindsChains() { }

        public static void main(String[] args) throws Exception {
            try (Holdfast holdfast = Holdfast.start()) {
                Object held = new StringBuilder("held");
                HELD.put("key", List.of(held));
                Object local = new StringBuilder("local");
                System.out.println("held " + text(holdfast.findChain(held, LONG).get()));
                System.out.println("local " + text(holdfast.findChain(local, LONG).get()));
                System.out.println("timeout " + text(holdfast.findChain(held, Duration.ZERO).get()));
                String busy = "";
                for (int i = 0; i < 1_000 && !busy.startsWith("another search"); i++) {
                    // On a busy machine the first may have ended before this thread gets to ask again.
                    CompletableFuture<ChainResult> first = holdfast.findChain(local, LONG);
                    busy = text(holdfast.findChain(held, LONG).get());
                    first.get();
                }
                System.out.println("busy " + busy);
                System.out.println("kept " + held + " " + local);
            }
        }

        private static String text(ChainResult result) {
            return result instanceof ChainResult.Found found
                    ? found.chain().root().label() + " " + found.chain().edges().stream().map(Hop::target).toList()
                    : ((ChainResult.NotReached) result).reason();
        }
    }

    /** Starts Holdfast, lets it work under allocation for some seconds, closes it, and tells what is left of it. */
    static final class StartedAndClosed {
        /** However fast the machine is, they fit. */
        private static final int MAX_KEPT = 5_000;

        private StartedAndClosed() { }

        public static void main(String[] args) throws InterruptedException {
            Holdfast holdfast = Holdfast.start(args.length > 0 ? args[0] : "");
            List<byte[]> kept = new ArrayList<>();
            long end = System.nanoTime() + 12_000_000_000L;
            long made = 0;
            while (System.nanoTime() < end) {
                byte[] block = new byte[4_000];
                if (made++ % 1_000 == 0 && kept.size() < MAX_KEPT) {
                    kept.add(block);
                }
                if (made % 100 == 0) {
                    Thread.onSpinWait();
                }
            }
            holdfast.close();
            holdfast.close();
            long gone = System.nanoTime() + 300_000_000_000L;
            TreeSet<String> left = left();
            while (!(left.isEmpty() && recordings() == 0) && System.nanoTime() < gone) {
                Thread.yield();
                left = left();
            }
            System.out.println("left " + left);
            System.out.println("property " + System.getProperty("holdfast.running"));
            System.out.println("recordings " + recordings());
            System.out.println("kept " + (kept.size() > 0));
        }

        private static int recordings() {
            return jdk.jfr.FlightRecorder.getFlightRecorder().getRecordings().size();
        }

        private static TreeSet<String> left() {
            TreeSet<String> names = new TreeSet<>();
            for (var info : ManagementFactory.getThreadMXBean().dumpAllThreads(false, false)) {
                if (info.getThreadName().startsWith("holdfast") || info.getThreadName().startsWith("JFR Event Stream")) {
                    names.add(info.getThreadName());
                }
            }
            return names;
        }
    }
}
