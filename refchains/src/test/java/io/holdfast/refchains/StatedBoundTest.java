package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.Registry;
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
        assertThat(levels().get(0).of(container, 5)).isEqualTo(bound);
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
        assertThat(levels().get(0).of(new LeastRecentlyUsed(1_000), 1_125)).as("evicts when it has too many already").isEqualTo(1_000);
        assertThat(levels().get(0).of(new LeastRecentlyUsed(1_000), 1_126)).isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @Test
    void theFullnessAtWhichATableGrowsIsNoBound() {
        StatedBound stated = levels().get(0);
        Table table = new Table();
        table.add("one");
        assertThat(stated.of(table, 1)).as("nobody can know yet").isEqualTo(12);
        while (table.size() < 13) {
            table.add("more");
        }
        assertThat(stated.of(table, 13)).isEqualTo(GrowthProbe.UNBOUNDED);
        assertThat(stated.of(table, 14)).as("nor ever again").isEqualTo(GrowthProbe.UNBOUNDED);
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
            assertThat(probe.bound(11)).isEqualTo(12);
            table.add(new Session(1));
            table.add(new Session(1));
            assertThat(probe.elements()).isEqualTo(13);
            assertThat(probe.bound(13)).isEqualTo(GrowthProbe.UNBOUNDED);
        } finally {
            Registry.active = null;
        }
    }

    @Test
    void theNextOfSeveralBoundsThatStay() {
        StatedBound stated = levels().get(0);
        InParts parts = new InParts();
        assertThat(stated.of(parts, 5)).isEqualTo(100);
        assertThat(stated.of(parts, 500)).isEqualTo(800);
        assertThat(stated.of(parts, 901)).isEqualTo(1_000);
        assertThat(stated.of(parts, 1_126)).isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @Test
    void byReflectionAlone() {
        assertThat(levels().get(1).of(new ArrayList<>(), 5)).isEqualTo(GrowthProbe.UNBOUNDED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"maximum", "maxWeight", "maximumSize", "maxEntries", "val$max", "val$limit", "capacity", "limit", "bound", "queueSizeMax"})
    void namesOfBounds(String name) {
        assertThat(BoundField.named(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"size", "threshold", "modCount", "producerLimit", "count", "expungeLimitIndex", "capacityMask", "loadFactor"})
    void otherNames(String name) {
        assertThat(BoundField.named(name)).isFalse();
    }
}
