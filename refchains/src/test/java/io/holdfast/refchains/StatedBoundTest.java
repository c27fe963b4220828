package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Reservoir;
import io.holdfast.refchains.test.Session;
import io.holdfast.refchains.test.Table;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.PriorityBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatedBoundTest {
    private static final class LeastRecentlyUsed extends LinkedHashMap<Object, Object> {
        private static final long serialVersionUID = 1L;
        private final int maxEntries;

        LeastRecentlyUsed(int maxEntries) {
            this.maxEntries = maxEntries;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
            return size() > maxEntries;
        }
    }

    /** With shares of the whole that are bounds of parts of it. */
    private static final class InParts extends HashMap<Object, Object> {
        private static final long serialVersionUID = 1L;
        private final long windowMaximum = 100;
        private final long mainMaximum = 800;
        private final long maximum = 1_000;

        @Override
        public String toString() {
            return windowMaximum + " " + mainMaximum + " " + maximum;
        }
    }

    private static Map<Object, Object> capturing(int max) {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Object, Object> eldest) {
                return size() > max;
            }
        };
    }

    private static List<StatedBound> levels() {
        return List.of(new StatedBound(HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), new Counters()).reader()),
                new StatedBound(HeapAccess.open(Optional.empty(), Optional.empty(), new Counters()).reader()));
    }

    private static void assertBound(Object container, long bound) {
        assertThat(levels().get(0).of(container, null, 5)).isEqualTo(bound);
    }

    private static void assertHeldBound(Object holder, long bound) {
        for (StatedBound stated : levels()) {
            assertThat(stated.of(new ArrayList<>(), holder, 5)).isEqualTo(bound);
        }
    }

    @Test
    void whatCachesAndQueuesSay() {
        assertBound(new LeastRecentlyUsed(1_000), 1_000);
        assertBound(Collections.synchronizedMap(new LeastRecentlyUsed(1_000)), 1_000);
        assertBound(capturing(1_000), 1_000);
        assertBound(new LinkedBlockingQueue<>(1_000), 1_000);
        assertBound(new LinkedBlockingDeque<>(1_000), 1_000);
    }

    @Test
    void whatStatesNoBoundOrOneThatIsPassed() {
        for (Object container : List.of(new ArrayList<>(), new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>(), new ConcurrentHashMap<>(),
                new ConcurrentSkipListMap<>(), new ArrayDeque<>(), new PriorityQueue<>(), new PriorityBlockingQueue<>(), new ConcurrentLinkedQueue<>(),
                new CopyOnWriteArrayList<>(), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(), Collections.synchronizedList(new ArrayList<>()),
                Collections.newSetFromMap(new HashMap<>()), new Object[10], new StatedBoundTest())) {
            assertBound(container, GrowthProbe.UNBOUNDED);
        }
        assertBound(new LeastRecentlyUsed(4), GrowthProbe.UNBOUNDED);
        assertBound(new LeastRecentlyUsed(5), 5);
        assertThat(levels().get(0).of(new LeastRecentlyUsed(1_000), null, 1_125)).as("evicts when it has too many already").isEqualTo(1_000);
        assertThat(levels().get(0).of(new LeastRecentlyUsed(1_000), null, 1_126)).isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @Test
    void theFullnessAtWhichATableGrowsIsNoBound() {
        StatedBound stated = levels().get(0);
        Table table = new Table();
        table.add("one");
        assertThat(stated.of(table, null, 1)).as("nobody can know yet").isEqualTo(12);
        while (table.size() < 13) {
            table.add("more");
        }
        assertThat(stated.of(table, null, 13)).isEqualTo(GrowthProbe.UNBOUNDED);
        assertThat(stated.of(table, null, 14)).as("nor ever again").isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @Test
    void aProbeKnowsItFromItsFirstLookOn() {
        Table table = new Table();
        for (int i = 0; i < 11; i++) {
            table.add(new Session(1));
        }
        Registry.active = table;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            GrowthProbe probe = bench.find(List.copyOf(table)).accumulation().probe();
            assertThat(probe.elements()).isEqualTo(11);
            assertThat(probe.bound()).isEqualTo(12);
            table.add(new Session(1));
            table.add(new Session(1));
            assertThat(probe.elements()).isEqualTo(13);
            assertThat(probe.bound()).isEqualTo(GrowthProbe.UNBOUNDED);
        } finally {
            Registry.active = null;
        }
    }

    private static class Bounded {
        private static final int MAX_ENTRIES = 100;
        private static final List<Object> shared = new ArrayList<>();
    }

    private static final class BoundedFurther extends Bounded {
        private final long maximumSize;
        private final int maxFrameSize = 16;
        private final int bufferSize = 32;

        BoundedFurther(long maximumSize) {
            this.maximumSize = maximumSize;
        }

        @Override
        public String toString() {
            return maximumSize + " " + maxFrameSize + " " + bufferSize;
        }
    }

    @Test
    void whatTheHolderSays() {
        assertThat(Bounded.shared).isEmpty(); // reflection alone reads no class that may not be initialised
        assertHeldBound(new Reservoir(1_000), 1_000);
        assertHeldBound(new Reservoir(4), GrowthProbe.UNBOUNDED);
        assertHeldBound(new Reservoir(Integer.MAX_VALUE), GrowthProbe.UNBOUNDED);
        assertHeldBound(new Bounded(), Bounded.MAX_ENTRIES);
        assertHeldBound(Bounded.class, Bounded.MAX_ENTRIES);
        assertHeldBound(new BoundedFurther(80), 80);
        assertHeldBound(BoundedFurther.class, GrowthProbe.UNBOUNDED);
        assertHeldBound(Reservoir.class, GrowthProbe.UNBOUNDED);
        assertHeldBound(new Object(), GrowthProbe.UNBOUNDED);
        assertThat(levels().get(0).of(new LeastRecentlyUsed(50), new Reservoir(1_000), 5)).as("the smaller of both").isEqualTo(50);
        assertThat(levels().get(0).of(new Reservoir(1_000), null, 5)).as("what holds the first node of a list").isEqualTo(1_000);
        assertThat(levels().get(0).of(new Object[10], new Reservoir(1_000), 5)).as("an array says nothing itself").isEqualTo(1_000);
    }

    @Test
    void aProbeAsksWhatHoldsTheContainer() {
        Map<String, Object> reservoirs = new HashMap<>();
        List<Object> values = new ArrayList<>();
        Reservoir reservoir = new Reservoir(30);
        reservoirs.put("of requests", reservoir);
        for (int i = 0; i < 20; i++) {
            values.add(new Session(i));
            reservoir.update(i, values.get(i));
        }
        Registry.active = reservoirs;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            GrowthProbe probe = bench.find(values).accumulation().probe();
            assertThat(probe.elements()).isEqualTo(20);
            assertThat(probe.bound()).isEqualTo(30);
            reservoirs.put("of requests", new Reservoir(30));
            assertThat(probe.elements()).as("another in its place").isZero();
            assertThat(probe.bound()).isEqualTo(30);
            reservoirs.put("of requests", new Reservoir(40));
            assertThat(probe.elements()).isZero();
            assertThat(probe.bound()).as("what changes is no bound").isEqualTo(GrowthProbe.UNBOUNDED);
        } finally {
            Registry.active = null;
        }
    }

    @Test
    void severalContainersTakeWhatTheyTakeTogether() {
        List<Object> values = new ArrayList<>();
        Reservoir[] reservoirs = {new Reservoir(30), new Reservoir(50)};
        for (int i = 0; i < 40; i++) {
            values.add(new Session(i));
            reservoirs[i % 2].update(i, values.get(i));
        }
        Registry.active = reservoirs;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            GrowthProbe probe = bench.find(values).accumulation().probe();
            assertThat(probe.elements()).isEqualTo(40);
            assertThat(probe.bound()).isEqualTo(80);
            for (int i = 40; i < 240; i++) {
                reservoirs[i % 2].update(i, new Session(i));
            }
            assertThat(probe.elements()).isEqualTo(80);
            assertThat(probe.bound()).as("full, and not beyond").isEqualTo(80);
        } finally {
            Registry.active = null;
        }
    }

    @Test
    void theNextOfSeveralBoundsThatStay() {
        StatedBound stated = levels().get(0);
        InParts parts = new InParts();
        assertThat(stated.of(parts, null, 5)).isEqualTo(100);
        assertThat(stated.of(parts, null, 500)).isEqualTo(800);
        assertThat(stated.of(parts, null, 901)).isEqualTo(1_000);
        assertThat(stated.of(parts, null, 1_126)).isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @Test
    void byReflectionAlone() {
        assertThat(levels().get(1).of(new ArrayList<>(), null, 5)).isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"maximum", "maxWeight", "maximumSize", "maxEntries", "val$max", "val$limit", "capacity", "limit", "bound", "queueSizeMax", "maxPages"})
    void namesOfBounds(String name) {
        assertThat(BoundField.named(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"size", "threshold", "modCount", "producerLimit", "count", "expungeLimitIndex", "capacityMask", "loadFactor", "maxAge", "maxIdleMillis",
        "maxWaitTime", "maxAgeNanos"})
    void otherNames(String name) {
        assertThat(BoundField.named(name)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"reservoirSize", "maxSize", "maximumSize", "maxEntries", "MAX_ENTRIES", "CACHE_SIZE", "MAX_CACHE_SIZE", "cacheMaxSize", "capacity", "maxCapacity",
        "historySize", "queueCapacity", "val$maxItems", "sizeLimit", "maxElements"})
    void namesOfBoundsInWhatHoldsACollection(String name) {
        assertThat(BoundField.namedByHolder(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"size", "limit", "maxIdleMillis", "maxAge", "maxFrameSize", "maxMessageSize", "bufferSize", "initialCapacity", "DEFAULT_CAPACITY", "INITIAL_CAPACITY",
        "poolSize", "corePoolSize", "maximumPoolSize", "maxThreads", "threshold", "maxRetries", "maxLength", "batchSize", "pageSize", "rateLimit", "timeLimit", "windowSize"})
    void otherNumbersOfWhatHoldsACollection(String name) {
        assertThat(BoundField.namedByHolder(name)).isFalse();
    }
}
