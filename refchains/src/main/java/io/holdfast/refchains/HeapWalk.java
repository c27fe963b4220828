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
    /** Length of an array from which on the clock is looked at after it was counted: a few microseconds. */
    private static final int SLOTS_PER_CHECK = 4_096;
    /** Like steps in a row by which a structure that is no collection is known for a list. */
    private static final int LIST_STEPS = 3;

    private final HeapReader reader;
    private final Outgoing outgoing;
    private final PermanentClasses permanent;
    private final VisitedTable table;
    private final Lanes frontier;
    private final Frontier classes;
    private final Targets targets;
    private final RootHolders holders;
    private final RotationSources sources;
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
    /** Mark of the lap that is run; 0 = none. */
    private int lapMark;
    /** Steps of wide arrays read again so far. */
    private int rereadSteps;

    /** The object being expanded. */
    private int parent;
    private int parentDepth;
    private int parentClassId;
    /** Whether known objects that it leads to are read again as well. */
    private boolean parentInLap;
    private boolean parentIsCollection;
    /** Whether it is read for the first time: what is admitted later may have been passed over, and counted, before. */
    private boolean parentIsNew;
    /** Whether what it holds is counted where it leads nowhere: the object is read for the first time, and no part of a container that counts itself. */
    private boolean parentCounts;
    /**
     * The node to be walked next, before anything else that waits: a node that waited its turn would have left its queue by then, and lead to itself
     * alone. Null if there is none.
     */
    private Object followed;
    private int followedEntry;
    /** Class, thread or loader, while what it holds is met; else null. */
    private Object rootHolder;

    HeapWalk(HeapReader reader, PermanentClasses permanent, VisitedTable table, Lanes frontier, Frontier classes, Targets targets,
             RootHolders holders, RotationSources sources, Slice slice, SearchSettings settings, WalkObserver observer, Counters counters) {
        this.reader = reader;
        this.outgoing = new Outgoing(reader);
        this.permanent = permanent;
        this.table = table;
        this.frontier = frontier;
        this.classes = classes;
        this.targets = targets;
        this.holders = holders;
        this.sources = sources;
        this.slice = slice;
        this.hops = settings.hops();
        this.elementsPerStep = settings.elementsPerStep();
        this.pruned = counters.counter("refchains.hops.pruned");
        this.merges = new Merges(table, counters);
        this.observer = observer;
        this.barren = new BarrenObjects(reader, targets, slice, this);
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

    /** From now on what is met is marked with {@code mark}, and what is known but not marked is read again once. 0 = known is known. */
    void lap(int mark) {
        lapMark = mark;
    }

    /**
     * Meets an object at a root. Returns false if budget or cap forbids to admit it: the root must be read again. The holder is
     * registered only if something is admitted.
     */
    boolean meetRoot(Object object, Object holder, byte kind, int edge) {
        ClassPlan plan = reader.plan(object);
        int known = table.find(System.identityHashCode(object), plan.id());
        if (known >= 0 && !(targets.seeks(plan.id()) && targets.contains(object))) {
            if (kind != Link.ROOT_STACK && (!RootHolders.encodes(table.parent(known)) || table.kind(known) == Link.ROOT_STACK)) {
                // A root is the shortest and most durable explanation there is; but a frame ends, so a local explains only what nothing else does.
                table.attachToRoot(known, holders.add(holder), kind, edge);
                sources.rooted(known, kind, plan.collection() || plan.map());
                sources.atRisk.add(known);
            }
            if (lapMark != 0) {
                parent = VisitedTable.NONE;
                inLap(object, plan, known, kind);
            }
            return true;
        }
        parent = VisitedTable.NONE;
        parentDepth = -1;
        parentClassId = VisitedTable.NONE;
        parentInLap = lapMark != 0;
        parentIsCollection = false;
        parentIsNew = lapMark == 0;
        parentCounts = false;
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
        int next = visit(object, frontier.entry(), from, lapMark == 0 && !headIsReadAgain());
        if (next != from) {
            slice.advance();
        }
        if (next == Outgoing.DONE) {
            headDone();
        } else if (slice.over() || refused) {
            frontier.moveCursor(next);
        } else {
            frontier.rotate(next);
        }
        followOn();
    }

    /** What waits in the ordinary lane does so for the first time, be it queued urgently meanwhile. */
    private boolean headIsReadAgain() {
        return frontier.headIsUrgent() && table.marked(frontier.entry(), Mark.QUEUED);
    }

    /** Takes the head out, for nothing is left of it. */
    void headDone() {
        if (headIsReadAgain()) {
            table.unmark(frontier.entry(), Mark.QUEUED);
        }
        frontier.remove();
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
        int next = now ? visit(node, entry, 0, lapMark == 0) : 0;
        if (next != Outgoing.DONE) {
            frontier.addUrgent(node, entry, next);
        }
    }

    private int visit(Object object, int entry, int from, boolean first) {
        ClassPlan plan = reader.plan(object);
        parent = entry;
        parentDepth = table.depth(entry);
        parentClassId = plan.id();
        parentInLap = lapMark != 0 && table.marked(entry, lapMark);
        parentIsCollection = plan.collection();
        parentIsNew = first;
        parentCounts = first && counts(plan, entry);
        if (plan.shape() == Shape.SOFT_REFERENCE) {
            table.mark(entry, Mark.SOFT_HOLDER);
        }
        return outgoing.visit(object, plan, from, elementsPerStep, this);
    }

    private boolean counts(ClassPlan plan, int entry) {
        if (plan.shape() != Shape.OBJECT_ARRAY) {
            return !plan.collectionInternal();
        }
        int above = table.parent(entry);
        return above < 0 || !observer.countsItself(table.classId(above));
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
        parentInLap = false;
        parentIsCollection = false;
        parentIsNew = true;
        parentCounts = false;
        return edge(referent, Link.SOFT_REFERENT, 0) != Then.STOP_BEFORE_THIS;
    }

    /** Puts an entry into the priority lane, to be read again. Returns false if that is full. */
    boolean queueUrgently(Object object, int entry) {
        if (frontier.urgentFull()) {
            return false;
        }
        table.mark(entry, Mark.QUEUED);
        frontier.addUrgent(object, entry, 0);
        return true;
    }

    /** Reads an object again that has been read: all of it, but of a wide array one step, each time another one. */
    void readAgain(Object object, int entry) {
        int from = 0;
        if (object instanceof Object[] array && array.length > elementsPerStep) {
            from = (int) ((long) rereadSteps++ * elementsPerStep % array.length);
        }
        visit(object, entry, from, false);
        followOn();
    }

    private void followOn() {
        for (int steps = 0; followed != null; steps++) {
            follow(steps < MAX_FOLLOWED && !slice.over() && !refused);
        }
    }

    /** Whether the object is known. In a lap it is queued to be read again if it was not yet. */
    boolean met(Object child, ClassPlan plan) {
        int known = table.find(System.identityHashCode(child), plan.id());
        if (known >= 0 && parentInLap && !table.marked(known, lapMark)) {
            table.mark(known, lapMark);
            queue(child, plan, known);
        }
        return known >= 0;
    }

    private void inLap(Object child, ClassPlan plan, int known, byte kind) {
        if (!table.marked(known, lapMark)) {
            table.mark(known, lapMark);
            if (followed(plan, kind)) {
                followed = child;
                followedEntry = known;
            } else {
                queue(child, plan, known);
            }
        }
    }

    private void queue(Object child, ClassPlan plan, int entry) {
        if (plan.shape() == Shape.CLASS) {
            classes.add(child, entry, 0);
        } else if (plan.shape() != Shape.LEAF || plan.customLoader()) {
            frontier.add(child, entry, 0);
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
                        passOver(child, plan);
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
        if (look && !parentInLap && barren.is(child, plan, parentClassId)) {
            passOver(child, plan);
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
                if (parentInLap) {
                    inLap(child, plan, known, kind);
                }
                return goOn();
            }
        }
        if (look && parentInLap && !doubted && barren.is(child, plan, parentClassId)) {
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
                sources.reached(entry);
            }
            if (parent >= 0 && targets.seeks(id)) {
                sources.leakParents.arrived(parent);
            }
            if (plan.shape() == Shape.LEAF) {
                passOver(child, plan); // sought, or for its loader: it counts like those that are not
            } else {
                observer.admitted(child, plan, hash, parentClassId, parentIsNew);
                if (child instanceof Object[] array && array.length >= SLOTS_PER_CHECK) {
                    slice.check(); // the observer may have looked at each slot
                }
            }
            if (doubted) {
                merges.doubted(entry, id);
            }
            if (followed(plan, kind)) {
                followed = child;
                followedEntry = entry;
            } else {
                queue(child, plan, entry);
            }
        }
        return goOn();
    }

    private void passOver(Object child, ClassPlan plan) {
        if (parentCounts && plan.counted()) {
            observer.passedOver(child, plan);
        }
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
        if (lapMark != 0) {
            table.mark(entry, lapMark);
        }
        if (rootHolder != null) {
            sources.rooted(entry, kind, plan.collection() || plan.map());
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
        sources.reached(parent);
        if (table.parent(parent) >= 0) {
            sources.leakParents.arrived(table.parent(parent));
        }
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
