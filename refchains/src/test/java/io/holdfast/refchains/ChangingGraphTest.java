package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Hop;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import io.holdfast.refchains.test.Tree;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The application goes on while the search runs: between passes here, which is when all that is pending is held weakly only. */
class ChangingGraphTest {
    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
        Registry.other = null;
    }

    /** Runs a search with seven admissions a pass, and as many for rotation, and lets {@code change} alter the graph, and collects, between passes. */
    private static SearchFinding searchWhile(List<Session> sought, IntConsumer change) {
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(sought).start();
            for (int pass = 0; bench.search.state() == SearchState.RUNNING; pass++) {
                bench.pass(SearchBench.budget(14));
                if (pass < 40) {
                    change.accept(pass);
                }
                if (pass % 20 == 3) {
                    System.gc();
                }
            }
            return bench.search.takeFindings().get(0);
        }
    }

    private static void assertAllReached(SearchFinding finding, int instances) {
        assertThat(finding.reached()).isEqualTo(instances);
        assertThat(finding.chains()).allSatisfy(chain -> assertThat(chain.leafClass()).isEqualTo(Session.class.getName()));
    }

    @Test
    void queueThatIsConsumedAtTheFront() {
        List<Session> sessions = SearchExamplesTest.sessions(30);
        LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        for (int i = 0; i < 600; i++) {
            queue.add(i >= 300 && i % 10 == 0 ? sessions.get((i - 300) / 10) : new Session(i));
        }
        List<Object> others = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            others.add(new Node(i).first(new ArrayList<>()));
        }
        Registry.active = new Object[] {others, queue, others};
        assertAllReached(searchWhile(sessions, pass -> {
            for (int i = 0; i < 3; i++) {
                queue.poll();
                queue.add(new Session(pass));
                queue.add(new Session(pass));
            }
        }), 30);
    }

    /** A node that waits its turn behind thousands of other objects has left its queue by then. */
    @Test
    void listsAreWalkedOnBeforeWhatElseWaits() {
        List<Session> sessions = SearchExamplesTest.sessions(20);
        LinkedBlockingQueue<Object> queue = new LinkedBlockingQueue<>();
        Node stack = new Node(0);
        for (int i = 0; i < 500; i++) {
            queue.add(i % 50 == 49 ? sessions.get(i / 50) : new Session(i));
            stack = new Node(i).first(stack).second(i % 50 == 49 ? sessions.get(10 + i / 50) : null);
        }
        // For 150 rounds there are 200 others whose turn comes before the next node's.
        Object[] others = new Object[200];
        for (int depth = 0; depth < 150; depth++) {
            Arrays.setAll(others, i -> new Object[] {others[i], new ArrayList<>()});
        }
        Registry.active = new Object[] {queue, stack, others};
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(sessions.subList(0, 10)).seek(sessions.subList(10, 20)).start();
            bench.pass(SearchBench.budget(3_000));
            assertThat(bench.search.takeFindings()).extracting(SearchFinding::reached).containsExactly(10, 10);
            bench.finish(SearchBench.budget(3_000));
        }
    }

    @Test
    void stackThatGrowsAtTheFront() {
        List<Session> sessions = SearchExamplesTest.sessions(30);
        Node top = new Node(0);
        for (Session session : sessions) {
            top = new Node(0).first(top).second(session);
        }
        Node holder = new Node(1).second(new ArrayList<>()).first(top);
        Registry.active = holder;
        assertAllReached(searchWhile(sessions, pass -> {
            for (int i = 0; i < 100; i++) {
                holder.first = new Node(0).first(holder.first).second(new Node(1).first(new Node(2).second(new Session(pass))));
            }
        }), 30);
    }

    /** What is not in its place is looked for above it; what dies in droves must not cost a walk each. */
    @Test
    void instancesThatAreGoneTogetherCostFewReads() {
        List<Session> sessions = SearchExamplesTest.sessions(60);
        List<Object> others = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            others.add(new Node(i).first(new ArrayList<>()));
        }
        List<Object> list = new ArrayList<>(sessions);
        Registry.active = new Object[] {list, others};
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(sessions).start().pass(SearchBench.budget(50));
            list.clear();
            assertThat(bench.finish(SearchBench.UNLIMITED).get(0).reached()).isZero();
            assertThat(bench.counters.get(ChainTracer.REJECTED)).isGreaterThan(30);
            assertThat(bench.counters.get(ChainTracer.REFERENCES)).isLessThan(8L * SearchSettings.DEFAULT_REPAIR_READS);
        }
    }

    @Test
    void aFewThatAreGoneDoNotHideThoseThatMovedFarAway() {
        List<Session> sessions = SearchExamplesTest.sessions(60);
        Node holder = new Node(0).first(new ArrayList<>(sessions));
        Registry.active = holder;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(sessions).start().pass(SearchBench.budget(50));
            List<Object> moved = new ArrayList<>();
            for (int i = 0; i < 12_000; i++) {
                moved.add(new Node(i));
            }
            moved.addAll(sessions.subList(3, sessions.size()));
            holder.first(null).second(moved);
            assertThat(bench.finish(SearchBench.UNLIMITED).get(0).reached()).isGreaterThan(40);
        }
    }

    @Test
    void copyOnWriteList() {
        List<Session> sessions = SearchExamplesTest.sessions(30);
        List<Object> list = new CopyOnWriteArrayList<>(sessions);
        Registry.active = list;
        assertAllReached(searchWhile(sessions, pass -> list.add(0, new Session(pass))), 30);
    }

    @Test
    void mapThatIsRehashed() {
        List<Session> sessions = SearchExamplesTest.sessions(40);
        Map<Integer, Object> map = new HashMap<>();
        sessions.forEach(s -> map.put(map.size(), s));
        Registry.active = map;
        assertAllReached(searchWhile(sessions, pass -> {
            for (int i = 0; i < 30; i++) {
                map.put(map.size(), new Session(i));
            }
        }), 40);
    }

    @Test
    void concurrentMapThatIsRehashed() {
        List<Session> sessions = SearchExamplesTest.sessions(40);
        Map<Integer, Object> map = new ConcurrentHashMap<>();
        sessions.forEach(s -> map.put(map.size(), s));
        Registry.active = map;
        assertAllReached(searchWhile(sessions, pass -> {
            for (int i = 0; i < 30; i++) {
                map.put(map.size(), new Session(i));
            }
        }), 40);
    }

    @Test
    void persistentTreeWhosePathIsCopied() {
        List<Session> sessions = SearchExamplesTest.sessions(40);
        java.util.Random random = new java.util.Random(1);
        Tree tree = null;
        for (Session session : sessions) {
            tree = Tree.with(tree, random.nextInt(), session);
        }
        Registry.active = tree;
        int[] added = new int[1];
        SearchFinding finding = searchWhile(sessions, pass -> {
            Registry.active = Tree.with((Tree) Registry.active, random.nextInt(), new Session(pass));
            added[0]++;
        });

        assertAllReached(finding, 40);
        assertThat(finding.accumulation().holder()).isEqualTo("io.holdfast.refchains.test.Registry#active");
        assertThat(finding.accumulation().ownerClass()).isEqualTo(Session.class.getName());
        assertThat(finding.accumulation().probe().elements()).isEqualTo(40 + added[0]);
    }

    @Test
    void ringThatMovesAndFieldThatIsReplaced() {
        List<Session> sessions = SearchExamplesTest.sessions(20);
        ArrayDeque<Object> ring = new ArrayDeque<>(sessions);
        Registry.active = new Node(0).first(ring);
        assertAllReached(searchWhile(sessions, pass -> {
            ring.add(ring.poll());
            Registry.active = new Node(pass).first(new ArrayList<>(ring));
        }), 20);
    }

    @Test
    void whatIsLetGoOfMeanwhileIsNotReported() {
        Session kept = new Session(0);
        Session dropped = new Session(1);
        List<Object> list = new ArrayList<>(List.of(kept, dropped));
        Registry.active = list;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Session never = new Session(2);
            bench.seek(List.of(kept, dropped, never)).start();
            for (int pass = 0; pass < 3; pass++) {
                bench.pass(SearchBench.budget(1));
            }
            list.remove(dropped);
            SearchFinding finding = bench.finish(SearchBench.budget(1)).get(0);

            assertThat(List.of(kept, dropped, never)).hasSize(finding.sought());
            assertThat(finding.reached()).isEqualTo(1);
            assertThat(finding.chains().get(0).edges()).extracting(Hop::index).contains(0);
            assertThat(bench.counters.get(ChainTracer.REJECTED)).isEqualTo(1);
        }
    }

    @Test
    void nothingIsKeptAliveBetweenPasses() {
        List<Object> nodes = new ArrayList<>();
        List<WeakReference<Object>> watched = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            nodes.add(new Node(i).first(new Node(1_000 + i).first(new ArrayList<>())).many(new Object[3]));
        }
        Registry.active = nodes.toArray();
        nodes.forEach(n -> watched.add(new WeakReference<>(n)));
        nodes.forEach(n -> watched.add(new WeakReference<>(((Node) n).first)));
        Session never = new Session(0);
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.seek(List.of(never)).start();
            bench.pass(SearchBench.budget(120));
            nodes.clear();
            Registry.active = null;

            System.gc();
            assertThat(watched).allSatisfy(reference -> assertThat(reference.get()).isNull());
            assertThat(bench.finish(SearchBench.budget(120)).get(0).outcome()).isEqualTo(SearchFinding.UNREACHED);
            assertThat(bench.counters.get("refchains.frontier.died")).isPositive();
        }
    }

    @Test
    void findingsHoldNothingOfTheApplication() {
        List<Session> sessions = SearchExamplesTest.sessions(20);
        Registry.active = new ArrayList<>(sessions);
        WeakReference<Object> container = new WeakReference<>(Registry.active);
        WeakReference<Object> instance = new WeakReference<>(sessions.get(3));
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            SearchFinding finding = bench.find(sessions);
            assertThat(finding.accumulation().probe().elements()).isEqualTo(20);
            sessions.clear();
            Registry.active = null;

            System.gc();
            assertThat(container.get()).isNull();
            assertThat(instance.get()).isNull();
            assertThat(finding.accumulation().probe().elements()).isEqualTo(-1);
        }
    }
}
