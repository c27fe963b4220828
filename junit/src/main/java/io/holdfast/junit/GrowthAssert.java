package io.holdfast.junit;

import io.holdfast.HeldBy;
import io.holdfast.core.Ticker;
import io.holdfast.refchains.HeapCensus;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Repeats an action and asserts that nothing becomes more with every repetition. What is reachable is counted at up to six moments; a class grows if its
 * instances, or the references that leave them, have become more from each moment to the next, and by three for four repetitions over all: caches that
 * fill up, growth by doubling and single leftovers are not taken for leaks. What grows while the action does not run is not the action's: if there
 * is nothing else, the test is aborted. Immutable.
 *
 * <p>Other tests that run at the same time in this JVM may hide growth or be mistaken for it: use {@code @Isolated} or a {@code @ResourceLock}.
 */
public final class GrowthAssert {
    static final int DEFAULT_WARMUP = 2;
    static final int MIN_TIMES = 3;
    private static final int MAX_MOMENTS = 5;
    private static final int IDLE_MOMENTS = 3;
    /** Lets our own first censuses load their classes and fill their caches. */
    private static final int CENSUSES_TO_WARM_UP = 2;
    private static final int REPETITIONS_TO_EXPLAIN = 2;
    private static final int MAX_CLASSES_EXPLAINED = 8;
    private static final int MAX_OBJECTS_EXPLAINED = 256;
    private static final int MAX_CLASSES_SHOWN = 4;

    private final int times;
    private final int warmup;
    private final Reckoning reckoning;
    private final Map<String, Object> testRoots;
    private final Ticker ticker;
    private final Collector collector;
    private final Grace grace;

    GrowthAssert(int times, int warmup, Reckoning reckoning, Map<String, Object> testRoots, Ticker ticker, Collector collector, Grace grace) {
        if (times < MIN_TIMES) {
            throw new IllegalArgumentException("repeating(" + times + "): at least " + MIN_TIMES + " times are needed to tell growth from chance");
        }
        if (warmup < 0) {
            throw new IllegalArgumentException("warmup(" + warmup + "): must not be negative");
        }
        this.times = times;
        this.warmup = warmup;
        this.reckoning = reckoning;
        this.testRoots = testRoots;
        this.ticker = ticker;
        this.collector = collector;
        this.grace = grace;
    }

    /** Repetitions before the first count, {@value #DEFAULT_WARMUP} unless told otherwise. */
    public GrowthAssert warmup(int repetitions) {
        return new GrowthAssert(times, repetitions, reckoning, testRoots, ticker, collector, grace);
    }

    /**
     * Runs the action {@code warmup + times} times, and a few times more if something grew.
     *
     * @throws org.opentest4j.AssertionFailedError if something becomes more each time; says what and what holds it
     * @throws org.opentest4j.TestAbortedException if this JVM cannot tell
     */
    public void assertNoGrowth(Runnable action) {
        Objects.requireNonNull(action, "action");
        collector.whyNot().ifPresent(reckoning::abort);
        synchronized (ForcedCollections.permit()) {
            new Run(action).run();
        }
    }

    /** One measurement of one class and kind. */
    private record Series(String className, boolean references, long[] values) {
        long gained() {
            return values[values.length - 1] - values[0];
        }

        String shown(int times) {
            StringBuilder text = new StringBuilder("+").append(gained()).append(references ? " references from " : " instances of ").append(className)
                    .append(" in ").append(times).append(" repetitions (");
            for (int i = 1; i < values.length; i++) {
                text.append(i == 1 ? "+" : " +").append(values[i] - values[i - 1]);
            }
            return text.append(')').toString();
        }
    }

    private final class Run {
        private final Runnable action;
        private final Map<String, Object> namedRoots = new LinkedHashMap<>(testRoots);
        private final List<Object> roots;
        private final long start = ticker.nanos();
        private int collections;

        Run(Runnable action) {
            this.action = action;
            namedRoots.put("what the test's lambda captured", action);
            roots = List.copyOf(namedRoots.values());
        }

        void run() {
            repeat(warmup);
            for (int i = 0; i < CENSUSES_TO_WARM_UP; i++) {
                census();
            }
            int moments = Math.min(times, MAX_MOMENTS);
            List<HeapCensus.Count> counts = new ArrayList<>();
            counts.add(census());
            for (int m = 0; m < moments; m++) {
                repeat(times * (m + 1) / moments - times * m / moments);
                counts.add(census());
            }
            List<Series> grown = grown(counts, moments);
            if (grown.isEmpty()) {
                return;
            }
            List<Series> byAction = withoutIdleGrowth(grown);
            if (byAction.isEmpty()) {
                reckoning.abort("something grows while the action does not run, so it cannot be the action's: " + grown.get(0).shown(times)
                        + ". Run the test alone (@Isolated, @ResourceLock)");
            }
            explain(byAction);
        }

