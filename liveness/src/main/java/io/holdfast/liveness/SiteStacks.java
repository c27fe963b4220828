package io.holdfast.liveness;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** A few distinct stacks of survivors from one site. Text only. */
final class SiteStacks {
    static final int MAX_STACKS = 3;
    /** With all places taken, one survivor in this many is decoded, so that the stacks stay recent at little cost. */
    private static final int REFRESH_ONE_IN = 8;

    private final List<List<String>> stacks = new ArrayList<>(1);

    /** Whether the next survivor's stack is worth decoding. */
    boolean wanted(RandomGenerator random) {
        return stacks.size() < MAX_STACKS || random.nextInt(REFRESH_ONE_IN) == 0;
    }

    /** Keeps a stack that is not there yet, in place of any other when all places are taken. */
    void add(List<String> stack, RandomGenerator random) {
        if (stack.isEmpty() || stacks.contains(stack)) {
            return;
        }
        if (stacks.size() < MAX_STACKS) {
            stacks.add(stack);
        } else {
            stacks.set(random.nextInt(MAX_STACKS), stack);
        }
    }

    /** One stack, empty when none was kept. */
    List<String> any() {
        return stacks.isEmpty() ? List.of() : stacks.get(0);
    }

    List<List<String>> all() {
        return stacks;
    }
}
