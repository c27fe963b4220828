package io.holdfast.refchains;

import io.holdfast.core.Accumulation;
import io.holdfast.core.StackLocal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the place where instances pile up, from the chains of many. Going down from the root along the step that keeps at least 80 % of the
 * instances, the objects passed are few at first and then fan out: the last level that is still narrow is the accumulation point.
 * From there it is climbed up to the collection it is a part of. Where the level below it holds containers again (a list per session), it may be those
 * that grow: they are named as inner places. Where the narrow level itself is of several objects, it may be these that become more: the place they branch
 * from is named as an outer one.
 */
final class AccumulationFinder {
    static final double KEPT = 0.8;
    /** A level is narrow when at most one object serves this many instances. */
    private static final int INSTANCES_PER_OBJECT = 4;
    private static final int MAX_PROBED = 16;
    /** Objects at the narrow level from which on they may be what piles up. */
    private static final int MIN_BRANCHES = 3;
    /** Wide levels of containers below the narrow one that are followed too: a map of maps of lists. */
    private static final int MAX_INNER = 2;
    private static final String THREAD_LOCAL_MAP = "java.lang.ThreadLocal$ThreadLocalMap";
    private static final String ATOMIC_ARRAY = "java.util.concurrent.atomic.AtomicReferenceArray";

    private final HeapReader reader;
    private final ContainerReader containers;
    private final ThreadAccumulation threads;

    AccumulationFinder(HeapReader reader, Roots roots) {
        this.reader = reader;
        this.containers = new ContainerReader(reader);
        this.threads = new ThreadAccumulation(reader, roots);
    }

    /** One chain and its levels. */
    private record Laid(TracedChain chain, List<ChainLevels.Level> levels, long[] places) { }

    /**
     * The narrow place.
     *
     * @param laid  chains that pass it
     * @param level number of the level
     * @param exit  whether the last object of the level is meant rather than its first
     */
    private record Point(List<Laid> laid, int level, boolean exit) {
        int index(Laid one) {
            ChainLevels.Level at = one.levels().get(level);
            return exit ? at.to : at.from;
        }
    }

    /** Returns null when the chains have no place in common. */
    Accumulation find(List<TracedChain> chains, int sought, String candidateClass) {
        List<Laid> all = new ArrayList<>();
        for (TracedChain chain : chains) {
            if (chain.length > 0) {
                all.add(new Laid(chain, ChainLevels.of(chain), chain.places()));
            }
        }
        Point point = all.isEmpty() ? null : narrow(all);
        Accumulation threadsThemselves = point == null ? threads.find(chains, sought, false) : null;
        if (threadsThemselves != null) {
            return threadsThemselves.with(inner(all, all, -1, -1, sought, candidateClass));
        }
        if (point == null) {
            point = lastCollection(all);
        }
        if (point != null) {
            int container = climb(point.laid().get(0).chain(), point.index(point.laid().get(0)));
            Accumulation place = place(all, point, sought, candidateClass, inner(all, point.laid(), point.level(), container, sought, candidateClass), false);
            return place == null ? null : place.below(outer(all, point, container, chains, sought, candidateClass));
        }
        return null;
    }

    /** Where the several objects of the narrow level branch off; empty if it is one, or a few. */
    private List<Accumulation> outer(List<Laid> all, Point point, int container, List<TracedChain> chains, int sought, String candidateClass) {
        int branches = distinct(point.laid(), point.level(), point.exit());
        if (branches < MIN_BRANCHES) {
            return List.of();
        }
        for (int level = point.level() - 1; level >= 0; level--) {
            if (distinct(point.laid(), level, false) * 2 <= branches) {
                Point above = new Point(point.laid(), level, distinct(point.laid(), level, true) * 2 <= branches);
                Laid first = point.laid().get(0);
                Accumulation place = climb(first.chain(), above.index(first)) < container ? place(all, above, sought, candidateClass, List.of(), false) : null;
                return place == null ? List.of() : List.of(place);
            }
        }
        Accumulation threadsThemselves = threads.find(chains, sought, true);
        return threadsThemselves == null ? List.of() : List.of(threadsThemselves);
    }

