package io.holdfast.refchains;

import io.holdfast.core.Counters;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * Admits what is met and expands what was admitted, one position at a time, so that a slice can end anywhere. The loops here decide what the
 * walk costs: no object is made per reference, the frontier's weak references are made only for what outlives the slice.
 *
 * <p>Not thread-safe; runs beside the application, whose objects change meanwhile. What is noted here is a lead, no proof: chains are read again
 * before they are reported.
 */
final class HeapWalk implements EdgeVisitor {
    /** Leaf objects are looked into this deep for sought leaf instances: {@code String} → {@code byte[]} needs one level. */
    static final int LEAF_LEVELS = 3;

    private static final int REFUSED = -2;
    /** Nodes of one list walked on end before other pending work gets its turn. */
    private static final int MAX_FOLLOWED = 4_096;
    /** Like steps in a row by which a structure that is no collection is known for a list. */
    private static final int LIST_STEPS = 3;

    private final HeapReader reader;
    private final Outgoing outgoing;
    private final PermanentClasses permanent;
    private final VisitedTable table;
    private final Frontier frontier;
    private final Frontier classes;
    private final Targets targets;
    private final RootHolders holders;
    private final Slice slice;
    private final int hops;
    private final int elementsPerStep;
    private final LongAdder pruned;
    private final Merges merges;
    private final BarrenObjects barren;
    private final WalkObserver observer;
    private final int[] leafEdges = new int[LEAF_LEVELS];
    private final Object[] leafChildren = new Object[LEAF_LEVELS];
    /** By class id: whether the loader of such a class has been met. */
    private boolean[] loaderWalked = new boolean[1_024];
    private boolean capHit;
    private boolean refused;
    private int revisitMark;

    /** The object being expanded. */
    private int parent;
    private int parentDepth;
    private int parentClassId;
    private boolean parentSoft;
    private boolean parentRevisited;
    private boolean parentIsCollection;
    /**
     * The node to be walked next, before anything else that waits: a node that waited its turn would have left its queue by then, and lead to itself
     * alone. Null if there is none.
     */
    private Object followed;
    private int followedEntry;
    /** Class, thread or loader, while what it holds is met; else null. */
    private Object rootHolder;

    HeapWalk(HeapReader reader, PermanentClasses permanent, VisitedTable table, Frontier frontier, Frontier classes, Targets targets,
             RootHolders holders, Slice slice, SearchSettings settings, WalkObserver observer, Counters counters) {
        this.reader = reader;
        this.outgoing = new Outgoing(reader);
        this.permanent = permanent;
        this.table = table;
        this.frontier = frontier;
        this.classes = classes;
        this.targets = targets;
        this.holders = holders;
        this.slice = slice;
        this.hops = settings.hops();
        this.elementsPerStep = settings.elementsPerStep();
        this.pruned = counters.counter("refchains.hops.pruned");
        this.merges = new Merges(table, counters);
        this.observer = observer;
        this.barren = new BarrenObjects(reader, table, targets, slice, this);
    }

    /** Whether the table was full when something should have been admitted. */
    boolean capHit() {
        return capHit;
    }

    /** Whether budget or cap refused an admission since the last call. */
    boolean takeRefused() {
        boolean was = refused;
        refused = false;
        return was;
    }

    /** From now on containers marked with {@code mark} are read again, parts of theirs included. 0 = none. */
    void revisit(int mark) {
        revisitMark = mark;
    }

