package io.holdfast.refchains;

import io.holdfast.core.Counters;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.ReferenceChain;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Counts what is strongly reachable, in one go: for tests, which may stop at a point of their own choosing and want the whole answer there.
 * {@link IncrementalChainSearch} is for programs that must not notice.
 *
 * <p>The walk starts from static fields, live threads and whatever the caller adds; referents of soft and weaker references are not followed. It holds
 * what it has met strongly until it returns, some thirty bytes an object, and gives up beyond a bound; nothing is held between calls but weak
 * references. No code of the application runs. One thread at a time.
 */
public final class HeapCensus {
    /** Censuses that met more objects than they may. */
    static final String INCOMPLETE = "refchains.census.incomplete";
    /** Objects that could not be read. */
    static final String ERRORS = "refchains.census.errors";
    private static final int BYTES_PER_OBJECT = 40;
    private static final int FREE_HEAP_DIVISOR = 4;
    private static final int MIN_OBJECTS = 65_536;
    private static final int MAX_OBJECTS = 50_000_000;

    private final HeapReader reader;
    private final Roots roots;
    private final Counters counters;

    public HeapCensus(HeapAccess access, Counters counters) {
        this(access.reader(), access.roots(), counters);
    }

    HeapCensus(HeapReader reader, Roots roots, Counters counters) {
        this.reader = reader;
        this.roots = roots;
        this.counters = counters;
    }

    /**
     * Objects of one class.
     *
     * @param instances  how many
     * @param references references that leave them and are not null: elements of a list, say
     */
    public record Population(long instances, long references) { }

    /**
     * All classes of which something was met.
     *
     * @param byClass  by {@link io.holdfast.core.ClassNames#of name}; classes of one name are added up
     * @param objects  objects met
     * @param complete whether the walk came to its end
     */
    public record Count(Map<String, Population> byClass, long objects, boolean complete) { }

    /**
     * Instances of one class.
     *
     * @param objects  those that were found
     * @param complete whether the walk came to its end, so that none can be missing but for the limit
     */
    public record Instances(List<WeakReference<Object>> objects, boolean complete) {
        public Instances {
            objects = List.copyOf(objects);
        }
    }

    /** Objects of some classes as they were at one moment, held weakly, with the number of references that left each. */
    public static final class Tally {
        private final Map<Integer, List<Member>> members = new HashMap<>();

        private record Member(WeakReference<Object> object, int references) { }

        private Tally() { }

        private void add(Object object, int references) {
            members.computeIfAbsent(System.identityHashCode(object), hash -> new ArrayList<>(1)).add(new Member(new WeakReference<>(object), references));
        }

        /** References that left the object; -1 if it was not there. */
        private int references(Object object) {
            for (Member member : members.getOrDefault(System.identityHashCode(object), List.of())) {
                if (member.object().refersTo(object)) {
                    return member.references();
                }
            }
            return -1;
        }
    }

    /** Counts everything. */
    public Count count(List<?> moreRoots) {
        Walk walk = new Walk(limit());
        walk.run(moreRoots);
        return walk.count();
    }

    /** Instances of {@code type} and its subclasses, at most {@code limit}. */
    public Instances instances(Class<?> type, List<?> moreRoots, int limit) {
        Walk walk = new Walk(limit());
        walk.run(moreRoots);
        List<WeakReference<Object>> found = new ArrayList<>();
        for (int i = 0; i < walk.size && found.size() < limit; i++) {
            if (type.isInstance(walk.objects[i])) {
                found.add(new WeakReference<>(walk.objects[i]));
            }
        }
        return new Instances(found, walk.complete);
    }

    /** Notes all objects of these classes. */
    public Tally tally(Set<String> classNames, List<?> moreRoots) {
        Walk walk = new Walk(limit());
        walk.run(moreRoots);
        Tally tally = new Tally();
        for (int i = 0; i < walk.size; i++) {
            if (classNames.contains(walk.plan(i).className())) {
                tally.add(walk.objects[i], walk.references[i]);
            }
        }
        return tally;
    }

    /** Objects of these classes that were not there before, or that more references leave than before; at most {@code limit}. */
    public List<WeakReference<Object>> grownSince(Tally before, Set<String> classNames, List<?> moreRoots, int limit) {
        Walk walk = new Walk(limit());
        walk.run(moreRoots);
        List<WeakReference<Object>> grown = new ArrayList<>();
        for (int i = 0; i < walk.size && grown.size() < limit; i++) {
            if (classNames.contains(walk.plan(i).className()) && walk.references[i] > before.references(walk.objects[i])) {
                grown.add(new WeakReference<>(walk.objects[i]));
            }
        }
        return grown;
    }

    /**
     * A chain of strong references from {@code from}, which is named as the root, to one of the objects sought. Empty if there is none. Roots are not
     * entered, except those that are met on the way.
     */
    public Optional<ReferenceChain> chain(Object from, GcRoot root, List<WeakReference<Object>> sought, Instant now) {
        Walk walk = new Walk(limit());
        walk.add(from, -1, Link.FIELD, 0);
        walk.expandAll();
        for (int i = 0; i < walk.size; i++) {
            if (refersTo(sought, walk.objects[i])) {
                List<Hop> hops = walk.hops(i);
                return Optional.of(new ReferenceChain(root, hops.subList(0, Math.min(hops.size(), ReferenceChain.MAX_HOPS)), hops.size(),
                        hops.size() > ReferenceChain.MAX_HOPS, 1, 1, now));
            }
        }
        return Optional.empty();
    }

