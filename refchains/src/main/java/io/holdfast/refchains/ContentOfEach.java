package io.holdfast.refchains;

import io.holdfast.core.ClassNames;
import io.holdfast.core.Hop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * What leaking objects of the JDK are there for: whose task waits in the queue, whose callback hangs on the future. From two of them the same fields are followed
 * at once to the nearest objects of the program; what both refer to (their executor, a common lock) is not followed, for it says nothing about either.
 */
final class ContentOfEach {
    /** Pairs of objects looked into. */
    static final int MAX_LOOKED_INTO = 48;
    /** Steps from the leaking object. */
    static final int MAX_STEPS = 6;
    /** The first elements of an array that are looked at. */
    private static final int MAX_ELEMENTS = 8;

    private final HeapReader reader;
    private final HopNames names;

    ContentOfEach(HeapReader reader, HopNames names) {
        this.reader = reader;
        this.names = names;
    }

    /** Two objects that the same steps lead to; {@code before} is null for those that leak. */
    private record Pair(Object one, Object other, Pair before, Hop step, int steps) { }

    /** The hops from {@code one} to the first object of the program that only it leads to; empty if it is one itself, or leads to none near by. */
    List<Hop> below(Object one, Object other) {
        ClassPlan plan = reader.plan(one);
        boolean surroundings = plan.shape() == Shape.CLASS || plan.shape() == Shape.CLASS_LOADER;
        if (one == other || surroundings || !ofJdk(plan) || reader.plan(other).id() != plan.id()) {
            return List.of();
        }
        List<Pair> met = new ArrayList<>();
        ArrayDeque<Pair> waiting = new ArrayDeque<>();
        waiting.add(new Pair(one, other, null, null, 0));
        met.add(waiting.peek());
        for (int looked = 0; !waiting.isEmpty() && looked < MAX_LOOKED_INTO; looked++) {
            Pair found = into(waiting.remove(), met, waiting);
            if (found != null) {
                return way(found);
            }
        }
        return List.of();
    }

    private Pair into(Pair from, List<Pair> met, ArrayDeque<Pair> waiting) {
        ClassPlan plan = reader.plan(from.one());
        if (plan.shape() == Shape.OBJECT_ARRAY) {
            int length = Math.min(MAX_ELEMENTS, Math.min(((Object[]) from.one()).length, ((Object[]) from.other()).length));
            for (int i = 0; i < length; i++) {
                Pair found = step(from, ((Object[]) from.one())[i], ((Object[]) from.other())[i], Link.ELEMENT, i, met, waiting);
                if (found != null) {
                    return found;
                }
            }
            return null;
        }
        for (int i = 0; i < plan.fieldCount(); i++) {
            Pair found = step(from, reader.reference(from.one(), plan.offset(i)), reader.reference(from.other(), plan.offset(i)), Link.FIELD, i, met, waiting);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private Pair step(Pair from, Object one, Object other, byte kind, int edge, List<Pair> met, ArrayDeque<Pair> waiting) {
        if (one == null || other == null || one == other || met.stream().anyMatch(pair -> pair.one() == one)) {
            return null;
        }
        ClassPlan plan = reader.plan(one);
        ClassPlan otherPlan = reader.plan(other);
        Pair next = new Pair(one, other, from, names.step(from.one(), kind, edge, plan).hop(), from.steps() + 1);
        if (content(plan) && content(otherPlan)) {
            return next;
        }
        boolean alike = plan.id() == otherPlan.id() && (plan.shape() == Shape.OBJECT || plan.shape() == Shape.OBJECT_ARRAY);
        if (alike && ofJdk(plan) && next.steps() < MAX_STEPS) {
            met.add(next);
            waiting.add(next);
        }
        return null;
    }

    /** An object of the program that is no thread, class or loader: those are surroundings, not content. */
    private static boolean content(ClassPlan plan) {
        return !ofJdk(plan) && (plan.shape() == Shape.OBJECT || plan.shape() == Shape.LEAF);
    }

    /** Arrays count by their elements. */
    private static boolean ofJdk(ClassPlan plan) {
        String name = plan.className();
        return ClassNames.ofJdk(name) || name.indexOf('.') < 0 && name.endsWith("[]");
    }

    private static List<Hop> way(Pair found) {
        List<Hop> hops = new ArrayList<>();
        for (Pair at = found; at.before() != null; at = at.before()) {
            hops.add(0, at.step());
        }
        return hops;
    }
}