    /**
     * Meets an object at a root. Returns false if budget or cap forbids to admit it: the root must be read again. The holder is
     * registered only if something is admitted.
     */
    boolean meetRoot(Object object, Object holder, byte kind, int edge) {
        ClassPlan plan = reader.plan(object);
        int known = table.find(System.identityHashCode(object), plan.id());
        if (known >= 0 && !(targets.seeks(plan.id()) && targets.contains(object))) {
            if (kind != Link.ROOT_STACK && !RootHolders.encodes(table.parent(known)) && !table.marked(known, Mark.SOFT)) {
                // A root is the shortest and most durable explanation there is; but a frame ends, so a local explains only what nothing else does.
                table.attachToRoot(known, holders.add(holder), kind, edge);
            }
            return true;
        }
        parent = VisitedTable.NONE;
        parentDepth = -1;
        parentClassId = VisitedTable.NONE;
        parentSoft = false;
        parentRevisited = false;
        parentIsCollection = false;
        rootHolder = holder;
        Then then = edge(object, kind, edge);
        rootHolder = null;
        return then != Then.STOP_BEFORE_THIS;
    }

    /** Whether the object has been met. */
    boolean known(Object object) {
        return table.find(System.identityHashCode(object), reader.plan(object).id()) >= 0;
    }

    /**
     * Expands the object at the head of the frontier, and the list that hangs on it. The head is taken out when nothing is left of it, or turned to the
     * end after a long step.
     */
    void expandHead(Object object) {
        int from = frontier.cursor();
        int next = visit(object, frontier.entry(), from);
        if (next != from) {
            slice.advance();
        }
        if (next == Outgoing.DONE) {
            frontier.remove();
        } else if (slice.over() || refused) {
            frontier.moveCursor(next);
        } else {
            frontier.rotate(next);
        }
        for (int steps = 0; followed != null; steps++) {
            follow(steps < MAX_FOLLOWED && !slice.over() && !refused);
        }
    }

    /** A pass that failed may have left objects here. */
    void letGo() {
        followed = null;
        rootHolder = null;
        Arrays.fill(leafChildren, null);
    }

    private void follow(boolean now) {
        Object node = followed;
        int entry = followedEntry;
        followed = null;
        int next = now ? visit(node, entry, 0) : 0;
        if (next != Outgoing.DONE) {
            frontier.add(node, entry, next);
        }
    }

    private int visit(Object object, int entry, int from) {
        ClassPlan plan = reader.plan(object);
        parent = entry;
        parentDepth = table.depth(entry);
        parentClassId = plan.id();
        parentSoft = table.marked(entry, Mark.SOFT);
        parentRevisited = revisitMark != 0 && table.marked(entry, revisitMark);
        parentIsCollection = plan.collection();
        if (plan.shape() == Shape.SOFT_REFERENCE) {
            table.mark(entry, Mark.SOFT_HOLDER);
        }
        return outgoing.visit(object, plan, from, elementsPerStep, this);
    }

    /**
     * Whether the object just met is the next node of a list. Not in maps: their nodes hang in arrays as well, which makes for the shorter chains.
     */
    private boolean followed(ClassPlan plan, byte kind) {
        if (kind != Link.FIELD || plan.shape() != Shape.OBJECT || parent < 0 || followed != null || plan.mapInternal()) {
            return false;
        }
        if (plan.collectionInternal()) {
            return (parentIsCollection || plan.id() == parentClassId) && !plan.collection() && !plan.map();
        }
        int above = parent;
        for (int i = 0; i < LIST_STEPS; i++) {
            if (above < 0 || table.classId(above) != plan.id()) {
                return false;
            }
            above = table.parent(above);
        }
        return true;
    }

    /** Admits the referent of a soft reference. Returns false if budget or cap forbids it. */
    boolean meetSoftReferent(Object referent, int holder) {
        parent = holder;
        parentDepth = table.depth(holder);
        parentClassId = VisitedTable.NONE;
        parentSoft = true;
        parentRevisited = false;
        parentIsCollection = false;
        return edge(referent, Link.SOFT_REFERENT, 0) != Then.STOP_BEFORE_THIS;
    }

    /** Puts an entry back into the frontier, to be read again in this lap. */
    void again(Object object, int entry) {
        if (!table.marked(entry, revisitMark)) {
            table.mark(entry, revisitMark);
            frontier.add(object, entry, 0);
        }
    }