    /** Those of the objects that are alive and to which no strong reference leads from any of {@code from}. */
    public List<WeakReference<Object>> notReachableFrom(List<?> from, List<WeakReference<Object>> objects) {
        Walk walk = new Walk(limit());
        from.forEach(root -> walk.add(root, -1, Link.FIELD, 0));
        walk.expandAll();
        return objects.stream().filter(reference -> {
            Object object = reference.get();
            return object != null && !walk.met(object);
        }).toList();
    }

    private static boolean refersTo(List<WeakReference<Object>> references, Object object) {
        for (WeakReference<Object> reference : references) {
            if (reference.refersTo(object)) {
                return true;
            }
        }
        return false;
    }

    private static int limit() {
        Runtime runtime = Runtime.getRuntime();
        long free = runtime.maxMemory() - runtime.totalMemory() + runtime.freeMemory();
        return (int) Math.max(MIN_OBJECTS, Math.min(MAX_OBJECTS, free / FREE_HEAP_DIVISOR / BYTES_PER_OBJECT));
    }

    /** One walk, breadth first. What was met is numbered in the order in which it was met. */
    private final class Walk implements EdgeVisitor {
        private static final int FIRST_CAPACITY = 1 << 16;

        private final Outgoing outgoing = new Outgoing(reader);
        private final int limit;
        private Object[] objects = new Object[FIRST_CAPACITY];
        private int[] parents = new int[FIRST_CAPACITY];
        private byte[] kinds = new byte[FIRST_CAPACITY];
        private int[] edges = new int[FIRST_CAPACITY];
        private int[] references = new int[FIRST_CAPACITY];
        /** Numbers + 1, open addressing by identity hash; twice as long as the others, so at most half full. */
        private int[] table = new int[2 * FIRST_CAPACITY];
        private int size;
        private int current = -1;
        private boolean complete = true;

        Walk(int limit) {
            this.limit = limit;
        }

        void run(List<?> moreRoots) {
            moreRoots.forEach(root -> add(root, -1, Link.FIELD, 0));
            for (Class<?> type : roots.classes()) {
                add(type, -1, Link.FIELD, 0);
            }
            for (Thread thread : roots.threads()) {
                add(thread, -1, Link.FIELD, 0);
            }
            expandAll();
        }

        void expandAll() {
            for (int i = 0; i < size; i++) {
                current = i;
                try {
                    expand(objects[i]);
                } catch (RuntimeException | LinkageError e) {
                    counters.increment(ERRORS); // one object that cannot be read must not cost the others
                }
            }
            if (!complete) {
                counters.increment(INCOMPLETE);
            }
        }

        private void expand(Object object) {
            ClassPlan plan = reader.plan(object);
            if (plan.shape() == Shape.LEAF || plan.shape() == Shape.OWN) {
                return;
            }
            int position = 0;
            while (position != Outgoing.DONE) {
                position = outgoing.visit(object, plan, position, Integer.MAX_VALUE, this);
            }
        }

        @Override
        public Then edge(Object child, byte kind, int edge) {
            if (reader.plan(child).shape() != Shape.OWN) {
                references[current]++;
                add(child, current, kind, edge);
            }
            return Then.GO_ON;
        }

        @Override
        public boolean readsLeafFields() {
            return true;
        }

        @Override
        public boolean wantsLoaderOf(ClassPlan plan) {
            return true;
        }

        @Override
        public void read() {
            // nothing is budgeted here
        }

        void add(Object object, int parent, byte kind, int edge) {
            if (object == null) {
                return;
            }
            int slot = slot(table, object);
            if (table[slot] != 0) {
                return;
            }
            if (size == limit) {
                complete = false;
                return;
            }
            if (size == objects.length) {
                grow();
                slot = slot(table, object);
            }
            objects[size] = object;
            parents[size] = parent;
            kinds[size] = kind;
            edges[size] = edge;
            table[slot] = ++size;
        }

        boolean met(Object object) {
            return table[slot(table, object)] != 0;
        }

        private int slot(int[] in, Object object) {
            int mask = in.length - 1;
            int mixed = System.identityHashCode(object) * 0x9E37_79B9;
            int slot = (mixed ^ mixed >>> 15) & mask;
            while (in[slot] != 0 && objects[in[slot] - 1] != object) {
                slot = slot + 1 & mask;
            }
            return slot;
        }

        private void grow() {
            int capacity = 2 * objects.length;
            objects = Arrays.copyOf(objects, capacity);
            parents = Arrays.copyOf(parents, capacity);
            kinds = Arrays.copyOf(kinds, capacity);
            edges = Arrays.copyOf(edges, capacity);
            references = Arrays.copyOf(references, capacity);
            int[] wider = new int[2 * capacity];
            for (int i = 0; i < size; i++) {
                wider[slot(wider, objects[i])] = i + 1;
            }
            table = wider;
        }

        ClassPlan plan(int i) {
            return reader.plan(objects[i]);
        }

        Count count() {
            Map<String, Population> byClass = new TreeMap<>();
            for (int i = 0; i < size; i++) {
                byClass.merge(plan(i).className(), new Population(1, references[i]),
                        (a, b) -> new Population(a.instances() + b.instances(), a.references() + b.references()));
            }
            return new Count(byClass, size, complete);
        }

        List<Hop> hops(int last) {
            HopNames names = new HopNames(reader);
            Deque<Hop> hops = new ArrayDeque<>();
            for (int i = last; parents[i] >= 0; i = parents[i]) {
                hops.addFirst(names.step(objects[parents[i]], kinds[i], edges[i], plan(i)).hop());
            }
            return List.copyOf(hops);
        }
    }
}