        private void repeat(int n) {
            for (int i = 0; i < n; i++) {
                action.run();
            }
        }

        private HeapCensus.Count census() {
            collect();
            HeapCensus.Count count = reckoning.inspector().count(roots);
            if (!count.complete()) {
                reckoning.abort("the heap is too large to be counted (" + FailureText.count(count.objects()) + " objects fit); give the test JVM more memory");
            }
            return count;
        }

        /** So that what waits for a reference to be cleared (weak maps, cleaners) has had its chance; counted is what is strongly reachable. */
        private void collect() {
            ForcedCollections forced = new ForcedCollections(collector, ticker, grace::drain);
            if (forced.disprove(forced::seen, 0) != ForcedCollections.Verdict.GONE) {
                reckoning.abort("the JVM did not collect: an object that nothing holds was still there after " + forced.collections() + " requests");
            }
            collections += forced.collections();
        }

        private List<Series> grown(List<HeapCensus.Count> counts, int moments) {
            List<Series> grown = new ArrayList<>();
            for (String name : counts.get(counts.size() - 1).byClass().keySet()) {
                for (boolean references : new boolean[] {false, true}) {
                    Series series = new Series(name, references, counts.stream().mapToLong(c -> value(c, name, references)).toArray());
                    if (grows(series, moments)) {
                        grown.add(series);
                    }
                }
            }
            return grown;
        }

        private boolean grows(Series series, int moments) {
            long enough = Math.max(1, times / moments / 2);
            for (int i = 1; i < series.values().length; i++) {
                if (series.values()[i] - series.values()[i - 1] < enough) {
                    return false;
                }
            }
            return series.gained() * 4 >= 3L * times;
        }

        private List<Series> withoutIdleGrowth(List<Series> grown) {
            List<Series> left = new ArrayList<>(grown);
            HeapCensus.Count before = census();
            for (int i = 0; i < IDLE_MOMENTS; i++) {
                HeapCensus.Count after = census();
                HeapCensus.Count last = before;
                long enough = Math.max(1, times / Math.min(times, MAX_MOMENTS) / 2);
                left.removeIf(s -> value(after, s.className(), s.references()) - value(last, s.className(), s.references()) >= enough);
                before = after;
            }
            return left;
        }

        private void explain(List<Series> grown) {
            List<Series> telling = new ArrayList<>(grown);
            telling.sort(Comparator.comparing((Series s) -> ofJdk(s.className())).thenComparing(Series::references)
                    .thenComparing(Comparator.comparingLong(Series::gained).reversed()));
            TreeSet<String> names = new TreeSet<>();
            telling.stream().map(Series::className).distinct().limit(MAX_CLASSES_EXPLAINED).forEach(names::add);
            HeapCensus.Tally before = reckoning.inspector().tally(names, roots);
            repeat(REPETITIONS_TO_EXPLAIN);
            collect();
            List<WeakReference<Object>> objects = reckoning.inspector().grownSince(before, names, roots, MAX_OBJECTS_EXPLAINED);
            Optional<HeldBy> best = reckoning.inspector().findHolders(objects, namedRoots, reckoning.searchLimit()).stream()
                    .max(Comparator.comparing(HeldBy::explained).thenComparing(h -> h.leak().growth() != null)
                            .thenComparing(h -> !ofJdk(h.leak().className()))
                            .thenComparing(h -> !ofJdk(h.leak().sampledClasses().get(0))).thenComparing(h -> h.leak().live().tracked()));
            if (best.isEmpty()) {
                reckoning.abort("something grew and did not grow any more when it was looked at: " + telling.get(0).shown(times));
            }
            StringBuilder headline = new StringBuilder("The heap grows with every repetition: ");
            telling.stream().limit(MAX_CLASSES_SHOWN).forEach(s -> headline.append(s == telling.get(0) ? "" : "\n  and ").append(s.shown(times)));
            reckoning.judge(best.get(), headline.toString().replace("%", "%%"), String.format(Locale.ROOT,
                    "after %d full collections (%s), %.1f s.%s", collections, collector.names(), (ticker.nanos() - start) / 1e9, grace.note()));
        }

        private long value(HeapCensus.Count count, String name, boolean references) {
            HeapCensus.Population population = count.byClass().get(name);
            return population == null ? 0 : references ? population.references() : population.instances();
        }
    }

    private static boolean ofJdk(String className) {
        return className.startsWith("java.") || className.startsWith("jdk.") || className.startsWith("sun.") || className.indexOf('.') < 0;
    }
}
