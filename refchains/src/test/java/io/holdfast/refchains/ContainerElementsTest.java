package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContainerElementsTest {
    private final HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), new Counters()).reader();
    private final ContainerElements elements = new ContainerElements(reader);

    private static final class Alike {
        private final int number;

        Alike(int number) {
            this.number = number;
        }

        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Alike alike && alike.number == number;
        }
    }

    static Stream<Map<Object, Object>> maps() {
        return Stream.of(new HashMap<>(), new LinkedHashMap<>(), new TreeMap<>(), new ConcurrentHashMap<>(), new ConcurrentSkipListMap<>());
    }

    @ParameterizedTest
    @MethodSource("maps")
    void ofAMapItsEntriesArePicked(Map<Object, Object> map) {
        IntStream.range(0, 5_000).forEach(i -> map.put("key " + i, new Session(i)));
        List<Object> picked = elements.of(map, map.size(), 16);
        assertThat(picked).hasSize(16).doesNotHaveDuplicates();
        assertThat(picked).noneMatch(node -> node instanceof Session || node instanceof String);
    }

    @Test
    void keysWithOneHashAreFoundInTheirTree() {
        Map<Object, Object> map = new ConcurrentHashMap<>();
        IntStream.range(0, 5_000).forEach(i -> map.put(new Alike(i), new Session(i)));
        assertThat(elements.of(map, map.size(), 16)).hasSize(16)
                .allSatisfy(node -> assertThat(node.getClass().getSimpleName()).isEqualTo("TreeNode"));
    }

    @Test
    void ofAListTheOldestAndTheNewest() {
        List<Object> list = new ArrayList<>(10_000);
        IntStream.range(0, 5_000).forEach(i -> list.add(new Session(i)));
        List<Object> picked = elements.of(list, 5_000, 8);
        assertThat(picked).containsExactly(list.get(0), list.get(1), list.get(2), list.get(3), list.get(4_999), list.get(4_998), list.get(4_997), list.get(4_996));
    }

    @Test
    void ofAQueueItsNodesOrElements() {
        for (Collection<Object> queue : List.of(new ArrayDeque<>(), new LinkedList<>(), new LinkedBlockingQueue<>(), new LinkedBlockingDeque<>(),
                new PriorityQueue<>(Comparator.comparing(Object::hashCode)))) {
            IntStream.range(0, 500).forEach(i -> queue.add(new Session(i)));
            assertThat(elements.of(queue, 500, 16)).as(queue.getClass().getName()).hasSize(16).doesNotHaveDuplicates();
        }
    }

    @Test
    void entriesThatAreReferences() {
        Map<Object, Object> map = new WeakHashMap<>();
        List<Object> keys = new ArrayList<>();
        IntStream.range(0, 500).forEach(i -> keys.add(new Session(i)));
        keys.forEach(key -> map.put(key, key));
        assertThat(elements.of(map, 500, 16)).hasSize(16);
    }

    @Test
    void classesAndLoadersAreNoElements() {
        List<Object> list = new ArrayList<>(List.of(String.class, getClass().getClassLoader(), Integer.class));
        assertThat(elements.of(list, 3, 16)).isEmpty();
    }

    @Test
    void aContainerThatEmptiesMeanwhileBringsNothing() {
        assertThat(elements.of(new ArrayList<>(), 500, 16)).isEmpty();
        assertThat(elements.of(new Object[1 << 20], 500, 16)).isEmpty();
        assertThat(elements.of(new HashMap<>(), 500, 16)).isEmpty();
    }
}
