package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchSummary;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Looks below objects are made where they pay, and only there. Counted in references read and entries made: neither depends on the machine. */
class BarrenObjectsTest {
    private static final int OBJECTS = 20_000;

    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
    }

    private static SearchSummary walk(Object root) {
        Registry.active = root;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.start().finish(SearchBench.UNLIMITED);
            return bench.search.summary();
        }
    }

    @Test
    void whatLeadsNowhereIsNotEntered() {
        Object[] array = new Object[OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            array[i] = new Node(i).first(new Node(-i));
        }
        assertThat(walk(array).visited()).isLessThan(10);
    }

    /** Each object leads to two others, so no look ever succeeds: that must not double what the walk reads. */
    @Test
    void noLookIsPaidForWhereNoneSucceeds() {
        Node[] nodes = new Node[OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            nodes[i] = new Node(i);
        }
        Random random = new Random(1);
        for (int i = 0; i < OBJECTS; i++) {
            nodes[i].first(nodes[random.nextInt(OBJECTS)]).second(nodes[(i + 1) % OBJECTS]);
        }
        int fields = 5; // references of a node
        SearchSummary summary = walk(nodes[0]);
        assertThat(summary.visited()).isGreaterThan(OBJECTS * 9 / 10); // equal hashes may merge a few
        assertThat(summary.references()).isLessThan(OBJECTS * fields * 6L / 5);
    }

    /** One part of a heap says little about the next: the first half of this one leads on, the second does not. */
    @Test
    void looksComeBackWhereTheyPayAgain() {
        Object[] leading = new Object[OBJECTS];
        Object[] both = new Object[2 * OBJECTS];
        for (int i = 0; i < OBJECTS; i++) {
            leading[i] = new Node(i).many(new Object[] {new ArrayList<>()});
            both[i] = leading[i];
            both[OBJECTS + i] = new Node(i).first(new Node(-i));
        }
        long ofTheFirst = walk(leading).visited();
        assertThat(ofTheFirst).isGreaterThan(2 * OBJECTS);
        assertThat(walk(both).visited() - ofTheFirst).isLessThan(200);
    }

    @Test
    void whatIsSoughtBelowIsFoundWhetherLookedForOrNot() {
        Object[] array = new Object[OBJECTS];
        List<Session> sought = new ArrayList<>();
        for (int i = 0; i < OBJECTS; i++) {
            Node node = new Node(i);
            if (i % 1_000 == 999) {
                sought.add(new Session(i));
                node.many(sought.get(sought.size() - 1));
            } else if (i / 5_000 % 2 == 0) {
                node.many(new Object[] {new ArrayList<>()});
            }
            array[i] = new Node(-i).first(node);
        }
        Registry.active = array;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            SearchFinding finding = bench.find(sought);
            // One may hang on a node that was taken for another one of equal hash.
            assertThat(finding.reached()).isGreaterThanOrEqualTo(sought.size() - 1);
        }
    }
}
