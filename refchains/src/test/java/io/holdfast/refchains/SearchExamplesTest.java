package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.AbandonReason;
import io.holdfast.core.Counters;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.Hop;
import io.holdfast.core.PassLimits;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrustedLookup;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Pooled;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import io.holdfast.refchains.test.Ticket;
import java.lang.ref.SoftReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SearchExamplesTest {
    private static final FixedRoots REGISTRY = FixedRoots.of(Registry.class);

    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
        Registry.other = null;
    }

    static List<Session> sessions(int count) {
        return new ArrayList<>(IntStream.range(0, count).mapToObj(Session::new).toList());
    }

    @Test
    void mapInStaticField() {
        List<Session> sessions = sessions(40);
        Map<String, Session> map = new ConcurrentHashMap<>();
        sessions.forEach(s -> map.put(s.user, s));
        Registry.active = map;
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            SearchFinding finding = bench.find(sessions);

            assertThat(finding.outcome()).isEqualTo("chain");
            assertThat(finding.sought()).isEqualTo(40);
            assertThat(finding.reached()).isEqualTo(40);
            assertThat(finding.cohortsReached()).isEqualTo(40);
            assertThat(finding.oldestReached()).isTrue();
            assertThat(finding.newestReached()).isTrue();
            ReferenceChain chain = finding.chains().get(0);
            assertThat(chain.root().label()).isEqualTo("static io.holdfast.refchains.test.Registry.active");
            assertThat(chain.root().kind()).isEqualTo(RootKind.STATIC_FIELD);
            assertThat(chain.edges().get(0)).isEqualTo(Hop.staticField(Registry.class.getName(), "active", ConcurrentHashMap.class.getName()));
            assertThat(chain.edges().get(1)).isEqualTo(
                    Hop.field(ConcurrentHashMap.class.getName(), ConcurrentHashMap.class.getName(), "table", "java.util.concurrent.ConcurrentHashMap$Node[]"));
            assertThat(chain.leafClass()).isEqualTo(Session.class.getName());
            assertThat(finding.chains().stream().mapToInt(ReferenceChain::instances).sum()).isEqualTo(40);
            assertThat(bench.search.state()).isEqualTo(SearchState.COMPLETED);
        }
    }

    @Test
    void unreachableTargetIsUnreached() {
        List<Session> held = sessions(3);
        Registry.active = new Node(0);
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            SearchFinding finding = bench.find(held);

            assertThat(finding.outcome()).isEqualTo(SearchFinding.UNREACHED);
            assertThat(finding.sought()).isEqualTo(3);
            assertThat(finding.chains()).isEmpty();
            assertThat(finding.accumulation()).isNull();
        }
    }

    @Test
    void weaklyHeldIsUnreachedAndSoftlyHeldIsNotStronglyReached() {
        Session weak = new Session(0);
        Session soft = new Session(1);
        Node node = new Node(0);
        node.weak = new java.lang.ref.WeakReference<>(weak);
        node.soft = new SoftReference<>(new Node(1).first(soft));
        Registry.active = node;
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            SearchFinding finding = bench.find(List.of(weak, soft));

            assertThat(finding.outcome()).isEqualTo(SearchFinding.UNREACHED);
            assertThat(finding.reached()).isZero();
            assertThat(finding.chains()).hasSize(1);
            assertThat(finding.chains().get(0).edges()).extracting(Hop::kind).contains(EdgeKind.SOFT_REFERENT);
            assertThat(finding.chains().get(0).instances()).isEqualTo(1);
        }
    }

    @Test
    void linkedListOfFiveThousandIsWalkedToItsEnd() {
        LinkedList<Object> list = new LinkedList<>();
        List<Session> sessions = sessions(5);
        IntStream.range(0, 5_000).forEach(i -> list.add(i));
        list.addAll(sessions);
        Registry.active = list;
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            SearchFinding finding = bench.find(sessions);

            assertThat(finding.reached()).isEqualTo(5);
            ReferenceChain chain = finding.chains().get(0);
            assertThat(chain.totalHops()).isBetween(3, 5_010);
            assertThat(finding.accumulation().containerClass()).isEqualTo("java.util.LinkedList");
            assertThat(finding.accumulation().probe().elements()).isEqualTo(5_005);
        }
    }

    @Test
    void listGoesOnBehindNodesWithEqualIdentityHashes() {
        Map<Integer, Node> byHash = new HashMap<>();
        Node later = new Node(0);
        for (Node earlier = byHash.put(System.identityHashCode(later), later); earlier == null; ) {
            later = new Node(0);
            earlier = byHash.put(System.identityHashCode(later), later);
            if (earlier != null) {
                Registry.active = earlier;
                earlier.first(new Node(1).first(new Node(2).first(new Node(5).first(later))));
            }
        }
        Session session = new Session(0);
        later.first(new Node(3).first(new Node(4).first(session)));
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            assertThat(bench.find(List.of(session)).reached()).isEqualTo(1);
            assertThat(bench.counters.counter("refchains.merges.doubted").sum()).isEqualTo(1);
        }
    }

    @Test
    void structuresWithManyWaysToEachNodeAreNotWalkedTwice() {
        Node[] nodes = IntStream.range(0, 20_000).mapToObj(Node::new).toArray(Node[]::new);
        for (int i = 0; i < nodes.length; i++) {
            // a ring with a way back and a shortcut
            nodes[i].first(nodes[(i + 1) % nodes.length]).second(nodes[(i + nodes.length - 1) % nodes.length]).many(nodes[i * 7 % nodes.length]);
        }
        Registry.active = nodes[0];
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.find(List.of(new Session(0)));

            assertThat(bench.search.summary().visited()).isBetween((long) nodes.length, 2L * nodes.length + 300);
        }
    }

    @Test
    void chainsLongerThanTheReportAllowsAreCutInTheMiddle() {
        Session last = new Session(0);
        Session head = last;
        for (int i = 1; i < 6_000; i++) {
            Session before = new Session(i);
            before.next = head;
            head = before;
        }
        Registry.active = head;
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            ReferenceChain chain = bench.find(List.of(last)).chains().get(0);

            assertThat(chain.truncated()).isTrue();
            assertThat(chain.totalHops()).isEqualTo(6_000);
            assertThat(chain.edges()).hasSizeBetween(TracedChain.RUN_HEAD, ReferenceChain.MAX_HOPS);
        }
    }

    @Test
    void longListsAreReadAgainOnceForAllTheirNodes() {
        List<Session> sessions = sessions(20);
        Node tail = new Node(0);
        Node head = tail;
        for (int i = 0; i < 300_000; i++) {
            tail.first = new Node(i);
            tail = (Node) tail.first;
            if (i % 15_000 == 14_000) {
                tail.second = sessions.get(i / 15_000);
            }
        }
        Registry.active = head;
        try (SearchBench bench = new SearchBench(REGISTRY, SearchSettings.defaults(0).withFrontierCap(400_000))) {
            SearchFinding finding = bench.find(sessions);

            assertThat(finding.reached()).isEqualTo(20);
            assertThat(finding.chains()).hasSize(1);
            ReferenceChain chain = finding.chains().get(0);
            assertThat(chain.instances()).isEqualTo(20);
            assertThat(chain.totalHops()).isEqualTo(14_003);
            assertThat(chain.truncated()).isTrue();
            assertThat(chain.leafClass()).isEqualTo(Session.class.getName());
            assertThat(finding.accumulation().holder()).isEqualTo(Registry.class.getName() + "#active");
        }
    }

    @Test
    void recordsAndLambdasAreWalked() {
        Session inRecord = new Session(0);
        Session inLambda = new Session(1);
        Registry.active = new Object[] {new Ticket(1, inRecord), Session.capturing(inLambda)};
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            assertThat(bench.find(List.of(inRecord, inLambda)).reached()).isEqualTo(2);
        }
    }

    @Test
    void leafInstancesAreFoundInsideOtherLeaves() {
        List<Session> sessions = sessions(4);
        Registry.active = new ArrayList<>(sessions);
        List<Object> buffers = new ArrayList<>();
        sessions.forEach(s -> buffers.add(s.buffer));
        Object text = new String(new char[] {'x', '\u4e00'});
        Registry.other = new Object[] {text, new byte[3]};
        buffers.add(((Object[]) Registry.other)[1]);
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(buffers).seek(List.of(text));
            List<SearchFinding> findings = bench.start().finish(SearchBench.UNLIMITED);

            assertThat(findings).extracting(SearchFinding::reached).containsExactlyInAnyOrder(5, 1);
        }
    }

    @Test
    void bytesOfAStringAreFound() {
        String text = "text of its own " + System.nanoTime();
        Registry.active = new Node(0).first(text);
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            Object bytes = bench.reader.reference(text, bench.reader.offsetOf(String.class, "value"));
            SearchFinding finding = bench.find(List.of(bytes));

            assertThat(finding.chains().get(0).edges()).extracting(Hop::field).containsExactly("active", "first", "value");
        }
    }

    @Test
    void threadLocalOfAPoolThread() {
        Session session = new Session(0);
        try (Pooled thread = Pooled.holding("pool-1", session);
             SearchBench bench = new SearchBench(FixedRoots.of().threads(thread))) {
            SearchFinding finding = bench.find(List.of(session));

            ReferenceChain chain = finding.chains().get(0);
            assertThat(chain.root().kind()).isEqualTo(RootKind.THREAD_LOCAL);
            assertThat(chain.root().label()).isEqualTo("thread \"pool-1\"");
            assertThat(chain.root().thread()).isEqualTo("pool-1");
            assertThat(chain.edges()).extracting(Hop::signature).containsExactly("java.lang.Thread#threadLocals",
                    "java.lang.ThreadLocal$ThreadLocalMap#table", "java.lang.ThreadLocal$ThreadLocalMap$Entry[][x]",
                    "java.lang.ThreadLocal$ThreadLocalMap$Entry#value");
            assertThat(chain.edges().get(0).kind()).isEqualTo(EdgeKind.THREAD_LOCAL);
        }
    }

    @Test
    void redeployedLoaderIsExplainedByTheThreadLocalThatPinsIt() throws Exception {
        URL classes = Session.class.getProtectionDomain().getCodeSource().getLocation();
        List<Object> payloads = new ArrayList<>();
        List<Object> pinned = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            URLClassLoader loader = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
            Class<?> registry = Class.forName(Registry.class.getName(), true, loader);
            Object payload = new Session(i);
            registry.getField("active").set(null, payload);
            payloads.add(payload);
            pinned.add(Class.forName(Session.class.getName(), true, loader).getConstructor(int.class).newInstance(i));
        }
        try (Pooled thread = Pooled.holding("http-7", pinned);
             SearchBench bench = new SearchBench(REGISTRY.threads(thread))) {
            SearchFinding finding = bench.find(payloads);

            assertThat(finding.reached()).isEqualTo(8);
            ReferenceChain chain = finding.chains().get(0);
            assertThat(chain.root().kind()).isEqualTo(RootKind.THREAD_LOCAL);
            assertThat(chain.edges()).extracting(Hop::kind).contains(EdgeKind.CLASS_LOADER, EdgeKind.STATIC_FIELD);
            assertThat(chain.instances()).isEqualTo(8);
        }
    }

    @Test
    void entriesOfACacheOfSoftReferencesGoWithThemAndAreNotStronglyReached() {
        Session value = new Session(1);
        Session key = new Session(2);
        Node living = new Node(1);
        living.soft = new SoftReference<>(value);
        living.first(key);
        Node cleared = new Node(2);
        cleared.soft = new SoftReference<>(new Session(3));
        cleared.soft.clear();
        Registry.active = new java.util.ArrayList<>(List.of(living, cleared));
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            SearchFinding entries = bench.find(List.of(living, cleared));

            assertThat(entries.sought()).isEqualTo(2);
            assertThat(entries.reached()).as("only the entry whose soft reference is cleared already").isEqualTo(1);
            assertThat(bench.find(List.of(key)).reached()).as("the key goes with its entry").isZero();
        }
        assertThat(value).isNotNull();
    }

    @Test
    void loadersNothingLeadsToAreRootsOfTheLastResort() throws Exception {
        URL classes = Session.class.getProtectionDomain().getCodeSource().getLocation();
        URLClassLoader loader = new URLClassLoader(new URL[] {classes}, ClassLoader.getPlatformClassLoader());
        Session session = new Session(0);
        Class.forName(Registry.class.getName(), true, loader).getField("active").set(null, session);
        try (SearchBench bench = new SearchBench(REGISTRY.loaders(loader))) {
            ReferenceChain chain = bench.find(List.of(session)).chains().get(0);

            assertThat(chain.root().kind()).isEqualTo(RootKind.CLASS_LOADER);
            assertThat(chain.edges().get(chain.edges().size() - 1)).isEqualTo(Hop.staticField(Registry.class.getName(), "active", Session.class.getName()));
        }
    }

    @Test
    void fullTableAbandonsTheSearchButKeepsWhatWasFound() {
        List<Object> nodes = new ArrayList<>(IntStream.range(0, 500).mapToObj(i -> new Node(i).first(new ArrayList<>())).toList());
        Session near = new Session(0);
        Session beyond = new Session(1);
        Registry.active = new Node(-1).first(near).second(new Object[] {nodes.toArray(), new Node(0).first(new Node(1).first(beyond))});
        try (SearchBench bench = new SearchBench(REGISTRY, SearchSettings.defaults(0).withFrontierCap(100))) {
            bench.seek(List.of(near)).seek(List.of(beyond));
            List<SearchFinding> findings = bench.start().finish(SearchBench.UNLIMITED);

            assertThat(bench.search.state()).isEqualTo(SearchState.ABANDONED);
            assertThat(bench.search.summary().reason()).isEqualTo(AbandonReason.FRONTIER_CAP);
            assertThat(findings).extracting(SearchFinding::outcome).containsExactly("chain", "frontier_cap");
        }
    }

    @Test
    void heapLargerThanTheTableIsSearchedFromEverFewerRoots() {
        Session session = new Session(0);
        Registry.active = IntStream.range(0, 5_000).mapToObj(i -> new Node(i).first(new ArrayList<>())).toArray();
        Session.shared = new Node(0).first(new Node(1).first(new Node(2).first(new Node(3).first(new ArrayList<>(List.of(session))))));
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class, Session.class), SearchSettings.defaults(0).withFrontierCap(1_000))) {
            List<String> outcomes = new ArrayList<>();
            for (int i = 0; i < 4 && !outcomes.contains("chain"); i++) {
                SearchFinding finding = bench.find(List.of(session));
                outcomes.add(finding.outcome());
            }
            assertThat(outcomes).endsWith("chain").doesNotContain(SearchFinding.UNREACHED).hasSizeGreaterThan(1);
        } finally {
            Session.shared = null;
        }
    }

    @Test
    void hopCapPrunesWithoutTruncating() {
        Session deep = new Session(0);
        Registry.active = new Object[] {new Node(0).many(new Object[] {deep})};
        try (SearchBench bench = new SearchBench(REGISTRY, SearchSettings.defaults(0).withHops(3))) {
            assertThat(bench.find(List.of(deep)).outcome()).isEqualTo(SearchFinding.UNREACHED);
            assertThat(bench.search.state()).isEqualTo(SearchState.COMPLETED);
        }
    }

    @Test
    void lifetimeEndsASearch() {
        Session held = new Session(0);
        Registry.active = new Node(0).first(new Object[] {new Node(1).first(held)});
        try (SearchBench bench = new SearchBench(REGISTRY, SearchSettings.defaults(0).withTtlNanos(1_000))) {
            bench.seek(List.of(held)).start();
            bench.pass(SearchBench.budget(1));
            assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
            bench.nanos = 1_001;
            List<SearchFinding> findings = bench.finish(SearchBench.budget(1));

            assertThat(bench.search.summary().reason()).isEqualTo(AbandonReason.TTL);
            assertThat(findings).extracting(SearchFinding::outcome).containsExactly("ttl");
        }
    }

    @Test
    void searchWithoutBudgetIsGivenUpForLackOfProgress() {
        Session held = new Session(0);
        Registry.active = new Node(0).first(new Object[] {new Node(1).first(held)});
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(List.of(held)).start();
            bench.pass(SearchBench.budget(1));
            List<SearchFinding> findings = bench.finish(SearchBench.budget(0));

            assertThat(bench.search.summary().reason()).isEqualTo(AbandonReason.NO_PROGRESS);
            assertThat(findings).extracting(SearchFinding::outcome).containsExactly("no_progress");
        }
    }

    @Test
    void stopRequestEndsThePass() {
        Registry.active = new Node(0).many(new Object[100_000]);
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(sessions(1)).start();
            bench.search.requestStop();
            bench.pass(SearchBench.UNLIMITED);
            assertThat(bench.search.state()).isEqualTo(SearchState.RUNNING);
            assertThat(bench.search.summary().references()).isLessThan(1_000);
        }
    }

    @Test
    void candidateThatComesLateIsRecognisedIfItWasMet() {
        Session first = new Session(0);
        Node late = new Node(7).first(new ArrayList<>());
        Registry.active = new Node(0).first(late).second(new Object[] {new Node(1), new Node(2), first});
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(List.of(first)).start();
            bench.pass(SearchBench.budget(2));
            bench.seek(List.of(late));
            assertThat(bench.search.unresolved()).isEqualTo(2);
            assertThat(bench.finish(SearchBench.budget(1))).extracting(SearchFinding::reached).containsOnly(1).hasSize(2);
        }
    }

    @Test
    void candidateThatComesLateIsFoundByTheLapThoughTheWalkHasPassedItOver() {
        Session first = new Session(0);
        Session late = new Session(1);
        Registry.active = new Node(0).first(new Node(1).first(late)).second(new Object[] {new ArrayList<>(), new ArrayList<>(), first});
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(List.of(first)).start();
            bench.pass(SearchBench.budget(2));
            bench.seek(List.of(late));
            assertThat(bench.finish(SearchBench.budget(1))).extracting(SearchFinding::reached).containsExactly(1, 1);
        }
    }

    @Test
    void candidateThatComesLateIsNotCalledUnreached() {
        Session first = new Session(0);
        Session late = new Session(1);
        Registry.active = new Node(0).second(new Object[] {new ArrayList<>(), new ArrayList<>(), first});
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            bench.seek(List.of(first)).start();
            bench.pass(SearchBench.budget(2));
            bench.seek(List.of(late));
            assertThat(bench.finish(SearchBench.budget(1))).extracting(SearchFinding::reached).containsExactly(1);

            assertThat(bench.find(List.of(late)).outcome()).isEqualTo(SearchFinding.UNREACHED);
        }
    }

    @Test
    void objectsThatLeadNowhereAreLeftOut() {
        Map<String, Object> map = new HashMap<>();
        for (int i = 0; i < 1_000; i++) {
            map.put("key " + i, i % 2 == 0 ? i : new Node(i).first("text").second(new Node(i)).many("more", "text"));
        }
        Session session = new Session(0);
        Registry.active = new Object[] {map, new Node(0).first(new Node(1).first(new Node(2).first(new Node(3).first(session))))};
        try (SearchBench bench = new SearchBench(REGISTRY)) {
            SearchFinding finding = bench.find(List.of(session));

            assertThat(finding.reached()).isEqualTo(1);
            assertThat(finding.chains().get(0).totalHops()).isEqualTo(6);
            assertThat(bench.search.summary().visited()).isLessThan(500); // of 3 500
        }
    }

    @Test
    void rootsOfThisVmInSlicesOfFiveMilliseconds() {
        List<Session> sessions = sessions(10);
        Registry.active = new ArrayList<>(sessions);
        Counters counters = new Counters();
        IncrementalChainSearch search = new IncrementalChainSearch(HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), counters),
                SearchSettings.defaults(Runtime.getRuntime().maxMemory()), Ticker.system(), counters);
        Ticker ticker = Ticker.system();
        search.watch(List.of(SearchBench.candidate(1, sessions)));
        search.restart(ticker.nanos());
        while (search.state() == SearchState.RUNNING) {
            search.runPass(new PassLimits(100_000, 100_000, 5_000_000, true, false));
        }
        SearchFinding finding = search.takeFindings().get(0);

        assertThat(finding.reached()).isEqualTo(10);
        assertThat(finding.accumulation().probe().elements()).isEqualTo(10);
        assertThat(search.summary().cpuNanos()).isPositive();
        assertThat(search.release()).isTrue();
    }
}