    private List<Accumulation> inner(List<Laid> all, List<Laid> kept, int level, int container, int sought, String candidateClass) {
        List<Accumulation> inner = new ArrayList<>();
        for (Point wide : containersBelow(kept, level, container)) {
            Accumulation place = place(all, wide, sought, candidateClass, List.of(), true);
            if (place != null) {
                inner.add(place);
            }
        }
        return inner;
    }

    private Accumulation place(List<Laid> all, Point point, int sought, String candidateClass, List<Accumulation> inner, boolean wide) {
        Laid first = point.laid().get(0);
        int container = climb(first.chain(), point.index(first));
        String holder = holder(first.chain(), container);
        if (holder == null) {
            return null;
        }
        String owner = owner(point, candidateClass);
        return new Accumulation(holder, first.chain().plans[container].className(), owner, timeField(point, owner),
                Math.min(1.0, (double) below(all, point) / Math.max(1, sought)),
                ChainLevels.signature(first.chain(), first.levels(), container), probe(point, owner, wide), inner, List.of());
    }

    /** Levels below the given one that hold containers other than the given one. */
    private static List<Point> containersBelow(List<Laid> above, int level, int aboveContainer) {
        List<Point> found = new ArrayList<>();
        List<Laid> kept = above;
        int last = aboveContainer;
        for (int below = level + 1; found.size() < MAX_INNER; below++) {
            List<Laid> group = largestGroup(kept, below);
            if (group.size() < KEPT * above.size()) {
                break;
            }
            kept = group;
            Laid one = kept.get(0);
            ChainLevels.Level at = one.levels().get(below);
            boolean leaf = at.to == one.chain().length - 1;
            int container = climb(one.chain(), at.from);
            if (container > last && (!leaf && holdsMany(at.plan) || linked(kept, below))) {
                found.add(new Point(kept, below, false));
                last = container;
            }
        }
        return found;
    }

    /** Whether that level is a list of each holder's own: a bucket of a hash table. */
    private static boolean linked(List<Laid> kept, int level) {
        long lists = kept.stream().filter(one -> one.levels().get(level).from < one.levels().get(level).to).count();
        return lists * INSTANCES_PER_OBJECT >= kept.size();
    }

    private static boolean holdsMany(ClassPlan plan) {
        return plan.collection() || plan.map() || plan.shape() == Shape.OBJECT_ARRAY || plan.className().equals(THREAD_LOCAL_MAP);
    }

    /** Instances held by way of the containers, whichever way through them: a linked map has three. */
    private static int below(List<Laid> all, Point point) {
        Set<Long> containers = new HashSet<>();
        for (Laid one : point.laid()) {
            containers.add(one.places()[climb(one.chain(), point.index(one))]);
        }
        int below = 0;
        for (Laid one : all) {
            boolean passes = false;
            for (int i = 0; i < one.chain().length && !passes; i++) {
                passes = containers.contains(one.places()[i]);
            }
            below += passes ? 1 : 0;
        }
        return below;
    }

    /** The last level that most chains pass at few objects; null if there is none. */
    private static Point narrow(List<Laid> all) {
        List<Laid> kept = all;
        Point narrow = null;
        int limit = Math.max(1, all.size() / INSTANCES_PER_OBJECT);
        for (int level = 0; all.size() > 1; level++) {
            List<Laid> group = largestGroup(kept, level);
            if (group.isEmpty() || group.size() < KEPT * all.size()) {
                break;
            }
            kept = group;
            if (distinct(kept, level, false) <= limit) {
                narrow = new Point(kept, level, distinct(kept, level, true) <= limit);
            }
        }
        return narrow;
    }

