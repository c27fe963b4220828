package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ContainerCountsTest {
    private final HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), new Counters()).reader();
    private final ContainerCounts counts = new ContainerCounts(reader);

    private long count(Object container) {
        return counts.of(container, reader.plan(container), VisitedTable.NONE);
    }

    static Stream<Collection<Integer>> empty() {
        return Stream.of(new ArrayList<>(), new ArrayDeque<>(), new CopyOnWriteArrayList<>(), new LinkedBlockingQueue<>());
    }

    @ParameterizedTest
    @MethodSource("empty")
    void anEmptyOneThatComesFirstSpeaksForItselfOnly(Collection<Integer> collection) {
        assertThat(count(collection)).isZero();
        collection.add(1);
        assertThat(count(collection)).isOne();
    }

    /** It makes its counter with the first element. */
    @Test
    void anEmptySkipListThatComesFirstSpeaksForItselfOnly() {
        ConcurrentSkipListMap<Integer, Integer> map = new ConcurrentSkipListMap<>();
        assertThat(count(map)).isZero();
        map.put(1, 1);
        assertThat(count(map)).isOne();
    }

    /** Else what grows would be suspected twice, and all slots of each table looked at by each walk. */
    @Test
    void theTableOfAMapThatTellsItsSizeIsNotLookedAt() {
        ConcurrentHashMap<Integer, Integer> map = new ConcurrentHashMap<>();
        IntStream.range(0, 100).forEach(i -> map.put(i, i));
        assertThat(count(map)).isEqualTo(100);
        Object table = reader.reference(map, reader.offsetOf(ConcurrentHashMap.class, "table"));
        assertThat(counts.of(table, reader.plan(table), reader.plan(map).id())).isNegative();
        assertThat(counts.of(table, reader.plan(table), VisitedTable.NONE)).as("an array of somebody else's").isPositive();
    }

    @Test
    void whatKeepsNoCountIsNotCounted() {
        assertThat(count(new ConcurrentLinkedQueue<>())).isNegative();
    }
}
