package io.holdfast.refchains;

import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.RootKind;
import io.holdfast.core.StackLocal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a chain again from its root before it is reported. Where a reference no longer holds, because a container was resized, rehashed or copied
 * meanwhile, it looks near by for any later object of the chain and mends it; what cannot be mended is rejected.
 */
final class ChainTracer {
    /** One chain may be mended in several places. */
    private static final int MAX_REPAIRS = 16;
    /** An entry of a map or cache has few fields. */
    private static final int MAX_FIELDS_OF_ENTRY = 12;
    /** Shorter ones say only that a method has a variable: the object itself, or what it directly refers to. */
    private static final int MIN_STACK_CHAIN = 3;
    /** Each chain that cannot be mended leaves half of the reads to the next, down to this part of them; each that is mended doubles them. */
    private static final int LEAST_PART = 64;
    /** What a new finding gets at the least, whatever the ones before it came to. */
    private static final int PART_OF_EACH_FINDING = 4;
    /** After so many in a row that could not be mended, and after each double of it, one gets all reads again: a few dead ones must not hide those that moved. */
    private static final int FIRST_TRIAL = 8;
    static final String SHALLOW = "refchains.chains.shallow";
    static final String REJECTED = "refchains.chains.rejected";
    static final String REPAIRED = "refchains.chains.repaired";
    /** References read to read chains again and to mend them. */
    static final String REFERENCES = "refchains.chains.references";

    private final HeapReader reader;
    private final ObjectPath path;
    private final HopNames names;
    private final ContainerReader containers;
    /** Null where chains end at what is sought. */
    private final ContentOfEach contents;
    private final Counters counters;
    private final int repairReads;
    /** Reads for the next chain that has to be mended. Instances that die in droves would each cost as much as a walk of a small heap. */
    private int allowance;
    /** Chains of this finding that could not be mended, since the last that could. */
    private int failures;
    private int readsLeft;
    private int readsLeftAbove;
    private int repairs;
    private long references;
    /** A long list is read again once, not for each of its nodes: how far the last chain can be taken over, and the table's entry for that object. */
    private TracedChain known;
    private int knownEntry = VisitedTable.NONE;
    /** Where in the way the last repair came out. */
    private int laterIndex;
    /** Objects of the chain that the last repair has kept. */
    private int mendedFrom;

    ChainTracer(HeapReader reader, ObjectPath path, Counters counters, SearchSettings settings) {
        this.reader = reader;
        this.path = path;
        this.names = new HopNames(reader);
        this.containers = new ContainerReader(reader);
        this.contents = settings.contents() ? new ContentOfEach(reader, names, settings.programPackage()) : null;
        this.counters = counters;
        this.repairReads = settings.repairReads();
        this.allowance = settings.repairReads();
    }

    /** References read so far. */
    long references() {
        return references;
    }

    /** Reads everything anew from here on: what was read for an earlier finding may have changed. */
    void forget() {
        known = null;
        knownEntry = VisitedTable.NONE;
        allowance = Math.max(allowance, repairReads / PART_OF_EACH_FINDING);
        failures = 0;
    }

    /** The chain to the instance as it is now; null if there is none any more near the one that was found. */
    TracedChain trace(int entry, Object target) {
        repairs = 0;
        long before = references;
        int granted = failures >= FIRST_TRIAL && Integer.bitCount(failures) == 1 ? repairReads : allowance;
        TracedChain chain = path.load(entry, ObjectPath.MAX_LENGTH, knownEntry) ? read(target, granted) : null;
        if (chain != null) {
            remember(chain);
        }
        if (chain == null) {
            counters.increment(REJECTED);
            if (repairs > 0) {
                failures++;
                allowance = Math.max(repairReads / LEAST_PART, allowance / 2);
            }
        } else if (repairs > 0) {
            counters.increment(REPAIRED);
            failures = 0;
            allowance = Math.min(repairReads, granted * 2);
        }
        counters.add(REFERENCES, references - before);
        return chain;
    }