    /** The last collection that most chains lead through, for few instances; null if there is none. */
    private static Point lastCollection(List<Laid> all) {
        List<Laid> kept = all;
        Point last = null;
        for (int level = 0; ; level++) {
            List<Laid> group = largestGroup(kept, level);
            if (group.isEmpty() || group.size() < KEPT * all.size()) {
                return last;
            }
            kept = group;
            Laid one = kept.get(0);
            ClassPlan plan = one.levels().get(level).plan;
            boolean leaf = one.levels().get(level).to == one.chain().length - 1;
            if (!leaf && plan.shape() != Shape.OBJECT_ARRAY && holdsMany(plan)) {
                last = new Point(kept, level, true);
            }
        }
    }

    private static List<Laid> largestGroup(List<Laid> kept, int level) {
        Map<String, List<Laid>> groups = new HashMap<>();
        List<Laid> largest = List.of();
        for (Laid one : kept) {
            if (level < one.levels().size()) {
                List<Laid> group = groups.computeIfAbsent(one.levels().get(level).key, k -> new ArrayList<>());
                group.add(one);
                if (group.size() > largest.size()) {
                    largest = group;
                }
            }
        }
        return largest;
    }

    private static int distinct(List<Laid> kept, int level, boolean exit) {
        Set<Long> objects = new HashSet<>();
        for (Laid one : kept) {
            ChainLevels.Level at = one.levels().get(level);
            objects.add(one.places()[exit ? at.to : at.from]);
        }
        return objects.size();
    }

    /** From a collection's array or node to the collection, and from a wrapped collection to its wrapper. */
    private static int climb(TracedChain chain, int from) {
        int index = from;
        while (index > 0) {
            ClassPlan plan = chain.plans[index];
            ClassPlan above = chain.plans[index - 1];
            boolean collection = plan.collection() || plan.map();
            boolean wrapped = collection && chain.kinds[index] == Link.FIELD && (above.collection() || above.map());
            boolean part = !collection && plan.collectionInternal() && (above.collectionInternal() || nodesOf(plan, above) || threadLocals(above));
            if (!wrapped && !part || arrayAsValue(plan, above)) {
                break;
            }
            index--;
        }
        return index;
    }

    /** Arrays of classes nested in the class that holds the array: a table of a collection that does not call itself one. */
    private static boolean nodesOf(ClassPlan array, ClassPlan above) {
        return array.shape() == Shape.OBJECT_ARRAY && array.className().startsWith(above.className() + "$");
    }

    /** Whether a collection's node holds the array as its value: what a map of arrays that are copied with each change has. An atomic array is its storage. */
    private static boolean arrayAsValue(ClassPlan plan, ClassPlan above) {
        boolean node = above.shape() == Shape.OBJECT && above.collectionInternal() && !above.collection() && !above.map()
                && !above.className().equals(ATOMIC_ARRAY);
        int nested = above.className().indexOf('$');
        return node && plan.shape() == Shape.OBJECT_ARRAY && !(nested >= 0 && plan.className().startsWith(above.className().substring(0, nested + 1)));
    }

    private static boolean threadLocals(ClassPlan plan) {
        return plan.className().startsWith(THREAD_LOCAL_MAP);
    }

    /** The nearest field at or above the container that is not a collection's own; for a local, {@code Class#method(variable)}. */
    private static String holder(TracedChain chain, int container) {
        for (int i = container; i >= chain.firstStep(); i--) {
            HopNames.Step step = chain.steps[i];
            if (chain.kinds[i] == Link.ROOT_STACK) {
                return chain.root.holder().get() instanceof StackLocal local
                        ? local.className() + "#" + local.methodName() + "(" + (local.variable() == null ? "" : local.variable()) + ")" : null;
            }
            boolean internal = i > 0 && Link.FIELD == chain.kinds[i]
                    && (chain.plans[i - 1].collectionInternal() || threadLocals(chain.plans[i - 1])
                    || i > 0 && nodesOf(chain.plans[i], chain.plans[i - 1]));
            if (step != null && step.hop().field() != null && !internal && chain.kinds[i] != Link.SOFT_REFERENT) {
                return step.hop().declaringClass() + "#" + step.hop().field();
            }
        }
        return null;
    }

