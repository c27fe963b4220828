package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Accumulation;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.PassLimits;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.refchains.test.Lease;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Pooled;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import io.holdfast.refchains.test.Ticket;
import io.holdfast.refchains.test.Waiting;
import java.lang.ref.Cleaner;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AccumulationTest {
    private static final String ACTIVE = "io.holdfast.refchains.test.Registry#active";
    private static final String SESSION = Session.class.getName();

    private final List<Session> sessions = SearchExamplesTest.sessions(32);

    @AfterEach
    void emptyRegistry() {
        Registry.active = null;
        Registry.other = null;
    }

    private static Accumulation accumulation(List<?> sought) {
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            return bench.find(sought).accumulation();
        }
    }

    private void assertPoint(Object container, String containerClass, String signature) {
        Registry.active = container;
        Accumulation point = accumulation(sessions);
        assertThat(point.holder()).isEqualTo(ACTIVE);
        assertThat(point.containerClass()).isEqualTo(containerClass);
        assertThat(point.ownerClass()).isEqualTo(SESSION);
        assertThat(point.signature()).isEqualTo(signature);
        assertThat(point.share()).isEqualTo(1.0);
        assertThat(point.probe().elements()).isEqualTo(32);
    }

    private <M extends Map<Object, Object>> M fill(M map) {
        sessions.forEach(s -> map.put(s.user, s));
        return map;
    }

    @Test
    void maps() {
        String path = "static_field > " + ACTIVE;
        assertPoint(fill(new HashMap<>()), "java.util.HashMap", path);
        assertPoint(fill(new LinkedHashMap<>()), "java.util.LinkedHashMap", path);
        assertPoint(fill(new ConcurrentHashMap<>()), "java.util.concurrent.ConcurrentHashMap", path);
        assertPoint(fill(new TreeMap<>()), "java.util.TreeMap", path);
        assertPoint(Collections.synchronizedMap(fill(new HashMap<>())), "java.util.Collections$SynchronizedMap", path);
    }

    @Test
    void listsQueuesAndSets() {
        String path = "static_field > " + ACTIVE;
        assertPoint(new ArrayList<>(sessions), "java.util.ArrayList", path);
        assertPoint(new LinkedList<>(sessions), "java.util.LinkedList", path);
        assertPoint(new CopyOnWriteArrayList<>(sessions), "java.util.concurrent.CopyOnWriteArrayList", path);
        assertPoint(new ConcurrentLinkedQueue<>(sessions), "java.util.concurrent.ConcurrentLinkedQueue", path);
        assertPoint(new HashSet<>(sessions), "java.util.HashSet", path);
        assertPoint(sessions.toArray(), "java.lang.Object[]", path);
    }

    @Test
    void elementsThatStateATime() {
        List<Lease> leases = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            leases.add(new Lease(i, "lease of its own " + i));
        }
        Registry.active = new LinkedList<>(leases);
        assertThat(accumulation(leases).timeField()).isEqualTo("expiresAtNanos");
        List<Object> texts = new ArrayList<>();
        leases.forEach(lease -> texts.add(lease.text));
        assertThat(accumulation(texts).timeField()).as("of what holds the sampled objects").isEqualTo("expiresAtNanos");
        Map<String, Object> byText = new HashMap<>();
        leases.forEach(lease -> byText.put(lease.text, lease));
        Registry.active = byText;
        assertThat(accumulation(texts).timeField()).as("of the values, where their keys were sampled").isEqualTo("expiresAtNanos");

        Registry.active = new LinkedList<>(sessions);
        assertThat(accumulation(sessions).timeField()).isNull();
    }

    @Test
    void referenceInBetweenBelongsToTheContainersPath() {
        Registry.active = new AtomicReference<>(new ArrayList<>(sessions));
        assertThat(accumulation(sessions).holder()).isEqualTo(ACTIVE);
    }

    @Test
    void partsOfTheElementsPointToTheSameContainer() {
        Registry.active = fill(new HashMap<>());
        List<Object> buffers = new ArrayList<>();
        sessions.forEach(s -> buffers.add(s.buffer));
        List<Object> keys = new ArrayList<>(((Map<?, ?>) Registry.active).keySet());
        Accumulation ofSessions = accumulation(sessions);
        Accumulation ofBuffers = accumulation(buffers);

        assertThat(ofBuffers.ownerClass()).isEqualTo(SESSION);
        assertThat(ofBuffers.signature()).isEqualTo(ofSessions.signature());
        assertThat(accumulation(keys).signature()).isEqualTo(ofSessions.signature());
    }

    @Test
    void keysOfAPlainTypeGiveWayToTheValue() {
        Map<String, Object> map = new HashMap<>();
        List<Object> keys = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            String key = "key of its own " + i;
            keys.add(key);
            map.put(key, new Node(i));
        }
        Registry.active = map;
        assertThat(accumulation(keys).ownerClass()).isEqualTo(Node.class.getName());
    }

    @Test
    void nodesOfTheMapAreNotTheOwner() {
        Registry.active = fill(new HashMap<>());
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Object[] table = (Object[]) bench.reader.reference(Registry.active, bench.reader.offsetOf(HashMap.class, "table"));
            List<Object> nodes = new ArrayList<>();
            for (Object node : table) {
                if (node != null) {
                    nodes.add(node);
                }
            }
            Accumulation point = bench.find(nodes).accumulation();
            assertThat(point.ownerClass()).isEqualTo(SESSION);
            assertThat(point.signature()).isEqualTo("static_field > " + ACTIVE);
        }
    }

    @Test
    void listOfTheApplicationsOwn() {
        for (int i = 0; i < sessions.size() - 1; i++) {
            sessions.get(i).next = sessions.get(i + 1);
        }
        Registry.active = sessions.get(0);
        Accumulation point = accumulation(sessions);
        assertThat(point.holder()).isEqualTo(ACTIVE);
        assertThat(point.ownerClass()).isEqualTo(SESSION);
        assertThat(point.probe().elements()).isEqualTo(32);
    }

    @Test
    void containerBelowObjectsOfTheApplication() {
        Registry.active = new Node(0).first(new Ticket(0, new Node(1).second(new ArrayList<>(sessions))));
        Accumulation point = accumulation(sessions);
        assertThat(point.holder()).isEqualTo("io.holdfast.refchains.test.Node#second");
        assertThat(point.containerClass()).isEqualTo("java.util.ArrayList");
        assertThat(point.signature()).isEqualTo("static_field > " + ACTIVE + " > io.holdfast.refchains.test.Node#first"
                + " > io.holdfast.refchains.test.Ticket#content > io.holdfast.refchains.test.Node#second");
    }

    @Test
    void fewOnOtherPathsDoNotHideThePlace() {
        Registry.active = new ArrayList<>(sessions.subList(0, 29));
        Registry.other = new Node(0).many(new Node(1).first(sessions.get(29)), sessions.get(30));
        Accumulation point = accumulation(sessions);
        assertThat(point.holder()).isEqualTo(ACTIVE);
        assertThat(point.share()).isEqualTo(29 / 32.0);
    }

    @Test
    void oneInstanceAloneUsesTheLastCollection() {
        Registry.active = new ArrayList<>(List.of(new Node(0), new Node(1).first(sessions.get(0))));
        Accumulation point = accumulation(sessions.subList(0, 1));
        assertThat(point.holder()).isEqualTo(ACTIVE);
        assertThat(point.ownerClass()).isEqualTo(Node.class.getName());
    }

    @Test
    void outerMapOfSmallListsIsThePlaceWhenTheListsAreMany() {
        Map<String, Object> lists = new HashMap<>();
        sessions.forEach(s -> lists.put(s.user, new ArrayList<>(List.of(s))));
        Registry.active = lists;
        assertThat(accumulation(sessions).containerClass()).isEqualTo("java.util.HashMap");
    }

    @Test
    void threadLocalsOfSeveralPoolThreadsAreOnePlace() {
        List<Pooled> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            threads.add(Pooled.holding("pool-" + i, new ArrayList<>(sessions.subList(i * 8, i * 8 + 8))));
        }
        try (SearchBench bench = new SearchBench(FixedRoots.of().threads(threads.toArray(new Thread[0])))) {
            Accumulation point = bench.find(sessions).accumulation();
            assertThat(point.holder()).isEqualTo("java.lang.Thread#threadLocals");
            assertThat(point.containerClass()).isEqualTo("java.util.ArrayList");
            assertThat(point.share()).isEqualTo(1.0);
            assertThat(point.probe().elements()).isEqualTo(32);
        } finally {
            threads.forEach(Pooled::close);
        }
    }

    @Test
    void listsOfManyHoldersAreAnInnerPlace() {
        Map<String, Object> holders = new HashMap<>();
        List<List<Object>> lists = new ArrayList<>();
        for (Session session : sessions) {
            List<Object> list = new ArrayList<>(List.of(session));
            lists.add(list);
            holders.put(session.user, new Node(0).first(list));
        }
        Registry.active = holders;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Accumulation point = bench.find(sessions).accumulation();
            assertThat(point.holder()).isEqualTo(ACTIVE);
            assertThat(point.ownerClass()).isEqualTo(Node.class.getName());
            Accumulation inner = point.inner().get(0);
            assertThat(inner.holder()).isEqualTo("io.holdfast.refchains.test.Node#first");
            assertThat(inner.containerClass()).isEqualTo("java.util.ArrayList");
            assertThat(inner.ownerClass()).isEqualTo(SESSION);
            long before = inner.probe().elements();
            lists.forEach(list -> list.add(new Session(1)));
            assertThat(before).isEqualTo(16);
            assertThat(inner.probe().elements()).isEqualTo(32);
            assertThat(point.probe().elements()).isEqualTo(32);
            lists.clear();
            holders.clear();
            System.gc();
            assertThat(inner.probe().elements()).isEqualTo(GrowthProbe.GONE);
        }
    }

    @Test
    void listsInTheBucketsOfATableAreAnInnerPlace() {
        Ticket[] table = new Ticket[32];
        for (int i = 0; i < table.length; i++) {
            table[i] = new Ticket(i, new Node(0).first(new Node(1).second(sessions.get(i))));
        }
        Registry.active = table;
        Accumulation point = accumulation(sessions);
        assertThat(point.probe().elements()).isEqualTo(32);
        Accumulation inner = point.inner().get(0);
        assertThat(inner.holder()).isEqualTo("io.holdfast.refchains.test.Ticket#content");
        assertThat(inner.ownerClass()).isEqualTo(SESSION);
        long before = inner.probe().elements();
        for (int i = 0; i < table.length; i++) {
            Node first = (Node) table[i].content();
            first.first = new Node(2).second(new Session(i)).first(first.first);
        }
        assertThat(inner.probe().elements()).isEqualTo(2 * before);
    }

    @Test
    void twoClassesThatAlternateAreOneStructure() {
        Ticket chain = null;
        for (int i = 0; i < 3_000; i++) {
            chain = new Ticket(i, new Node(i).first(chain).second(i % 100 == 0 && i < 3_200 ? sessions.get(i / 100) : null));
        }
        Registry.active = chain;
        Accumulation point = accumulation(sessions.subList(0, 30));
        assertThat(point.holder()).isEqualTo(ACTIVE);
        assertThat(point.probe().elements()).isEqualTo(3_000);
        assertThat(point.share()).isEqualTo(1.0);
    }

    @Test
    void aContainerThatIsReplacedBetweenTwoReadingsIsOnePlace() {
        // each chain is read again while another copy of the list is in the field
        Registry.active = new Node(0).many(sessions.toArray());
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            bench.clockStep = 1;
            bench.seek(sessions).start();
            PassLimits one = new PassLimits(1_000, 1_000, 3, true, false);
            while (bench.search.state() == SearchState.RUNNING) {
                Registry.active = new Node(0).many(sessions.toArray());
                bench.pass(one);
            }
            SearchFinding finding = bench.search.takeFindings().get(0);
            assertThat(finding.reached()).isEqualTo(32);
            assertThat(finding.accumulation()).isNotNull();
            assertThat(finding.accumulation().holder()).isEqualTo("io.holdfast.refchains.test.Node#many");
            assertThat(finding.accumulation().probe().elements()).isEqualTo(32);
        }
    }

    @Test
    void valuesOfAClassValueHangOnTheClass() {
        ClassValue<Object> values = new ClassValue<>() {
            @Override
            protected Object computeValue(Class<?> type) {
                return new ArrayList<>(sessions);
            }
        };
        try {
            values.get(Session.class);
            try (SearchBench bench = new SearchBench(FixedRoots.of(Session.class))) {
                SearchFinding finding = bench.find(sessions);
                assertThat(finding.reached()).isEqualTo(32);
                assertThat(finding.chains().get(0).root().kind()).isEqualTo(RootKind.SYSTEM_CLASS);
                assertThat(finding.chains().get(0).root().label()).isEqualTo("class " + SESSION);
                assertThat(finding.chains().get(0).edges().get(0).declaringClass()).isEqualTo("java.lang.Class");
                assertThat(finding.chains().get(0).edges().get(0).field()).isEqualTo("classValueMap");
            }
        } finally {
            values.remove(Session.class);
        }
    }

    @Test
    void aPlainContainerHasNoInnerPlace() {
        Registry.active = fill(new HashMap<>());
        assertThat(accumulation(sessions).inner()).isEmpty();
        Registry.active = new ArrayList<>(sessions);
        assertThat(accumulation(sessions).inner()).isEmpty();
    }

    @Test
    void elementsThatHangOnEachOtherBelowAHolderOfAnotherClassAreCounted() {
        CompletableFuture<Object> gate = new CompletableFuture<>();
        sessions.forEach(s -> gate.thenRun(Session.touching(s)));
        Registry.active = gate;
        assertThat(accumulation(sessions).probe().elements()).isEqualTo(32);
    }

    @Test
    void nodesOfAQueueAreNamedAfterWhatTheyHold() throws Exception {
        ConcurrentLinkedQueue<Object> queue = new ConcurrentLinkedQueue<>(sessions);
        Registry.active = queue;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            List<Object> nodes = new ArrayList<>();
            HeapReader reader = bench.reader;
            Object node = reader.reference(queue, reader.offsetOf(ConcurrentLinkedQueue.class, "head"));
            while (node != null) {
                if (reader.reference(node, reader.offsetOf(node.getClass(), "item")) != null) {
                    nodes.add(node);
                }
                node = reader.reference(node, reader.offsetOf(node.getClass(), "next"));
            }
            SearchFinding finding = bench.find(nodes);
            Accumulation point = finding.accumulation();
            assertThat(point.holder()).isEqualTo(ACTIVE);
            assertThat(point.ownerClass()).isEqualTo(SESSION);
            assertThat(point.probe().elements()).isEqualTo(32);
            assertThat(finding.chains()).allSatisfy(chain -> {
                assertThat(chain.leafClass()).isEqualTo(SESSION);
                assertThat(chain.edges().get(chain.edges().size() - 1).field()).isEqualTo("item");
                assertThat(chain.totalHops()).isEqualTo(chain.edges().size());
            });
        }
    }

    @Test
    void whatLiesBesideTheElementsIsNotCounted() {
        // the container leads to elements of its own and, by another way, to others of the class
        Registry.active = new Node(0).first(new Node(1).many(sessions.toArray())).second(new Ticket(0, new ArrayList<>(SearchExamplesTest.sessions(500))));
        Accumulation point = accumulation(sessions);
        assertThat(point.probe().elements()).isEqualTo(32);
    }

    @Test
    void whatCannotBeCountedIsUnknown() {
        Session head = sessions.get(0);
        for (int i = 0; i < 200_000; i++) {
            Session next = i % 10_000 == 9_999 ? sessions.get(1 + i / 10_000) : new Session(i);
            next.next = head;
            head = next;
        }
        Registry.active = head;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class), SearchSettings.defaults(0).withFrontierCap(500_000))) {
            Accumulation point = bench.find(sessions.subList(0, 20)).accumulation();
            assertThat(point.probe().elements()).isEqualTo(GrowthProbe.UNKNOWN);
        }
    }

    @Test
    void threadsThatPileUpAreOnePlace() {
        List<Pooled> threads = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            threads.add(Pooled.holding("each-" + i, sessions.get(i)));
        }
        List<Thread> live = new ArrayList<>(threads);
        FixedRoots all = FixedRoots.of().threads(live.toArray(new Thread[0]));
        try (SearchBench bench = new SearchBench(all)) {
            Accumulation point = bench.find(sessions).accumulation();
            assertThat(point.ownerClass()).isEqualTo(Pooled.class.getName());
            assertThat(point.holder()).isEqualTo("java.lang.Thread");
            assertThat(point.probe().elements()).isEqualTo(32);
            Arrays.fill(all.threads(), 0, 10, Thread.currentThread());
            assertThat(point.probe().elements()).isEqualTo(22);
        } finally {
            threads.forEach(Pooled::close);
        }
    }

    /** Of twelve each is too many of one instance to be a narrow place, and too few to be one for each instance. */
    @ParameterizedTest
    @ValueSource(ints = {8, 12})
    void threadsThatHoldSeveralEachAreAnOuterPlace(int count) {
        List<Pooled> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            threads.add(Pooled.holding("each-" + i, new ArrayList<>(sessions.subList(32 * i / count, 32 * (i + 1) / count))));
        }
        try (SearchBench bench = new SearchBench(FixedRoots.of().threads(threads.toArray(new Thread[0])))) {
            Accumulation point = bench.find(sessions).accumulation();
            assertThat(point.ownerClass()).isEqualTo(SESSION);
            assertThat(point.outer()).singleElement().satisfies(outer -> {
                assertThat(outer.ownerClass()).isEqualTo(Pooled.class.getName());
                assertThat(outer.probe().elements()).isEqualTo(count);
            });
        } finally {
            threads.forEach(Pooled::close);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void threadsThatPileUpAreNamedAfterTheirTask(boolean eachFromItsOwnLoader) throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        Thread[] threads = new Thread[32];
        for (int i = 0; i < threads.length; i++) {
            String task = Waiting.class.getName();
            Class<?> type = eachFromItsOwnLoader ? new CopyingLoader(task, "").loadClass(task) : Waiting.class;
            threads[i] = new Thread((Runnable) type.getConstructor(Session.class, CountDownLatch.class).newInstance(sessions.get(i), end), "waiting-" + i);
            threads[i].start();
        }
        try (SearchBench bench = new SearchBench(FixedRoots.of().threads(threads))) {
            Accumulation point = bench.find(sessions).accumulation();
            assertThat(point.ownerClass()).isEqualTo(Waiting.class.getName());
            assertThat(point.holder()).isIn("java.lang.Thread#target", "java.lang.Thread$FieldHolder#task");
            assertThat(point.probe().elements()).isEqualTo(32);
        } finally {
            end.countDown();
        }
    }

    @Test
    void fewThatHoldManyEachArePlacesBelowTheOneTheyAreIn() {
        Map<Integer, Node> map = new HashMap<>();
        for (int i = 0; i < sessions.size(); i++) {
            map.computeIfAbsent(i % 8, n -> new Node(n).first(new ArrayList<>()));
            @SuppressWarnings("unchecked")
            List<Object> list = (List<Object>) map.get(i % 8).first;
            list.add(sessions.get(i));
        }
        Registry.active = map;
        Accumulation point = accumulation(sessions);
        assertThat(point.holder()).isEqualTo("io.holdfast.refchains.test.Node#first");
        assertThat(point.ownerClass()).isEqualTo(SESSION);
        assertThat(point.probe().elements()).isEqualTo(32);
        Accumulation outer = point.outer().get(0);
        assertThat(outer.holder()).isEqualTo(ACTIVE);
        assertThat(outer.ownerClass()).isEqualTo(Node.class.getName());
        assertThat(outer.probe().elements()).isEqualTo(8);
        map.put(8, new Node(8));
        assertThat(outer.probe().elements()).isEqualTo(9);
    }

    @Test
    void oneThatHoldsThemAllHasNoOuterPlace() {
        Registry.active = fill(new HashMap<>());
        assertThat(accumulation(sessions).outer()).isEmpty();
    }

    @Test
    void anArrayThatIsCopiedWithEachChangeIsFollowedInsideAMap() {
        // What java.beans.PropertyChangeSupport does.
        Map<String, Object[]> map = new HashMap<>(Map.of("name", sessions.toArray()));
        Registry.active = map;
        Accumulation point = accumulation(sessions);
        assertThat(point.holder()).isEqualTo(ACTIVE);
        assertThat(point.containerClass()).isEqualTo("java.lang.Object[]");
        assertThat(point.ownerClass()).isEqualTo(SESSION);
        assertThat(point.probe().elements()).isEqualTo(32);
        for (int i = 0; i < 5; i++) {
            Object[] before = map.get("name");
            Object[] after = Arrays.copyOf(before, before.length + 1);
            after[before.length] = new Session(i);
            map.put("name", after);
            assertThat(point.probe().elements()).isEqualTo(33 + i);
        }
    }

    @Test
    void theTableOfAMapIsNoArrayInsideIt() {
        Registry.active = new ConcurrentHashMap<>(Map.of("name", sessions.toArray(), "other", new Object[0]));
        Accumulation point = accumulation(List.of(((Map<?, ?>) Registry.active).get("other")));
        assertThat(point.containerClass()).isEqualTo("java.util.concurrent.ConcurrentHashMap");
        assertThat(point.probe().elements()).isEqualTo(2);
    }

    @Test
    void theTableOfAThreadsLocalsIsNoArrayInsideThem() throws InterruptedException {
        CountDownLatch set = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        List<ThreadLocal<Object>> locals = new ArrayList<>();
        Thread thread = new Thread(() -> {
            for (Session session : sessions) {
                ThreadLocal<Object> local = new ThreadLocal<>();
                local.set(session);
                locals.add(local);
            }
            set.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.start();
        set.await();
        try (SearchBench bench = new SearchBench(FixedRoots.of().threads(thread))) {
            assertThat(bench.find(sessions).accumulation().containerClass()).isEqualTo("java.lang.ThreadLocal$ThreadLocalMap");
        } finally {
            end.countDown();
            thread.join();
        }
        assertThat(locals).hasSize(32);
    }

    @Test
    void aListIsFollowedWhenTheMapHasCopiedTheNodeThatHoldsIt() throws InterruptedException {
        ConcurrentHashMap<Integer, Object> map = new ConcurrentHashMap<>();
        List<Object> list = new ArrayList<>(sessions);
        map.put(48, list);
        map.put(32, "in the same bin: the last nodes of a bin are not copied");
        Registry.active = map;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Accumulation point = bench.find(sessions).accumulation();
            long table = bench.reader.offsetOf(ConcurrentHashMap.class, "table");
            WeakReference<Object> node = new WeakReference<>(((Object[]) bench.reader.reference(map, table))[0]);
            for (int i = 1; i <= 15; i++) {
                map.put(i, "");
            }
            for (long end = System.nanoTime() + 300_000_000_000L; node.get() != null && System.nanoTime() - end < 0; ) {
                System.gc();
            }
            assertThat(node.get()).isNull();
            list.add(new Session(0));
            assertThat(point.probe().elements()).isEqualTo(33);
        }
    }

    @Test
    void listsInTheSlotsOfAnAtomicArrayAreCountedByItsElements() {
        AtomicReferenceArray<Session> table = new AtomicReferenceArray<>(4);
        for (int i = 0; i < sessions.size(); i++) {
            sessions.get(i).next = table.get(i % 4);
            table.set(i % 4, sessions.get(i));
        }
        Registry.active = new Node(0).first(table);
        Accumulation outer = accumulation(sessions).outer().get(0);
        assertThat(outer.containerClass()).isEqualTo(AtomicReferenceArray.class.getName());
        assertThat(outer.probe().elements()).isEqualTo(32);
        for (int i = 0; i < 20; i++) {
            Session session = new Session(i);
            session.next = table.get(i % 4);
            table.set(i % 4, session);
        }
        assertThat(outer.probe().elements()).isEqualTo(52);
    }

    @Test
    void objectsInTheHeadOfACleanersListAreCounted() {
        Cleaner cleaner = Cleaner.create();
        Registry.active = cleaner;
        List<Object> actions = new ArrayList<>();
        List<Object> keys = new ArrayList<>();
        Supplier<Runnable> register = () -> {
            Session session = new Session(1);
            Runnable action = Session.touching(session);
            keys.add(session);
            cleaner.register(session, action);
            return action;
        };
        for (int i = 0; i < 40; i++) {
            actions.add(register.get());
        }
        Accumulation point = accumulation(actions);
        long before = point.probe().elements();
        assertThat(before).isGreaterThanOrEqualTo(40);
        for (int i = 0; i < 25; i++) {
            register.get();
        }
        assertThat(point.probe().elements()).isEqualTo(before + 25);
    }

    @Test
    void probeFollowsGrowthAndReplacement() {
        List<Object> list = new ArrayList<>(sessions);
        Registry.active = list;
        try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
            Accumulation point = bench.find(sessions).accumulation();
            list.add(new Session(99));
            assertThat(point.probe().elements()).isEqualTo(33);
            List<Object> replaced = new ArrayList<>(sessions.subList(0, 3));
            Registry.active = replaced;
            assertThat(point.probe().elements()).isEqualTo(3);
            Registry.active = null;
            assertThat(point.probe().elements()).isEqualTo(-1);
        }
    }
}