    /**
     * The hops from the end of the chain to what leaks: from a collection's node to what the node holds, and from an object of the JDK or a library to the
     * object of the program that it holds and the end of the other chain does not. Usually none.
     *
     * @param other a chain to another instance by the same steps, or null
     */
    List<Hop> content(TracedChain chain, TracedChain other) {
        List<Hop> hops = new ArrayList<>();
        int field = containers.elementField(chain);
        Object end = chain.length == 0 ? null : chain.object(chain.length - 1);
        Object element = end == null ? null : element(chain, field);
        if (element != null && element != end) {
            hops.add(names.step(end, Link.FIELD, field, reader.plan(element)).hop());
        }
        Object otherElement = other == null || other.length == 0 || element == null ? null : element(other, containers.elementField(other));
        if (otherElement != null && contents != null) {
            hops.addAll(contents.below(element, otherElement, objects(chain, other)));
        }
        return hops;
    }

    /** Those that are alive, of both. */
    private static List<Object> objects(TracedChain chain, TracedChain other) {
        List<Object> objects = new ArrayList<>();
        for (TracedChain each : List.of(chain, other)) {
            for (int i = 0; i < each.length; i++) {
                Object object = each.object(i);
                if (object != null) {
                    objects.add(object);
                }
            }
        }
        return objects;
    }

    /** The object in which the chain ends, or what it holds there if it is a collection's node. */
    private Object element(TracedChain chain, int field) {
        Object end = chain.object(chain.length - 1);
        return end == null || field < 0 ? end : reader.reference(end, chain.plans[chain.length - 1].offset(field));
    }

    private TracedChain read(Object target, int repairable) {
        readsLeft = repairable;
        readsLeftAbove = repairable;
        boolean behindKnown = path.beginsBehind(knownEntry);
        RootLink root = behindKnown ? known.root : path.root();
        Object holder = root.holder().get();
        if (holder == null || root.kind() == Link.ROOT_THREAD && !((Thread) holder).isAlive()
                || root.kind() == Link.ROOT_STACK && !((StackLocal) holder).current()) {
            return null;
        }
        TracedChain chain = behindKnown ? known.beginning(0) : new TracedChain(root);
        int last = path.length() - 1;
        Object base = behindKnown ? known.object(known.length - 1) : holder;
        if (base == null) {
            return null;
        }
        for (int i = 0; i <= last;) {
            references++;
            Object object = path.step(base, i);
            if (object == null || i == last && object != target) {
                LocalSearch mended = repair(chain, base, holder, i, target);
                if (mended == null) {
                    return null;
                }
                base = mended.object(0);
                chain = mendedFrom == chain.length ? chain : chain.beginning(chain.length - mendedFrom);
                for (int at : mended.way()) {
                    byte kind = base == holder && mended.kind(at) == Link.STATIC_FIELD ? Link.ROOT_STATIC : mended.kind(at);
                    append(chain, base, kind, mended.edge(at), mended.object(at));
                    base = mended.object(at);
                }
                i = laterIndex + 1;
            } else {
                append(chain, base, path.kind(i), path.edge(i), object);
                base = object;
                i++;
            }
        }
        if (root.kind() == Link.ROOT_STACK && chain.length < MIN_STACK_CHAIN) {
            counters.increment(SHALLOW);
            return null;
        }
        chain.gcRoot = root(holder, chain);
        return chain;
    }

    /** The way behind the last long list of the chain, which must not have been mended: else the entries do not tell where that is. */
    private void remember(TracedChain chain) {
        int behind = repairs > 0 ? -1 : chain.objectsBehindLongRun();
        if (behind >= 0 && behind < path.length()) {
            known = chain.beginning(behind);
            knownEntry = path.entry(path.length() - 1 - behind);
        }
    }

    private void append(TracedChain chain, Object base, byte kind, int edge, Object object) {
        ClassPlan plan = reader.plan(object);
        boolean itself = kind == Link.ROOT_THREAD || kind == Link.ROOT_LOADER;
        chain.append(kind, edge, object, plan, itself ? null : names.step(base, kind, edge, plan));
        if (refersToLivingSoftReferent(object, plan)) {
            chain.besideSoft();
        }
    }