    private String owner(Point point, String candidateClass) {
        Map<String, Integer> votes = new HashMap<>();
        String best = null;
        for (Laid one : point.laid()) {
            String owner = ownerBelow(one, point.level(), candidateClass);
            int count = votes.merge(owner, 1, Integer::sum);
            if (best == null || count > votes.get(best)) {
                best = owner;
            }
        }
        return best;
    }

    /** In which each owner states a time; null if it states none. */
    private String timeField(Point point, String owner) {
        for (Laid one : point.laid()) {
            int container = one.levels().get(point.level()).to;
            int index = ownerIndex(one.chain(), container);
            Object beside = beside(one.chain(), container, index);
            Object object = beside != null || index < 0 ? beside : one.chain().object(index);
            if (object != null && reader.plan(object).className().equals(owner)) {
                return reader.timeField(object.getClass());
            }
        }
        return null;
    }

    private String ownerBelow(Laid one, int level, String candidateClass) {
        ChainLevels.Level at = one.levels().get(level);
        int index = ownerIndex(one.chain(), at.to);
        if (at.from < at.to && !at.plan.collectionInternal() && (index < 0 || one.chain().plans[index].shape() == Shape.LEAF)) {
            return at.plan.className(); // nodes that hold no more than their data: a list of the elements themselves
        }
        return owner(one.chain(), at.to, candidateClass);
    }

    /** The first object below that is no part of a collection; -1 if there is none. */
    private static int ownerIndex(TracedChain chain, int container) {
        for (int i = container + 1; i < chain.length; i++) {
            if (!chain.plans[i].collectionInternal() && !threadLocals(chain.plans[i])) {
                return i;
            }
        }
        return -1;
    }

    private String owner(TracedChain chain, int container, String candidateClass) {
        int index = ownerIndex(chain, container);
        Object beside = beside(chain, container, index);
        return beside != null ? reader.plan(beside).className() : index >= 0 ? chain.plans[index].className() : candidateClass;
    }

    /** What says more than the owner at that index, or the want of one: the value beside a plain key, the element of a node; null if there is none. */
    private Object beside(TracedChain chain, int container, int index) {
        if (index < 0) {
            return containers.elementOf(chain, container);
        }
        ClassPlan plan = chain.plans[index];
        boolean plainKey = plan.shape() == Shape.LEAF && plan.className().startsWith("java.lang.")
                && chain.steps[index].hop().field() != null && chain.steps[index].hop().field().equals("key");
        return plainKey ? containers.valueBeside(chain, index) : null;
    }

    private ContainerProbe probe(Point point, String owner, boolean wide) {
        Map<Long, ProbePath> paths = new HashMap<>();
        Set<Integer> between = new HashSet<>();
        boolean linked = false;
        for (Laid one : point.laid()) {
            TracedChain chain = one.chain();
            int container = climb(chain, point.index(one));
            if (paths.size() < MAX_PROBED) {
                // a list is counted from the object that holds its first node: others may be put before that
                boolean list = wide && container > 0 && !holdsMany(chain.plans[container]) && chain.kinds[container] == Link.FIELD;
                int counted = list ? container - 1 : container;
                paths.computeIfAbsent(one.places()[counted], id -> new ProbePath(chain, counted));
            }
            for (int i = container; i < chain.length; i++) {
                if (chain.plans[i].className().equals(owner)) {
                    linked |= i + 1 < chain.length && chain.plans[i + 1].id() == chain.plans[i].id()
                            || i + 2 < chain.length && chain.plans[i + 2].id() == chain.plans[i].id();
                } else if (i <= one.levels().get(point.level()).to || ownerIndex(chain, container) < 0 || i < ownerIndex(chain, container)) {
                    between.add(chain.plans[i].id());
                }
            }
        }
        ElementCount count = new ElementCount(reader, new ElementCount.Structure(owner, linked, Set.copyOf(between)));
        return new ContainerProbe(List.copyOf(paths.values()), count, reader, wide);
    }
}
