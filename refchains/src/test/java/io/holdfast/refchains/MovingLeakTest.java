package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What is sought is reachable all the time, but not in the same place: it moves between passes, once or again and again, behind or ahead of the walk. Nothing that is
 * moved is a collection unless a test says so: plain fields change too.
 */
class MovingLeakTest {
    private static final int BUDGET = 12;

    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
        Registry.other = null;
    }

    /** Objects between two places, so that passes lie between them. */
    private static Object[] filler(int objects) {
        Object[] many = new Object[objects];
        for (int i = 0; i < objects; i++) {
            many[i] = new Node(i).first(new ArrayList<>());
        }
        return many;
    }

    private static List<Session> sessions(int count) {
        return SearchExamplesTest.sessions(count);
    }

    /** The leak: plain nodes down to the sessions. */
    private static Node payload(List<Session> sessions) {
        return new Node(-1).first(new Node(-2).many(sessions.toArray()));
    }

    private record Outcome(SearchFinding finding, int passes) { }

    private static Outcome searchWhile(List<Session> sought, int budget, IntConsumer change) {
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(sought).start();
            int pass = 0;
            for (; bench.search.state() == SearchState.RUNNING; pass++) {
                assertThat(pass).as("a search that never ends").isLessThan(20_000);
                bench.pass(SearchBench.budget(budget));
                change.accept(pass);
            }
            return new Outcome(bench.search.takeFindings().get(0), pass);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5, 8, 12, 20, 30})
    void movedFromAParentNotYetVisitedToAVisitedOne(int when) {
        List<Session> sought = sessions(10);
        Node visited = new Node(1);
        Node unvisited = new Node(2).first(payload(sought));
        Registry.active = new Object[] {visited, filler(60), filler(60), new Object[] {new Object[] {unvisited}}};
        Outcome outcome = searchWhile(sought, BUDGET, pass -> {
            if (pass == when) {
                visited.second = unvisited.first;
                unvisited.first = null;
            }
        });
        assertThat(outcome.finding.reached()).isEqualTo(sought.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 7, 10})
    void movesBetweenTwoHoldersAllTheTime(int period) {
        List<Session> sought = sessions(10);
        Node left = new Node(1);
        Node right = new Node(2).first(payload(sought));
        Registry.active = new Object[] {left, filler(60), new Object[] {filler(31), new Object[] {right}}};
        for (int parity = 0; parity < 2; parity++) {
            int phase = parity * period;
            Outcome outcome = searchWhile(sought, BUDGET, pass -> {
                if ((pass + phase) % period == 0) {
                    Object moved = left.first;
                    left.first = right.first;
                    right.first = moved;
                }
            });
            assertThat(outcome.finding.reached()).as("period %d, parity %d, passes %d", period, parity, outcome.passes).isEqualTo(sought.size());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void movesBetweenManyHoldersAtRandom(long seed) {
        List<Session> sought = sessions(10);
        Random random = new Random(seed);
        Node[] holders = new Node[20];
        Arrays.setAll(holders, Node::new);
        holders[19].first = payload(sought);
        Object[] all = new Object[40];
        for (int i = 0; i < 20; i++) {
            all[2 * i] = new Object[] {holders[i]};
            all[2 * i + 1] = filler(5);
        }
        Registry.active = all;
        int[] at = {19};
        Outcome outcome = searchWhile(sought, BUDGET, pass -> {
            int to = random.nextInt(20);
            Object moved = holders[at[0]].first;
            holders[at[0]].first = null;
            holders[to].first = moved;
            at[0] = to;
        });
        assertThat(outcome.finding.reached()).as("passes %d", outcome.passes).isEqualTo(sought.size());
    }

    @Test
    void entriesThatMoveBetweenTwoMapsAllTheTime() {
        List<Session> sought = sessions(20);
        Map<Integer, Object> left = new HashMap<>();
        Map<Integer, Object> right = new HashMap<>();
        sought.forEach(s -> right.put(right.size(), new Object[] {s}));
        Registry.active = new Object[] {left, filler(60), new Object[] {filler(31), right}};
        Outcome outcome = searchWhile(sought, BUDGET, pass -> {
            Map<Integer, Object> from = left.isEmpty() ? right : left;
            (from == left ? right : left).putAll(from);
            from.clear();
        });
        assertThat(outcome.finding.reached()).as("passes %d", outcome.passes).isEqualTo(sought.size());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7})
    void containerThatIsReplacedAllTheTime(int period) {
        List<Session> sought = sessions(20);
        Node holder = new Node(1);
        List<Object> first = new ArrayList<>();
        sought.forEach(s -> first.add(new Object[] {s}));
        holder.first = first;
        Registry.active = new Object[] {filler(30), holder, filler(60)};
        Outcome outcome = searchWhile(sought, BUDGET, pass -> {
            if (pass % period == 0) {
                List<Object> next = new ArrayList<>();
                ((List<?>) holder.first).forEach(o -> next.add(new Object[] {((Object[]) o)[0]}));
                holder.first = next;
            }
            if (pass % 20 == 3) {
                System.gc();
            }
        });
        assertThat(outcome.finding.reached()).as("passes %d", outcome.passes).isEqualTo(sought.size());
    }

    /** Nothing hung below it when the walk came by, so that it was not entered. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4, 10, 15})
    void plainObjectThatGetsItsFirstReferenceLater(int when) {
        List<Session> sought = sessions(10);
        Node empty = new Node(1).first("nothing yet");
        Node last = new Node(3).first(payload(sought));
        Registry.active = new Object[] {new Object[] {empty}, filler(90), new Object[] {filler(10), new Object[] {last}}};
        Outcome outcome = searchWhile(sought, BUDGET, pass -> {
            if (pass == when) {
                empty.first = last.first;
                last.first = null;
            }
        });
        assertThat(outcome.finding.reached()).isEqualTo(sought.size());
    }

    /** What is known already gets something new below it, and is moved below something new itself. */
    @Test
    void whatIsKnownMovesBelowSomethingNewAndGrowsThere() {
        List<Session> sought = sessions(10);
        Node known = new Node(1);
        Node holder = new Node(2).first(known);
        known.second = new Object[] {holder};
        Node last = new Node(3).first(payload(sought));
        Registry.active = new Object[] {new Object[] {holder}, filler(90), new Object[] {filler(10), new Object[] {last}}};
        Outcome outcome = searchWhile(sought, BUDGET, pass -> {
            if (pass == 8) {
                holder.first = new Node(4).first(known);
                known.first = last.first;
                last.first = null;
            }
        });
        assertThat(outcome.finding.reached()).isEqualTo(sought.size());
    }

    /** New objects at every pass, everywhere, and what is sought is held by nothing. */
    @Test
    void aGraphThatGrowsForEverDoesNotKeepTheSearchForEver() {
        List<Session> sought = sessions(3);
        List<Object> growing = new ArrayList<>();
        Node stack = new Node(0);
        Registry.active = new Object[] {growing, stack, filler(50)};
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class), SearchSettings.defaults(0).withTtlNanos(0).withFrontierCap(5_000))) {
            bench.seek(sought).start();
            int passes = 0;
            for (; bench.search.state() == SearchState.RUNNING; passes++) {
                assertThat(passes).isLessThan(20_000);
                bench.pass(SearchBench.budget(20));
                for (int i = 0; i < 30; i++) {
                    growing.add(new Node(i).first(new ArrayList<>()));
                    stack.first = new Node(i).first(stack.first).second(new ArrayList<>());
                }
            }
            assertThat(bench.search.takeFindings()).allSatisfy(f -> assertThat(f.reached()).isZero());
            assertThat(sought).hasSize(3);
        }
    }
}
