package io.holdfast.refchains;

import io.holdfast.core.Accumulation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the place where instances pile up, from the chains of many. Going down from the root along the step that keeps at least 80 % of the
 * instances, the objects passed are few at first and then fan out: the last level that is still narrow is the accumulation point.
 * From there it is climbed up to the collection it is a part of.
 */
final class AccumulationFinder {
    private static final double KEPT = 0.8;
    /** A level is narrow when at most one object serves this many instances. */
    private static final int INSTANCES_PER_OBJECT = 4;
    private static final int MAX_PROBED = 16;
    private static final String THREAD_LOCAL_MAP = "java.lang.ThreadLocal$ThreadLocalMap";

    private final HeapReader reader;
    private final ContainerReader containers;

    AccumulationFinder(HeapReader reader) {
        this.reader = reader;
        this.containers = new ContainerReader(reader);
    }

    /** One chain and its levels. */
    private record Laid(TracedChain chain, List<ChainLevels.Level> levels) { }

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
                all.add(new Laid(chain, ChainLevels.of(chain)));
            }
        }
        Point point = all.isEmpty() ? null : narrow(all);
        if (point == null) {
            return null;
        }
        Laid first = point.laid().get(0);
        int container = climb(first.chain(), point.index(first));
        String holder = holder(first.chain(), container);
        if (holder == null) {
            return null;
        }
        String owner = owner(point, candidateClass);
        return new Accumulation(holder, first.chain().plans[container].className(), owner,
                Math.min(1.0, (double) below(all, point) / Math.max(1, sought)),
                ChainLevels.signature(first.chain(), first.levels(), container), probe(point, owner));
    }

    /** Instances held by way of the containers, whichever way through them: a linked map has three. */
    private static int below(List<Laid> all, Point point) {
        Set<Long> containers = new HashSet<>();
        for (Laid one : point.laid()) {
            containers.add(one.chain().identity(climb(one.chain(), point.index(one))));
        }
        int below = 0;
        for (Laid one : all) {
            boolean passes = false;
            for (int i = 0; i < one.chain().length && !passes; i++) {
                passes = containers.contains(one.chain().identity(i));
            }
            below += passes ? 1 : 0;
        }
        return below;
    }

    private Point narrow(List<Laid> all) {
        List<Laid> kept = all;
        Point narrow = null;
        Point lastCollection = null;
        int limit = Math.max(1, all.size() / INSTANCES_PER_OBJECT);
        for (int level = 0; ; level++) {
            List<Laid> group = largestGroup(kept, level);
            if (group.isEmpty() || group.size() < KEPT * all.size()) {
                break;
            }
            kept = group;
            if (all.size() > 1 && distinct(kept, level, false) <= limit) {
                narrow = new Point(kept, level, false);
                if (distinct(kept, level, true) <= limit) {
                    narrow = new Point(kept, level, true);
                }
            }
            Laid one = kept.get(0);
            ClassPlan plan = one.levels().get(level).plan;
            boolean leaf = one.levels().get(level).to == one.chain().length - 1;
            if ((plan.collection() || plan.map() || plan.className().equals(THREAD_LOCAL_MAP)) && !leaf) {
                lastCollection = new Point(kept, level, true);
            }
        }
        return narrow != null ? narrow : lastCollection;
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
            objects.add(one.chain().identity(exit ? at.to : at.from));
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
            if (!wrapped && !part) {
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

    private static boolean threadLocals(ClassPlan plan) {
        return plan.className().startsWith(THREAD_LOCAL_MAP);
    }

    /** The nearest field at or above the container that is not a collection's own. */
    private static String holder(TracedChain chain, int container) {
        for (int i = container; i >= chain.firstStep(); i--) {
            HopNames.Step step = chain.steps[i];
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
            String owner = owner(one.chain(), one.levels().get(point.level()).to, candidateClass);
            int count = votes.merge(owner, 1, Integer::sum);
            if (best == null || count > votes.get(best)) {
                best = owner;
            }
        }
        return best;
    }

    /** Class of the first object below the container that is no part of a collection. */
    private String owner(TracedChain chain, int container, String candidateClass) {
        for (int i = container + 1; i < chain.length; i++) {
            ClassPlan plan = chain.plans[i];
            if (!plan.collectionInternal() && !threadLocals(plan)) {
                boolean plainKey = plan.shape() == Shape.LEAF && plan.className().startsWith("java.lang.")
                        && chain.steps[i].hop().field() != null && chain.steps[i].hop().field().equals("key");
                String value = plainKey ? containers.valueBeside(chain, i) : null;
                return value != null ? value : plan.className();
            }
        }
        // Only nodes below: the entry's value or key says more than the node.
        String element = containers.elementOf(chain, container);
        return element != null ? element : candidateClass;
    }

    private ContainerProbe probe(Point point, String owner) {
        Map<Long, ProbePath> paths = new HashMap<>();
        for (Laid one : point.laid()) {
            int container = climb(one.chain(), point.index(one));
            if (paths.size() < MAX_PROBED) {
                paths.computeIfAbsent(one.chain().identity(container), id -> new ProbePath(one.chain(), container));
            }
        }
        return new ContainerProbe(List.copyOf(paths.values()), new ElementCount(reader, owner));
    }
}
