package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Session;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Hashtable;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.WeakHashMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ElementCountTest {
    private final HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), new Counters()).reader();
    private final Counting count = new Counting();

    /** Nodes and what collections are made of lie between container and elements. */
    private final class Counting {
        long of(Object container) {
            Set<Integer> between = new HashSet<>();
            collectInternals(container, between, 0);
            between.add(reader.plan(new Node(0)).id());
            between.add(reader.plan(new Object[0]).id());
            return new ElementCount(reader, new ElementCount.Structure(Session.class.getName(), false, between)).of(container, ElementCount.MAX_READS);
        }

        private void collectInternals(Object object, Set<Integer> between, int depth) {
            ClassPlan plan = reader.plan(object);
            if (plan.collectionInternal() && depth < 6 && !(object instanceof Object[] array && array.length > 1_000)) {
                between.add(plan.id());
                new Outgoing(reader).visit(object, plan, 0, 1_000, new EdgeVisitor() {
                    @Override
                    public Then edge(Object child, byte kind, int edge) {
                        collectInternals(child, between, depth + 1);
                        return Then.GO_ON;
                    }

                    @Override
                    public boolean readsLeafFields() {
                        return true;
                    }

                    @Override
                    public boolean wantsLoaderOf(ClassPlan ignored) {
                        return false;
                    }

                    @Override
                    public void read() { }
                });
            }
        }
    }

    static Stream<Supplier<Map<Object, Object>>> maps() {
        return Stream.of(HashMap::new, LinkedHashMap::new, TreeMap::new, ConcurrentHashMap::new, IdentityHashMap::new, WeakHashMap::new, Hashtable::new,
                ConcurrentSkipListMap::new, () -> Collections.synchronizedMap(new HashMap<>()), () -> Collections.checkedMap(new TreeMap<>(), Object.class, Object.class));
    }

    @ParameterizedTest
    @MethodSource("maps")
    void mapsAreCounted(Supplier<Map<Object, Object>> kind) {
        Map<Object, Object> map = kind.get();
        assertThat(count.of(map)).isZero();
        for (int i = 0; i < 37; i++) {
            map.put(i, new Session(i));
        }
        assertThat(count.of(map)).isEqualTo(37);
        assertThat(count.of(map.values())).isEqualTo(37);
    }

    static Stream<Supplier<Collection<Object>>> collections() {
        return Stream.of(ArrayList::new, LinkedList::new, Vector::new, ArrayDeque::new, CopyOnWriteArrayList::new, CopyOnWriteArraySet::new, HashSet::new,
                LinkedHashSet::new, ConcurrentLinkedQueue::new, ConcurrentLinkedDeque::new, LinkedBlockingQueue::new, LinkedBlockingDeque::new,
                LinkedTransferQueue::new, () -> new ArrayBlockingQueue<>(100), ConcurrentHashMap::newKeySet,
                () -> new PriorityQueue<>((a, b) -> 0), () -> new PriorityBlockingQueue<>(9, (a, b) -> 0),
                () -> new TreeSet<>(java.util.Comparator.comparing(s -> ((Session) s).user)),
                () -> Collections.synchronizedList(new ArrayList<>()), () -> Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    @ParameterizedTest
    @MethodSource("collections")
    void collectionsAreCounted(Supplier<Collection<Object>> kind) {
        Collection<Object> collection = kind.get();
        assertThat(count.of(collection)).isZero();
        for (int i = 0; i < 37; i++) {
            collection.add(new Session(i));
        }
        assertThat(count.of(collection)).isEqualTo(37);
    }

    @Test
    void ringThatHasWrapped() {
        ArrayDeque<Object> ring = new ArrayDeque<>(8);
        for (int i = 0; i < 100; i++) {
            ring.add(i);
            if (i > 5) {
                ring.poll();
            }
        }
        assertThat(count.of(ring)).isEqualTo(6);
    }

    @Test
    void otherStructuresAreWalked() {
        Object[] array = new Object[10];
        Arrays.fill(array, 2, 6, new Object());
        assertThat(count.of(array)).isEqualTo(4);
        assertThat(count.of(new Node(0).first(new Session(0)).many(new Session(1), new Node(1).second(new Session(2))))).isEqualTo(3);
        assertThat(count.of(List.of(1, 2).toArray())).isEqualTo(2);
    }

    @Test
    void ownersAreNotEntered() {
        Session session = new Session(0);
        session.next = new Session(1);
        assertThat(count.of(new Node(0).first(session))).isEqualTo(1);
    }
}