    /** Looks at the fields of ordinary objects only: a class, too, caches what it reflects softly. */
    private boolean refersToLivingSoftReferent(Object object, ClassPlan plan) {
        if (plan.shape() != Shape.OBJECT || plan.fieldCount() > MAX_FIELDS_OF_ENTRY) {
            return false;
        }
        for (int i = 0; i < plan.fieldCount(); i++) {
            Object reference = plan.mayLead(i) ? reader.reference(object, plan.offset(i)) : null;
            if (reference != null) {
                references++;
                ClassPlan referred = reader.plan(reference);
                if (referred.shape() == Shape.SOFT_REFERENCE && reader.reference(reference, referred.referentOffset()) != null) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Looks for the rest of the chain below the last object that is in its place, then below the ones before it, further and further up: what moved from one
     * holder to another is below both of them. The first look may use all reads that are left, those further up as many once more, each half of what is left of
     * these, the one at the top all.
     */
    private LocalSearch repair(TracedChain chain, Object base, Object holder, int broken, Object target) {
        if (++repairs > MAX_REPAIRS) {
            return null;
        }
        int last = path.length() - 1;
        Map<Long, Integer> later = new HashMap<>();
        for (int i = broken; i < last; i++) {
            later.put(path.key(i), i);
        }
        LocalSearch.Goal goal = (object, plan) -> {
            Integer index = object == target ? Integer.valueOf(last) : later.get(ObjectPath.key(object, plan));
            if (index == null) {
                return LocalSearch.Answer.ENTER;
            }
            laterIndex = index;
            return LocalSearch.Answer.FOUND;
        };
        // Only a class can be looked into as a root; of the others the first object is the top.
        int top = chain.root.kind() == Link.ROOT_STATIC ? 0 : Math.min(1, chain.length);
        mendedFrom = chain.length;
        LocalSearch near = new LocalSearch(reader, goal, readsLeft);
        boolean found = readsLeft > 0 && near.run(base);
        references += readsLeft - near.readsLeft();
        readsLeft = near.readsLeft();
        for (int up = 1; !found && mendedFrom > top && readsLeftAbove > 0; up *= 2) {
            mendedFrom = chain.complete(mendedFrom - 1) ? Math.max(top, mendedFrom - up) : top;
            Object from = mendedFrom == 0 ? holder : chain.object(mendedFrom - 1);
            if (from != null) {
                int reads = mendedFrom == top ? readsLeftAbove : (readsLeftAbove + 1) / 2;
                near = new LocalSearch(reader, goal, reads);
                found = near.run(from);
                references += reads - near.readsLeft();
                readsLeftAbove -= reads - near.readsLeft();
            }
        }
        return found ? near : null;
    }

    private static GcRoot root(Object holder, TracedChain chain) {
        switch (chain.root.kind()) {
            case Link.ROOT_THREAD -> {
                String name = ((Thread) holder).getName();
                byte first = chain.length > 1 ? chain.kinds[1] : Link.ROOT_THREAD;
                RootKind kind = first == Link.THREAD_LOCAL ? RootKind.THREAD_LOCAL
                        : first == Link.INHERITABLE_THREAD_LOCAL ? RootKind.INHERITABLE_THREAD_LOCAL : RootKind.THREAD;
                return new GcRoot(kind, "thread \"" + name + "\"", name);
            }
            case Link.ROOT_LOADER -> {
                return new GcRoot(RootKind.CLASS_LOADER, "class loader " + ClassNames.of(holder.getClass()), null);
            }
            case Link.ROOT_STACK -> {
                StackLocal local = (StackLocal) holder;
                String variable = local.variable() == null ? "local" : "local '" + local.variable() + "'";
                return new GcRoot(RootKind.STACK_LOCAL, variable + " of " + local.frame() + " on thread \"" + local.threadName() + "\"", local.threadName());
            }
            default -> {
                String field = chain.steps[0].hop().field();
                if (chain.steps[0].hop().kind() == EdgeKind.FIELD) {
                    return new GcRoot(RootKind.SYSTEM_CLASS, "class " + ClassNames.of((Class<?>) holder), null);
                }
                return new GcRoot(RootKind.STATIC_FIELD, "static " + ClassNames.of((Class<?>) holder) + "." + field, null);
            }
        }
    }
}
