package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HeapCensusTest {
    private static final GcRoot ROOT = new GcRoot(RootKind.STACK_LOCAL, "the test", "main");
    private static final String NODE = Node.class.getName();

    private final Counters counters = new Counters();
    private final HeapCensus census = new HeapCensus(HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), counters).reader(),
            FixedRoots.of(Registry.class), counters);

    @AfterEach
    @AfterTry
    void emptyRegistry() {
        Registry.active = null;
    }

    /** Against a plain breadth-first walk over the same fields. */
    @Property(tries = 20)
    void meetsExactlyWhatStrongReferencesLeadTo(@ForAll long seed, @ForAll @IntRange(min = 1, max = 200) int size) {
        Random random = new Random(seed);
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(new Node(i));
        }
        for (Node node : nodes) {
            node.first = random.nextInt(3) == 0 ? null : nodes.get(random.nextInt(size));
            node.many = random.nextInt(3) == 0 ? new Object[] {nodes.get(random.nextInt(size)), null} : null;
            node.soft = new SoftReference<>(nodes.get(random.nextInt(size)));
            node.weak = new WeakReference<>(nodes.get(random.nextInt(size)));
        }
        Set<Object> expected = reachable(nodes.get(0));
        Registry.active = nodes.get(0);
        Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
        census.instances(Node.class, List.of(), Integer.MAX_VALUE).objects().forEach(reference -> met.add(reference.get()));
        assertThat(met).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(census.count(List.of()).byClass().get(NODE).instances()).isEqualTo(expected.size());
        Registry.active = null;

        List<WeakReference<Object>> all = nodes.stream().map(node -> new WeakReference<Object>(node)).toList();
        assertThat(census.notReachableFrom(List.of(nodes.get(0)), all)).hasSize(size - expected.size());
        for (Node node : nodes) {
            Optional<ReferenceChain> chain = census.chain(nodes.get(0), ROOT, List.of(new WeakReference<>(node)), Instant.EPOCH);
            assertThat(chain.isPresent()).isEqualTo(expected.contains(node));
            chain.ifPresent(found -> assertThat(follow(nodes.get(0), found)).isSameAs(node));
        }
    }

    private static Set<Object> reachable(Node from) {
        Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
        Deque<Node> pending = new ArrayDeque<>(List.of(from));
        met.add(from);
        while (!pending.isEmpty()) {
            Node node = pending.poll();
            for (Object next : new Object[] {node.first, node.many == null ? null : node.many[0]}) {
                if (next != null && met.add(next)) {
                    pending.add((Node) next);
                }
            }
        }
        return met;
    }

    private static Object follow(Object from, ReferenceChain chain) {
        Object at = from;
        for (Hop hop : chain.edges()) {
            at = hop.index() >= 0 ? ((Object[]) at)[hop.index()] : hop.field().equals("first") ? ((Node) at).first : ((Node) at).many;
        }
        return at;
    }

    @Test
    void rootsOfTheCallerCountToo() {
        Node own = new Node(1).first(new Node(2));
        assertThat(census.instances(Node.class, List.of(), 10).objects()).isEmpty();
        assertThat(census.instances(Node.class, List.of(own), 10).objects()).hasSize(2);
        assertThat(census.instances(Node.class, List.of(own), 1).objects()).hasSize(1);
        assertThat(census.count(List.of()).complete()).isTrue();
    }

    @Test
    void tellsWhatIsNewAndWhatHasMoreReferences() {
        Node list = new Node(0).many(new Object[8]);
        Object same = new Node(99);
        list.many[0] = same;
        Node still = new Node(1);
        Registry.active = new Object[] {list, still};
        Set<String> classes = Set.of(NODE, "java.lang.Object[]");
        HeapCensus.Tally before = census.tally(classes, List.of());
        long references = census.count(List.of()).byClass().get("java.lang.Object[]").references();

        list.many[1] = same; // the same object again: no instance more, one reference more
        Node fresh = new Node(2);
        still.first = fresh;
        assertThat(census.count(List.of()).byClass().get("java.lang.Object[]").references()).isEqualTo(references + 1);
        Set<Object> grown = new HashSet<>();
        census.grownSince(before, classes, List.of(), 100).forEach(reference -> grown.add(reference.get()));
        assertThat(grown).contains(list.many, fresh, still).doesNotContain(list, same);
    }
}
