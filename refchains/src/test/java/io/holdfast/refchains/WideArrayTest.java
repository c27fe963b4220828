package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Hop;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchFinding;
import io.holdfast.refchains.test.Node;
import io.holdfast.refchains.test.Registry;
import io.holdfast.refchains.test.Session;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterTry;

/** Arrays are read in steps, and a step may end in between: each element is read once all the same, the first and the last of a step included. */
class WideArrayTest {
    private static final int STEP = SearchSettings.DEFAULT_ELEMENTS_PER_STEP;

    @AfterTry
    void emptyRegistry() {
        Registry.active = null;
    }

    @Property(tries = 20)
    void whatIsHeldByAnyElementIsFoundThere(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int steps, @ForAll @IntRange(min = -2, max = 2) int more,
                                            @ForAll @IntRange(min = 1, max = 400) int budget) {
        Random random = new Random(seed);
        Object[] array = new Object[Math.max(8, steps * STEP + more)];
        TreeMap<Integer, Session> held = new TreeMap<>();
        for (int at : new int[] {0, STEP - 1, STEP, array.length - 1, array.length - 2, random.nextInt(array.length), random.nextInt(array.length)}) {
            if (at < array.length) {
                held.computeIfAbsent(at, Session::new);
            }
        }
        // Others that lead on, so that budgets are used up in the middle of the array.
        for (int i = 0; i < 1_000; i++) {
            array[random.nextInt(array.length)] = new Node(i).first(new Node(-i).many(new Object[] {array}));
        }
        held.forEach((at, session) -> array[at] = session);
        Registry.active = array;

        for (PassLimits limits : List.of(SearchBench.UNLIMITED, SearchBench.budget(budget), new PassLimits(100_000, 100_000, 3, true, false))) {
            try (SearchBench bench = new SearchBench(FixedRoots.of(Registry.class))) {
                List<Session> sought = new ArrayList<>(held.values());
                bench.clockStep = limits.sliceNanos() == 0 ? 0 : 1;
                SearchFinding finding = bench.seek(sought).start().finish(limits).get(0);
                assertThat(finding.reached()).isEqualTo(sought.size());
                Hop hop = finding.chains().get(0).edges().get(1);
                assertThat(held).containsKey(hop.index());
            }
        }
    }
}