    @Override
    public Then edge(Object child, byte kind, int edge) {
        ClassPlan plan = reader.plan(child);
        int id = plan.id();
        boolean sought = targets.seeks(id) && targets.contains(child);
        boolean customLoader = plan.customLoader();
        if (!sought) {
            switch (plan.shape()) {
                case OWN -> {
                    return goOn();
                }
                case LEAF -> {
                    if (!(customLoader && wantsLoaderOf(plan))) {
                        return targets.leafSought() ? insideLeaf(child, plan, kind, edge) : goOn();
                    }
                }
                case CLASS -> {
                    if (permanent.contains((Class<?>) child)) {
                        return goOn();
                    }
                }
                default -> { }
            }
        }
        // Before its hash is asked for: what leads nowhere needs none. What is read again must be known for what it is, however.
        boolean look = !sought && barren.worthALook(plan, parentClassId);
        if (look && !parentRevisited && barren.is(child, plan, parentClassId)) {
            return goOn();
        }
        int hash = System.identityHashCode(child);
        boolean doubted = false;
        if (!sought) {
            int known = table.find(hash, id);
            if (known >= 0 && kind == Link.FIELD && merges.doubtful(parent, known, id)) {
                doubted = true;
            } else if (known >= 0) {
                if (kind == Link.CLASS_LOADER) {
                    loaderWalked(parentClassId);
                }
                if (parentRevisited && table.marked(known, Mark.INTERNAL | Mark.CONTAINER) && !table.marked(known, revisitMark)) {
                    table.mark(known, revisitMark);
                    frontier.add(child, known, 0);
                }
                return goOn();
            }
        }
        if (look && parentRevisited && !doubted && barren.is(child, plan, parentClassId)) {
            return goOn();
        }
        int entry = admit(plan, hash, kind, edge);
        if (entry == REFUSED) {
            return Then.STOP_BEFORE_THIS;
        }
        if (kind == Link.CLASS_LOADER) {
            loaderWalked(parentClassId);
        }
        if (entry >= 0) {
            if (sought) {
                targets.reached(child, entry);
            }
            if (plan.shape() != Shape.LEAF) {
                observer.admitted(child, plan, hash, parentClassId);
            }
            if (doubted) {
                merges.doubted(entry, id);
            }
            if (followed(plan, kind)) {
                followed = child;
                followedEntry = entry;
            } else if (plan.shape() != Shape.LEAF || customLoader) {
                (plan.shape() == Shape.CLASS ? classes : frontier).add(child, entry, 0);
            }
        }
        return goOn();
    }

    /** Returns the new entry, {@link VisitedTable#NONE} if it lies too deep, or {@link #REFUSED}. */
    private int admit(ClassPlan plan, int hash, byte kind, int edge) {
        int depth = kind == Link.FIELD && repeats(plan.id()) ? parentDepth : parentDepth + 1;
        if (depth >= hops) {
            pruned.increment();
            return VisitedTable.NONE;
        }
        return mayAdd(1) ? add(plan, hash, kind, edge, depth) : REFUSED;
    }

    /**
     * A list's next or a tree's left, or one of two classes that alternate (a future and its completion): long structures are one step deep, else they
     * would never be walked to their end.
     */
    private boolean repeats(int classId) {
        if (classId == parentClassId || parent < 0) {
            return classId == parentClassId;
        }
        int above = table.parent(parent);
        return above >= 0 && table.kind(parent) == Link.FIELD && table.classId(above) == classId;
    }

    private boolean mayAdd(int entries) {
        if (!slice.mayAdmit()) {
            refused = true;
            return false;
        }
        if (table.room() < entries) {
            refused = true;
            capHit = true;
            return false;
        }
        return true;
    }

