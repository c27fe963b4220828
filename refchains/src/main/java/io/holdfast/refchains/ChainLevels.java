package io.holdfast.refchains;

import java.util.ArrayList;
import java.util.List;

/**
 * A chain with its repetitions folded: a linked list, a tree or a trie is one level however deep the instance lies in it, so that the chains of many
 * instances can be laid side by side.
 */
final class ChainLevels {
    private ChainLevels() { }

    /** Objects {@code from} to {@code to} of the chain, all part of one structure when they differ. */
    static final class Level {
        final String signature;
        final String key;
        final ClassPlan plan;
        final int from;
        int to;

        Level(String signature, String key, ClassPlan plan, int index) {
            this.signature = signature;
            this.key = key;
            this.plan = plan;
            this.from = index;
            this.to = index;
        }
    }

    static List<Level> of(TracedChain chain) {
        List<Level> levels = new ArrayList<>();
        for (int i = 0; i < chain.length; i++) {
            ClassPlan plan = chain.plans[i];
            int count = levels.size();
            Level above = count > 0 ? levels.get(count - 1) : null;
            Level second = count > 1 ? levels.get(count - 2) : null;
            if (above != null && above.plan.id() == plan.id() && chain.kinds[i] == Link.FIELD) {
                above.to = i;
            } else if (second != null && second.plan.id() == plan.id() && (nodeAndArray(above.plan, plan) || alternating(chain, second, above, plan, i))) {
                levels.remove(count - 1);
                second.to = i;
            } else {
                HopNames.Step step = chain.steps[i];
                String signature = step == null ? "" : step.signature();
                levels.add(new Level(signature, step == null ? plan.className() : signature + " " + step.target(), plan, i));
            }
        }
        return levels;
    }

    /** Nodes that hold arrays of nodes: a trie or a B-tree. A list of lists is none: each of its lists may grow by itself. */
    private static boolean nodeAndArray(ClassPlan above, ClassPlan plan) {
        return (above.shape() == Shape.OBJECT_ARRAY) != (plan.shape() == Shape.OBJECT_ARRAY)
                && !above.collection() && !above.map() && !plan.collection() && !plan.map();
    }

    /** Two plain classes whose objects hold each other in turn (a future and its completion), and not only once. */
    private static boolean alternating(TracedChain chain, Level second, Level above, ClassPlan plan, int i) {
        boolean fields = chain.kinds[i] == Link.FIELD && chain.kinds[i - 1] == Link.FIELD && above.from == i - 1 && plain(above.plan) && plain(plan);
        boolean again = i + 2 < chain.length && chain.plans[i + 1].id() == above.plan.id() && chain.plans[i + 2].id() == plan.id();
        return fields && (again || second.to > second.from);
    }

    private static boolean plain(ClassPlan plan) {
        return plan.shape() == Shape.OBJECT && !plan.collection() && !plan.map();
    }

    /** Root kind and steps of the folded chain up to object {@code last}: equal for equal structures, whatever their depth. */
    static String signature(TracedChain chain, List<Level> levels, int last) {
        StringBuilder text = new StringBuilder(chain.gcRoot.kind().word());
        for (Level level : levels) {
            if (level.from <= last && !level.signature.isEmpty()) {
                text.append(" > ").append(level.signature);
            }
        }
        return text.toString();
    }
}
