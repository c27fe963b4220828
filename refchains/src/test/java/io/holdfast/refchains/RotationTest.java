package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.SearchState;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What rotation finds while the walk still has far to go, so that no lap can have found it. */
class RotationTest {
    /** Passes after which the walk over what else there is has not come to its end. */
    private static final int PASSES = 60;

    @AfterEach
    void empty() {
        Registry.active = null;
        Registry.other = null;
    }

    /** Enough to be walked at 20 objects a pass for more than {@link #PASSES} passes. */
    private static Object[] rest() {
        Object[] rest = new Object[4_000];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = new ArrayList<>();
        }
        return rest;
    }

    private static boolean foundWhileWalking(List<Session> sought, Runnable change) {
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(sought).start();
            boolean found = false;
            for (int pass = 0; pass < PASSES; pass++) {
                bench.pass(SearchBench.budget(40));
                if (pass == 5) {
                    change.run();
                }
                found |= !bench.search.takeFindings().isEmpty();
            }
            assertThat(found || bench.search.state() == SearchState.RUNNING).as("the walk is still under way").isTrue();
            assertThat(bench.search.summary().visited()).isLessThan(4_000);
            return found;
        }
    }

    @Test
    void staticFieldThatIsReplaced() {
        List<Session> sought = SearchExamplesTest.sessions(5);
        Registry.active = new ArrayList<>();
        Registry.other = rest();
        assertThat(foundWhileWalking(sought, () -> Registry.active = new ArrayList<>(sought))).isTrue();
    }

    @Test
    void plainFieldThatIsSetLater() {
        List<Session> sought = SearchExamplesTest.sessions(5);
        Node node = new Node(1).first(new ArrayList<>());
        Registry.active = new Node(2).first(node).second(rest());
        assertThat(foundWhileWalking(sought, () -> node.second = new Node(3).many(sought.toArray()))).isTrue();
    }

    @Test
    void containerBelowWhichSomeHaveArrived() {
        List<Session> sought = SearchExamplesTest.sessions(5);
        List<Object> list = new ArrayList<>(sought.subList(0, 2));
        Registry.active = new Object[] {list, rest()};
        assertThat(foundWhileWalking(sought, () -> list.addAll(sought.subList(2, 5)))).isTrue();
    }

    @Test
    void tailOfAWideArray() {
        List<Session> sought = SearchExamplesTest.sessions(3);
        Object[] wide = new Object[20_000];
        Registry.active = new Object[] {wide, rest()};
        assertThat(foundWhileWalking(sought, () -> System.arraycopy(sought.toArray(), 0, wide, 17_000, 3))).isTrue();
    }

    @Test
    void whatNothingLeadsToIsNotFound() {
        Registry.active = rest();
        assertThat(foundWhileWalking(SearchExamplesTest.sessions(3), () -> Registry.other = new ArrayList<>())).isFalse();
    }
}