    private int add(ClassPlan plan, int hash, byte kind, int edge, int depth) {
        int parentColumn = rootHolder != null ? holders.add(rootHolder) : parent;
        int entry = table.add(hash, plan.id(), parentColumn, kind, edge, depth);
        slice.admit();
        int marks = parentSoft ? Mark.SOFT : 0;
        if (plan.collection() || plan.map()) {
            marks |= Mark.CONTAINER;
        }
        if (plan.collectionInternal()) {
            marks |= Mark.INTERNAL;
        }
        if (marks != 0) {
            table.mark(entry, marks);
        }
        return entry;
    }

    private Then goOn() {
        return slice.over() ? Then.STOP_AFTER_THIS : Then.GO_ON;
    }

    /**
     * Sought leaf instances are often parts of other leaf objects (a {@code String}'s {@code byte[]}). Those are looked into on the spot; only
     * what leads to a sought instance is admitted.
     */
    private Then insideLeaf(Object leaf, ClassPlan plan, byte kind, int edge) {
        for (int levels = leafPath(leaf, plan, 0); levels >= 0; levels = leafPath(leaf, plan, 0)) {
            // All or nothing: the few entries of one path may overdraw the budget.
            boolean may = mayAdd(levels + 2);
            if (may) {
                addLeafPath(leaf, plan, levels, kind, edge);
            }
            Arrays.fill(leafChildren, null);
            if (!may) {
                return Then.STOP_BEFORE_THIS;
            }
        }
        return goOn();
    }

    private void addLeafPath(Object leaf, ClassPlan plan, int levels, byte kind, int edge) {
        int savedParent = parent;
        int savedDepth = parentDepth;
        Object savedHolder = rootHolder;
        parent = addOrFind(leaf, plan, kind, edge);
        rootHolder = null;
        for (int level = 0; level <= levels; level++) {
            Object child = leafChildren[level];
            parentDepth = table.depth(parent);
            parent = addOrFind(child, reader.plan(child), Link.FIELD, leafEdges[level]);
        }
        targets.reached(leafChildren[levels], parent);
        parent = savedParent;
        parentDepth = savedDepth;
        rootHolder = savedHolder;
    }

    /** Level at which a sought instance is a field's value, with the way there in {@code leafEdges}; -1 = none. */
    private int leafPath(Object leaf, ClassPlan plan, int level) {
        int count = plan.fieldCount();
        for (int i = 0; i < count; i++) {
            Object child = reader.reference(leaf, plan.offset(i));
            slice.read();
            if (child == null) {
                continue;
            }
            ClassPlan childPlan = reader.plan(child);
            int found = -1;
            if (targets.seeks(childPlan.id()) && targets.contains(child)) {
                found = level;
            } else if (level + 1 < LEAF_LEVELS && childPlan.shape() == Shape.LEAF && childPlan.fieldCount() > 0) {
                found = leafPath(child, childPlan, level + 1);
            }
            if (found >= 0) {
                leafEdges[level] = i;
                leafChildren[level] = child;
                return found;
            }
        }
        return -1;
    }

    private int addOrFind(Object object, ClassPlan plan, byte kind, int edge) {
        int hash = System.identityHashCode(object);
        int known = targets.seeks(plan.id()) && targets.contains(object) ? VisitedTable.NONE : table.find(hash, plan.id());
        return known >= 0 ? known : add(plan, hash, kind, edge, parentDepth + 1);
    }

    @Override
    public boolean readsLeafFields() {
        return targets.leafSought();
    }

    @Override
    public boolean wantsLoaderOf(ClassPlan plan) {
        return plan.id() >= loaderWalked.length || !loaderWalked[plan.id()];
    }

    private void loaderWalked(int classId) {
        if (classId >= loaderWalked.length) {
            loaderWalked = Arrays.copyOf(loaderWalked, Math.max(classId + 1, loaderWalked.length * 2));
        }
        loaderWalked[classId] = true;
    }

    @Override
    public void read() {
        slice.read();
    }
}
