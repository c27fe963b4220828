package io.holdfast.refchains;

import java.util.Arrays;

/**
 * A small breadth-first search from one object, with a bound on references read. Lists are walked to their end before what hangs on their nodes. It holds what it meets strongly, for the time of the call only.
 * Class loaders and classes are not entered. Not thread-safe; not reusable.
 */
final class LocalSearch implements EdgeVisitor {
    /** What is looked for. */
    interface Goal {
        /** Told about each object once, the start excepted. */
        Answer met(Object object, ClassPlan plan);
    }

    /** A goal's answer. */
    enum Answer { ENTER, LEAVE_OUT, FOUND }

    private static final int NOTHING = -1;

    private final HeapReader reader;
    private final Outgoing outgoing;
    private final Goal goal;
    private int readsLeft;
    private Object[] objects = new Object[64];
    private int[] parents = new int[64];
    private byte[] kinds = new byte[64];
    private int[] edges = new int[64];
    private boolean[] expanded = new boolean[64];
    private int size;
    /** Node of the list that is being walked; {@link #NOTHING} when there is none. */
    private int linked = NOTHING;
    private Object[] known = new Object[256];
    private int knownCount;
    private int expanding;
    private int found = NOTHING;

    LocalSearch(HeapReader reader, Goal goal, int maxReads) {
        this.reader = reader;
        this.outgoing = new Outgoing(reader);
        this.goal = goal;
        this.readsLeft = maxReads;
    }

    /** Returns whether the goal was found. */
    boolean run(Object start) {
        remember(start);
        append(start, NOTHING, Link.FIELD, 0);
        for (int head = 0; head < size && found == NOTHING && readsLeft > 0; head++) {
            expand(head);
            while (linked != NOTHING && found == NOTHING && readsLeft > 0) {
                expand(linked);
            }
        }
        return found != NOTHING;
    }

    private void expand(int at) {
        linked = NOTHING;
        if (expanded[at]) {
            return;
        }
        expanding = at;
        expanded[at] = true;
        Object object = objects[at];
        ClassPlan plan = reader.plan(object);
        int next = 0;
        while (next != Outgoing.DONE && found == NOTHING && readsLeft > 0) {
            next = outgoing.visit(object, plan, next, Slice.READS_PER_CHECK, this);
        }
    }

    int readsLeft() {
        return readsLeft;
    }

    /** References from the start to what was found, as numbers for {@link #object}, {@link #kind} and {@link #edge}. */
    int[] way() {
        int length = 0;
        for (int at = found; at > 0; at = parents[at]) {
            length++;
        }
        int[] way = new int[length];
        for (int at = found; at > 0; at = parents[at]) {
            way[--length] = at;
        }
        return way;
    }

    Object object(int at) {
        return objects[at];
    }

    byte kind(int at) {
        return kinds[at];
    }

    int edge(int at) {
        return edges[at];
    }

    @Override
    public Then edge(Object child, byte kind, int edge) {
        ClassPlan plan = reader.plan(child);
        if (plan.shape() == Shape.OWN || plan.shape() == Shape.CLASS || plan.shape() == Shape.CLASS_LOADER || !remember(child)) {
            return goOn();
        }
        Answer answer = goal.met(child, plan);
        if (answer == Answer.FOUND) {
            found = size;
        }
        if (answer == Answer.FOUND || answer == Answer.ENTER && (plan.shape() != Shape.LEAF || plan.fieldCount() > 0 || child instanceof Object[])) {
            append(child, expanding, kind, edge);
            if (kind == Link.FIELD && plan.shape() == Shape.OBJECT && (child.getClass() == objects[expanding].getClass() || plan.collectionInternal())) {
                // On in the direction it came from: a node's content may be of the node's class too.
                linked = linked == NOTHING || edge == edges[expanding] ? size - 1 : linked;
            }
        }
        return goOn();
    }

    private Then goOn() {
        return found != NOTHING || readsLeft <= 0 ? Then.STOP_AFTER_THIS : Then.GO_ON;
    }

    @Override
    public boolean readsLeafFields() {
        return true;
    }

    @Override
    public boolean wantsLoaderOf(ClassPlan plan) {
        return false;
    }

    @Override
    public void read() {
        readsLeft--;
    }

    private void append(Object object, int parent, byte kind, int edge) {
        if (size == objects.length) {
            objects = Arrays.copyOf(objects, size * 2);
            parents = Arrays.copyOf(parents, size * 2);
            kinds = Arrays.copyOf(kinds, size * 2);
            expanded = Arrays.copyOf(expanded, size * 2);
            edges = Arrays.copyOf(edges, size * 2);
        }
        objects[size] = object;
        parents[size] = parent;
        kinds[size] = kind;
        edges[size++] = edge;
    }

    /** Returns false if it is known already. */
    private boolean remember(Object object) {
        if (++knownCount * 2 > known.length) {
            Object[] old = known;
            known = new Object[old.length * 2];
            for (Object other : old) {
                if (other != null) {
                    known[slot(other)] = other;
                }
            }
        }
        int slot = slot(object);
        if (known[slot] != null) {
            knownCount--;
            return false;
        }
        known[slot] = object;
        return true;
    }

    private int slot(Object object) {
        int mask = known.length - 1;
        int slot = System.identityHashCode(object) & mask;
        while (known[slot] != null && known[slot] != object) {
            slot = slot + 1 & mask;
        }
        return slot;
    }
}
