package io.holdfast.proofs;

import com.sun.management.HotSpotDiagnosticMXBean;
import io.holdfast.agent.OwnLooks;
import io.holdfast.agent.StackWalks;
import io.holdfast.core.Hop;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.SearchFinding;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.ref.Reference;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Holds objects in all the ways a program can, searches them, writes down the chains, and dumps its heap.
 *
 * <p>Arguments: file for the chains, file for the dump.
 */
final class KnownLeaks {
    private static final int EACH = 6;
    private static final int SLOTS = 5;

    static Object[] held;
    static Object direct;
    private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();
    private static final InheritableThreadLocal<Object> INHERITED = new InheritableThreadLocal<>();

    private final Map<String, List<Leaked>> places = new LinkedHashMap<>();
    private final List<Object> holders = new ArrayList<>();
    private Running local;

    private KnownLeaks() { }

    public static void main(String[] args) throws IOException {
        KnownLeaks leaks = new KnownLeaks();
        Searches searches = new Searches(true);
        leaks.make();
        leaks.local = new Running(searches.stackWalks, new ArrayList<>(leaks.leaked("local variable")));
        leaks.local.start();
        held = leaks.holders.toArray();
        System.gc();
        List<String> lines = leaks.search(searches);
        Files.write(Path.of(args[0]), lines);
        ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).dumpHeap(args[1], true);
        // Until here all must be alive.
        Reference.reachabilityFence(leaks);
        System.out.println("dumped " + leaks.places.size() + " places");
    }

    /** Fields of a superclass with the name of the subclass's own. */
    private static class Base {
        private final Object content;

        Base(Object content) {
            this.content = content;
        }

        Object ofBase() {
            return content;
        }
    }

    private static final class Derived extends Base {
        private final Object content;

        Derived(Object own, Object ofBase) {
            super(ofBase);
            this.content = own;
        }

        Object own() {
            return content;
        }
    }

    private record Ticket(int number, Object content) { }

    private enum Mode {
        ON;

        private Object content;
    }

    private interface Constants {
        Object[] HELD = new Object[EACH];
    }

    /** An inner class holds the outer object. */
    private static final class Outer {
        final Object content;

        Outer(Object content) {
            this.content = content;
        }

        final class Inner { }

        Object inner() {
            return new Inner();
        }
    }

    private static final class Node {
        final Object content;
        final Node next;

        Node(Object content, Node next) {
            this.content = content;
            this.next = next;
        }
    }

    private static final class Holding extends Thread {
        private final CountDownLatch ready = new CountDownLatch(1);
        private final Object ownField;
        private Object forLocal;

        Holding(String name, Object ownField, Object forLocal) {
            super(name);
            this.ownField = ownField;
            this.forLocal = forLocal;
            setDaemon(true);
        }

        @Override
        public void run() {
            if (forLocal != null) {
                LOCAL.set(forLocal);
                forLocal = null;
            }
            ready.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e + " with " + ownField);
            }
        }

        void startAndWait() {
            start();
            try {
                ready.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** What it is given is held by a local of its method alone, at which it looks again and again. */
    private static final class Running extends Thread {
        private final StackWalks walks;
        private Object content;

        Running(StackWalks walks, Object content) {
            super("with a local");
            this.walks = walks;
            this.content = content;
            setDaemon(true);
        }

        @Override
        public void run() {
            hold(taken());
        }

        private Object taken() {
            Object taken = content;
            content = null;
            return taken;
        }

        private void hold(Object mine) {
            try {
                while (!isInterrupted()) {
                    OwnLooks.look(walks);
                    Thread.sleep(50);
                }
            } catch (InterruptedException e) {
                // the end
            }
            Reference.reachabilityFence(mine);
        }
    }

    private List<Leaked> leaked(String place) {
        List<Leaked> made = new ArrayList<>();
        for (int i = 0; i < EACH; i++) {
            made.add(new Leaked(place));
        }
        places.put(place, made);
        return made;
    }

    private void place(String name, Function<List<Leaked>, Object> holder) {
        holders.add(holder.apply(leaked(name)));
    }

    private static Object keyed(Map<Object, Object> map, List<Leaked> values) {
        for (int i = 0; i < 100; i++) {
            map.put(i, "filler " + i);
        }
        values.forEach(value -> map.put(1_000 + map.size(), value));
        return map;
    }

    private void make() {
        place("HashMap", values -> keyed(new HashMap<>(), values));
        place("HashMap key", values -> {
            Map<Object, Object> map = new HashMap<>();
            values.forEach(value -> map.put(value, 1));
            return map;
        });
        place("HashMap of one bin", values -> {
            Map<Object, Object> map = new HashMap<>();
            for (int i = 0; i < 40; i++) {
                map.put(new SameBin(i), i < EACH ? values.get(i) : "filler");
            }
            return map;
        });
        place("LinkedHashMap", values -> keyed(new LinkedHashMap<>(), values));
        place("TreeMap", values -> keyed(new TreeMap<>(), values));
        place("IdentityHashMap", values -> keyed(new IdentityHashMap<>(), values));
        place("WeakHashMap value", values -> {
            List<Object> keys = new ArrayList<>();
            Map<Object, Object> map = new WeakHashMap<>();
            values.forEach(value -> {
                Object key = new Object();
                keys.add(key);
                map.put(key, value);
            });
            return new Object[] {keys, map};
        });
        place("ConcurrentHashMap", values -> keyed(new ConcurrentHashMap<>(), values));
        place("ConcurrentSkipListMap", values -> keyed(new ConcurrentSkipListMap<>(), values));
        place("HashSet", HashSet::new);
        place("ArrayList", ArrayList::new);
        place("LinkedList", LinkedList::new);
        place("ArrayDeque", ArrayDeque::new);
        place("CopyOnWriteArrayList", CopyOnWriteArrayList::new);
        place("ConcurrentLinkedDeque", ConcurrentLinkedDeque::new);
        place("LinkedBlockingQueue", LinkedBlockingQueue::new);
        place("List.of", List::copyOf);
        place("Arrays.asList", values -> Arrays.asList(values.toArray()));
        place("synchronized and unmodifiable", values -> Collections.unmodifiableList(Collections.synchronizedList(new ArrayList<>(values))));
        place("PriorityQueue", values -> {
            PriorityQueue<Object> queue = new PriorityQueue<>((a, b) -> 0);
            queue.addAll(values);
            return queue;
        });
        place("array of arrays", values -> new Object[][] {{}, {null, values.toArray(new Leaked[0])}});
        place("tail of a wide array", values -> {
            Object[] wide = new Object[100_003];
            for (int i = 0; i < EACH; i++) {
                wide[wide.length - 1 - i] = values.get(i);
            }
            return wide;
        });
        place("own linked list", values -> {
            Node head = null;
            for (int i = 0; i < 3_000; i++) {
                head = new Node(i % 500 == 0 ? values.get(i / 500) : null, head);
            }
            return head;
        });
        place("record", values -> new Ticket(1, new Ticket(2, new ArrayList<>(values))));
        place("superclass field", values -> {
            Derived derived = new Derived("own", new ArrayList<>(values));
            return derived.own() == null ? derived.ofBase() : derived;
        });
        place("subclass field", values -> new Derived(new ArrayList<>(values), "base"));
        place("inner class", values -> new Outer(new ArrayList<>(values)).inner());
        place("enum constant", values -> {
            Mode.ON.content = new ArrayList<>(values);
            return "nothing here";
        });
        place("interface constant", values -> {
            System.arraycopy(values.toArray(), 0, Constants.HELD, 0, EACH);
            return "nothing here";
        });
        place("static field", values -> {
            direct = new ArrayList<>(values);
            return "nothing here";
        });
        place("lambda", values -> values.stream().map(KnownLeaks::capturing).toArray());
        place("anonymous class", values -> values.stream().map(KnownLeaks::anonymous).toArray());
        place("proxy", values -> Proxy.newProxyInstance(KnownLeaks.class.getClassLoader(), new Class<?>[] {Runnable.class},
                (proxy, method, args) -> values.get(0).place + values));
        place("hidden class", KnownLeaks::hidden);
        place("AtomicReference", values -> new AtomicReference<>(new AtomicReferenceArray<>(values.toArray())));
        place("CompletableFuture", values -> CompletableFuture.completedFuture(Optional.of(new ArrayList<>(values))));
        place("dependent future", values -> {
            CompletableFuture<Object> source = new CompletableFuture<>();
            values.forEach(value -> source.thenApply(result -> value));
            return source;
        });
        place("DelayQueue of futures", values -> new Object[] {new DelayQueue<>(), new Object[] {values}});
        place("class loader of an object", values -> new PluginLoader().plugin(new ArrayList<>(values), null));
        place("class loader", values -> new PluginLoader().plugin(new ArrayList<>(values), null).getClass().getClassLoader());
        place("class", values -> new PluginLoader().plugin(new ArrayList<>(values), null).getClass());
        place("object of a custom loader", values -> new PluginLoader().plugin(null, new ArrayList<>(values)));
        place("system properties", values -> {
            System.getProperties().put("io.holdfast.proofs", new ArrayList<>(values));
            return "nothing here";
        });
        new Holding("with a thread-local", null, leaked("thread-local")).startAndWait();
        new Holding("with a field", new ArrayList<>(leaked("field of a thread")), null).startAndWait();
        INHERITED.set(new ArrayList<>(leaked("inheritable thread-local")));
        new Holding("with an heirloom", null, null).startAndWait();
        INHERITED.remove();
    }

    /** Keys of one bin, so that the map makes a tree of it. */
    private record SameBin(int number) {
        @Override
        public int hashCode() {
            return 7;
        }
    }

    private static Supplier<Object> capturing(Object value) {
        return () -> value;
    }

    private static Object anonymous(Object value) {
        return new Object() {
            @Override
            public String toString() {
                return "holds " + value;
            }
        };
    }

    private static Object hidden(Object content) {
        try {
            Class<?> type = MethodHandles.lookup().defineHiddenClass(PluginLoader.BYTES, true).lookupClass();
            Object made = type.getConstructor().newInstance();
            type.getField("own").set(made, content);
            return made;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> search(Searches searches) {
        List<String> names = new ArrayList<>(places.keySet());
        List<String> lines = new ArrayList<>();
        // The last one hangs on a local: sought alone, so that no other thread is waited for.
        int last = names.size() - 1;
        for (int from = 0; from <= last; from += SLOTS) {
            List<LeakCandidate> candidates = new ArrayList<>();
            for (int i = from; i < Math.min(last, from + SLOTS); i++) {
                candidates.add(Searches.candidate(i + 1, places.get(names.get(i))));
            }
            lines.addAll(search(searches, names, candidates));
        }
        lines.addAll(search(searches, names, List.of(Searches.candidate(last + 1, places.get(names.get(last)), local.getId()))));
        return lines;
    }

    private static List<String> search(Searches searches, List<String> names, List<LeakCandidate> candidates) {
        List<String> lines = new ArrayList<>();
        if (!candidates.isEmpty()) {
            for (SearchFinding finding : searches.run(candidates, 2_000_000, () -> false)) {
                String name = names.get((int) finding.candidateId() - 1);
                lines.add(ChainLines.finding(name, finding.sought(), finding.reached()));
                for (ReferenceChain chain : finding.chains()) {
                    lines.add(ChainLines.root(chain.root(), chain.truncated()));
                    for (Hop hop : chain.edges()) {
                        lines.add(ChainLines.hop(hop));
                    }
                }
            }
        }
        return lines;
    }
}
