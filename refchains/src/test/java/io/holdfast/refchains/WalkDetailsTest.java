package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What nothing else here depended on: each test was written for a fault that no other noticed (decision 8, mutations of the walker). */
class WalkDetailsTest {
    private static final FixedRoots REGISTRY = FixedRoots.of(Registry.class);
    private static final String PROPERTY = "io.holdfast.refchains.WalkDetailsTest";

    @AfterEach
    void empty() {
        Registry.active = null;
        Registry.other = null;
        System.getProperties().remove(PROPERTY);
    }

    @Test
    void staticsOfTheJdkAreRoots() {
        Session session = new Session(0);
        System.getProperties().put(PROPERTY, session);
        try (SearchBench bench = new SearchBench(FixedRoots.of(System.class))) {
            SearchFinding finding = bench.find(List.of(session));
            assertThat(finding.reached()).isEqualTo(1);
            assertThat(finding.chains().get(0).root().label()).isEqualTo("static java.lang.System.props");
        }
    }

    @Test
    void aSliceEndsAtItsDeadline() {
        Object[] many = new Object[100_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Node(i).first(many);
        }
        Registry.active = new Node(0).many(many);
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.clockStep = 1;
            bench.seek(List.of(new Session(0))).start();
            bench.pass(new PassLimits(Integer.MAX_VALUE, Integer.MAX_VALUE, 3, true, false));
            assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
            // A few looks at the clock in each of a few phases.
            assertThat(bench.search.summary().references()).isLessThan(40L * Slice.READS_PER_CHECK);
        }
    }

    @Test
    void whatTookThePlaceOfAnObjectThatDiedBeforeItWasWalkedIsFound() {
        Session session = new Session(0);
        Node parent = new Node(0);
        WeakReference<Object> waiting = arrayBelow(parent);
        Registry.active = parent;
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(List.of(session)).start();
            // One admission from the roots and one below: the array waits to be walked, and is held by the parent alone.
            bench.pass(SearchBench.budget(1));
            parent.first(new Node(1).many(null, session));
            while (waiting.get() != null) {
                System.gc();
            }
            SearchFinding finding = bench.finish(SearchBench.budget(1)).get(0);
            assertThat(bench.counters.get("refchains.frontier.died")).isEqualTo(1);
            assertThat(finding.reached()).isEqualTo(1);
        }
    }

    /** In a method of its own, so that no local of the test holds the array. */
    private static WeakReference<Object> arrayBelow(Node parent) {
        Object[] array = new Object[20];
        for (int i = 0; i < array.length; i++) {
            array[i] = new Node(i).first(array);
        }
        parent.first(array);
        return new WeakReference<>(array);
    }

    @Test
    void anotherObjectOfTheSameClassAndHashIsNotTakenForTheOneSought() {
        Map<Integer, Session> byHash = new HashMap<>();
        Session sought = null;
        Session twin = new Session(0);
        while (sought == null) {
            twin = new Session(0);
            sought = byHash.put(System.identityHashCode(twin), twin);
        }
        byHash.clear();
        Session later = new Session(1);
        Node holder = new Node(0).first(sought);
        Registry.active = holder;
        Registry.other = new Node(1).many(new Object[] {new Node(2).many(new Object[20]), new Node(3).first(later)});
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(List.of(sought, later)).start();
            for (int pass = 0; pass < 3; pass++) {
                bench.pass(SearchBench.budget(1));
            }
            assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
            holder.first(twin);
            SearchFinding finding = bench.finish(SearchBench.budget(1)).get(0);
            assertThat(sought).isNotSameAs(twin);
            assertThat(finding.reached()).as("of the two, only the one still held").isEqualTo(1);
        }
    }
}
