package io.holdfast.refchains;

import io.holdfast.core.ClassNames;
import io.holdfast.core.Hop;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/**
 * What leaking objects of the JDK and of libraries are there for: whose task waits in the queue, whose callback hangs on the future, what was wrapped. From two of
 * them the same fields are followed at once to the nearest objects of the program, or, from an object of the JDK where there is none, of anybody else; what
 * both refer to (their executor, a common lock) is not followed, for it says nothing about either.
 */
final class ContentOfEach {
    /** Pairs of objects looked into. */
    static final int MAX_LOOKED_INTO = 96;
    /** Steps from the leaking object. */
    static final int MAX_STEPS = 8;
    /** The first elements of an array that are looked at. */
    private static final int MAX_ELEMENTS = 8;

    private final HeapReader reader;
    private final HopNames names;
    private final String programPackage;

    /** @param programPackage what the names of the program's classes begin with; empty = not known */
    ContentOfEach(HeapReader reader, HopNames names, String programPackage) {
        this.reader = reader;
        this.names = names;
        this.programPackage = programPackage;
    }

    /** Two objects that the same steps lead to; {@code before} is null for those that leak. */
    private record Pair(Object one, Object other, Pair before, Hop step, int steps) { }

    /**
     * The hops from {@code one} to the first object of the program that only it leads to; empty if it is one itself, or leads to none near by.
     *
     * @param above objects on the ways to the two: what refers back to one of them says who holds it, not what it holds
     */
    List<Hop> below(Object one, Object other, Collection<?> above) {
        ClassPlan plan = reader.plan(one);
        boolean surroundings = plan.shape() == Shape.CLASS || plan.shape() == Shape.CLASS_LOADER;
        boolean hopeless = ofProgram(plan) || !ofJdk(plan) && programPackage.isEmpty();
        return one == other || surroundings || hopeless || reader.plan(other).id() != plan.id() ? List.of() : new Look(ofJdk(plan), above).from(one, other);
    }

    /** One walk of pairs, breadth first. */
    private final class Look {
        private final boolean anybodys;
        private final Set<Object> met = Collections.newSetFromMap(new IdentityHashMap<>());
        private final ArrayDeque<Pair> waiting = new ArrayDeque<>();
        private Pair ofProgram;
        /** The nearest that is at least not of the JDK. */
        private Pair ofSomebody;

        Look(boolean anybodys, Collection<?> above) {
            this.anybodys = anybodys;
            met.addAll(above);
        }

        List<Hop> from(Object one, Object other) {
            met.add(other);
            add(new Pair(one, other, null, null, 0));
            for (int looked = 0; ofProgram == null && !waiting.isEmpty() && looked < MAX_LOOKED_INTO; looked++) {
                into(waiting.remove());
            }
            return way(ofProgram != null ? ofProgram : ofSomebody);
        }

        private void add(Pair pair) {
            met.add(pair.one());
            waiting.add(pair);
        }

        private void into(Pair from) {
            ClassPlan plan = reader.plan(from.one());
            if (plan.shape() == Shape.OBJECT_ARRAY) {
                Object[] one = (Object[]) from.one();
                Object[] other = (Object[]) from.other();
                for (int i = 0; i < MAX_ELEMENTS && i < one.length && i < other.length; i++) {
                    step(from, one[i], other[i], Link.ELEMENT, i);
                }
            } else {
                for (int i = 0; i < plan.fieldCount(); i++) {
                    step(from, reader.reference(from.one(), plan.offset(i)), reader.reference(from.other(), plan.offset(i)), Link.FIELD, i);
                }
            }
        }

        private void step(Pair from, Object one, Object other, byte kind, int edge) {
            if (ofProgram != null || one == null || other == null || one == other || met.contains(one) || met.contains(other)) {
                return;
            }
            if (one instanceof Enum) {
                return; // a state both may have: one of a few that all share
            }
            ClassPlan plan = reader.plan(one);
            ClassPlan otherPlan = reader.plan(other);
            Pair next = new Pair(one, other, from, names.step(from.one(), kind, edge, plan).hop(), from.steps() + 1);
            if (content(plan) && content(otherPlan)) {
                ofSomebody = ofSomebody == null && anybodys ? next : ofSomebody;
                ofProgram = ofProgram(plan) && ofProgram(otherPlan) ? next : null;
            }
            boolean alike = plan.id() == otherPlan.id() && (plan.shape() == Shape.OBJECT || plan.shape() == Shape.OBJECT_ARRAY);
            boolean end = programPackage.isEmpty() && ofSomebody != null;
            if (alike && !end && next.steps() < MAX_STEPS) {
                add(next);
            }
        }
    }

    /** No thread, class or loader: those are surroundings, not content. */
    private static boolean content(ClassPlan plan) {
        return !ofJdk(plan) && (plan.shape() == Shape.OBJECT || plan.shape() == Shape.LEAF);
    }

    private boolean ofProgram(ClassPlan plan) {
        return !programPackage.isEmpty() && plan.className().startsWith(programPackage);
    }

    /** Arrays count by their elements. */
    private static boolean ofJdk(ClassPlan plan) {
        String name = plan.className();
        return ClassNames.ofJdk(name) || name.indexOf('.') < 0 && name.endsWith("[]");
    }

    private static List<Hop> way(Pair found) {
        List<Hop> hops = new ArrayList<>();
        for (Pair at = found; at != null && at.before() != null; at = at.before()) {
            hops.add(0, at.step());
        }
        return hops;
    }
}
