package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Hop;
import io.holdfast.core.PassLimits;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.SearchFinding;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;

/** Random graphs, against a plain breadth-first search that reads the fields directly. */
class RandomGraphTest {
    @AfterTry
    void emptyRegistry() {
        Registry.active = null;
        Registry.other = null;
    }

    private record Graph(List<Node> nodes, List<Node> sought, Set<Object> reachable) {
        static Graph random(long seed, int size) {
            Random random = new Random(seed);
            List<Node> nodes = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                nodes.add(new Node(i));
            }
            for (Node node : nodes) {
                node.first = pick(random, nodes, 0.5);
                node.second = pick(random, nodes, 0.3);
                if (random.nextInt(3) == 0) {
                    node.many = new Object[random.nextInt(6)];
                    for (int i = 0; i < node.many.length; i++) {
                        node.many[i] = random.nextInt(6) == 0 ? new Object[] {pick(random, nodes, 0.9)} : pick(random, nodes, 0.6);
                    }
                }
                Object weak = pick(random, nodes, 0.3);
                node.weak = weak == null ? null : new java.lang.ref.WeakReference<>(weak);
            }
            Registry.active = pick(random, nodes, 0.9);
            Registry.other = pick(random, nodes, 0.4);
            List<Node> sought = new ArrayList<>(nodes);
            Collections.shuffle(sought, random);
            return new Graph(nodes, sought.subList(0, Math.min(size, 1 + random.nextInt(64))), fromRoots());
        }

        private static Object pick(Random random, List<Node> nodes, double chance) {
            return random.nextDouble() < chance ? nodes.get(random.nextInt(nodes.size())) : null;
        }

        private static Set<Object> fromRoots() {
            Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
            Deque<Object> queue = new ArrayDeque<>();
            meet(Registry.active, met, queue);
            meet(Registry.other, met, queue);
            while (!queue.isEmpty()) {
                Object object = queue.poll();
                if (object instanceof Node node) {
                    meet(node.first, met, queue);
                    meet(node.second, met, queue);
                    meet(node.many, met, queue);
                } else if (object instanceof Object[] array) {
                    for (Object element : array) {
                        meet(element, met, queue);
                    }
                }
            }
            return met;
        }

        private static void meet(Object object, Set<Object> met, Deque<Object> queue) {
            if (object != null && met.add(object)) {
                queue.add(object);
            }
        }

        int reachableSought() {
            return (int) sought.stream().filter(reachable::contains).count();
        }
    }

    @Property(tries = 200)
    void targetsAreFoundExactlyWhenReachableWhateverTheBudget(@ForAll long seed, @ForAll @IntRange(min = 1, max = 120) int size,
                                                              @ForAll @IntRange(min = 1, max = 5) int budget) {
        Graph graph = Graph.random(seed, size);
        SearchFinding whole = search(graph, SearchBench.UNLIMITED);
        SearchFinding inPieces = search(graph, SearchBench.budget(budget));

        for (SearchFinding finding : List.of(whole, inPieces)) {
            assertThat(finding.sought()).isEqualTo(graph.sought().size());
            assertThat(finding.reached()).isEqualTo(graph.reachableSought());
            assertThat(finding.outcome()).isEqualTo(graph.reachableSought() > 0 ? "chain" : "unreached");
            finding.chains().forEach(chain -> assertThat(graph.sought()).contains((Node) follow(chain)));
        }
        assertThat(inPieces.chains().stream().mapToInt(ReferenceChain::instances).sum())
                .isEqualTo(whole.chains().stream().mapToInt(ReferenceChain::instances).sum());
    }

    @Property(tries = 50)
    void deadlineAtEveryLookAtTheClockChangesNothing(@ForAll long seed, @ForAll @IntRange(min = 1, max = 120) int size) {
        Graph graph = Graph.random(seed, size);
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(graph.sought()).start();
            bench.clockStep = 1;
            SearchFinding finding = bench.finish(new PassLimits(1_000, 1_000, 3, true, false)).get(0);
            assertThat(finding.reached()).isEqualTo(graph.reachableSought());
        }
    }

    private static SearchFinding search(Graph graph, PassLimits limits) {
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            return bench.seek(graph.sought()).start().finish(limits).get(0);
        }
    }

    /** Follows a chain with ordinary reflection and returns the object at its end. */
    private static Object follow(ReferenceChain chain) {
        Object at = null;
        for (Hop hop : chain.edges()) {
            try {
                at = switch (hop.kind()) {
                    case STATIC_FIELD -> Registry.class.getField(hop.field()).get(null);
                    case FIELD -> at.getClass().getField(hop.field()).get(at);
                    case ELEMENT -> ((Object[]) at)[hop.index()];
                    default -> throw new AssertionError(hop);
                };
            } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
            }
            assertThat(at).isNotNull();
            assertThat(io.holdfast.core.ClassNames.of(at.getClass())).isEqualTo(hop.target());
        }
        return at;
    }
}
