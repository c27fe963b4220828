package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** What is noted for rotation, against plain models. Entries are numbers here; no object is behind them. */
class RotationSourcesTest {
    private final Counters counters = new Counters();
    private final VisitedTable table = new VisitedTable(100_000);
    private final RotationSources sources = new RotationSources(table, counters);

    private int entry(int classId, int parent, byte kind) {
        return table.add(table.size(), classId, parent, kind, 0, 0);
    }

    @Property(tries = 40)
    void leakParentsAreThoseThatGrewMostSinceTheLastTime(@ForAll long seed) {
        Random random = new Random(seed);
        VisitedTable sixty = new VisitedTable(60);
        LeakParents parents = new LeakParents(sixty);
        for (int i = 0; i < 60; i++) {
            // Without parents of their own: each arrival counts for one entry.
            sixty.add(i, 1, VisitedTable.NONE, Link.FIELD, 0, 0);
        }
        Map<Integer, Integer> fanOut = new HashMap<>();
        for (int round = 0; round < 20; round++) {
            Map<Integer, Integer> growth = new HashMap<>();
            for (int i = random.nextInt(4) == 0 ? 0 : random.nextInt(200); i > 0; i--) {
                int parent = Math.min(random.nextInt(60), random.nextInt(60));
                parents.arrived(parent);
                growth.merge(parent, 1, Integer::sum);
                fanOut.merge(parent, 1, Integer::sum);
            }
            int[] grown = parents.grown(16);
            assertThat(grown).hasSize(Math.min(16, growth.size())).doesNotHaveDuplicates();
            int least = Arrays.stream(grown).map(growth::get).min().orElse(0);
            Set<Integer> chosen = new HashSet<>();
            Arrays.stream(grown).forEach(chosen::add);
            growth.forEach((parent, count) -> assertThat(chosen.contains(parent) || count <= least).isTrue());
            for (int i = 1; i < grown.length; i++) {
                int before = grown[i - 1];
                int after = grown[i];
                assertThat(growth.get(before)).isGreaterThanOrEqualTo(growth.get(after));
                if (growth.get(before).equals(growth.get(after))) {
                    assertThat(fanOut.get(before)).isGreaterThanOrEqualTo(fanOut.get(after));
                }
            }
        }
    }

    @Example
    void theContainerIsNotedHoweverManyNodesItHas() {
        int map = entry(1, VisitedTable.NONE, Link.ROOT_STATIC);
        int array = entry(2, map, Link.FIELD);
        for (int i = 0; i < 5_000; i++) {
            sources.leakParents.arrived(entry(3, array, Link.ELEMENT));
        }
        assertThat(sources.leakParents.size()).isEqualTo(LeakParents.CAP);
        assertThat(Arrays.copyOf(sources.leakParents.grown(16), 2)).containsExactlyInAnyOrder(map, array);
        assertThat(sources.leakParents.grown(16)).as("nothing has grown since").isEmpty();
        Set<Integer> turns = new HashSet<>();
        for (int i = 0; i < LeakParents.CAP; i++) {
            turns.add(sources.leakParents.next());
        }
        assertThat(turns).as("each has its turn").hasSize(LeakParents.CAP);
    }

    @Example
    void turnsGoRoundAndStayWhereTheyWere() {
        EntryList list = new EntryList();
        for (int i = 0; i < 100; i++) {
            list.add(i);
        }
        List<Integer> seen = new ArrayList<>();
        for (int i = 0; i < 96; i++) {
            seen.add(list.next());
        }
        list.add(100);
        for (int i = 0; i < 10; i++) {
            seen.add(list.next());
        }
        assertThat(seen.subList(95, 106)).containsExactly(95, 96, 97, 98, 99, 100, 0, 1, 2, 3, 4);
        assertThat(list.contains(100)).isTrue();
        assertThat(list.contains(101)).isFalse();
    }

    @Example
    void atRiskIsFirstInFirstOutEachOnceAndBounded() {
        AtRisk atRisk = sources.atRisk;
        List<Integer> expected = new ArrayList<>();
        for (int type = 0; type < 20; type++) {
            for (int i = 0; i < 70; i++) {
                int entry = entry(type, VisitedTable.NONE, Link.FIELD);
                atRisk.add(entry);
                atRisk.add(entry);
                if (i < AtRisk.PER_CLASS && expected.size() < AtRisk.CAP) {
                    expected.add(entry);
                }
            }
        }
        assertThat(counters.get(AtRisk.DROPPED)).as("dropped ones are offered twice each").isEqualTo(2L * (20 * 70 - AtRisk.CAP));
        List<Integer> drained = new ArrayList<>();
        while (!atRisk.isEmpty()) {
            drained.add(atRisk.remove());
        }
        assertThat(drained).isEqualTo(expected);
        atRisk.add(expected.get(0));
        assertThat(atRisk.remove()).isEqualTo(expected.get(0));
    }

    @Example
    void rootsAreSortedByWhatTheyAre() {
        int container = entry(1, -2, Link.ROOT_STATIC);
        int other = entry(2, -3, Link.ROOT_STATIC);
        int local = entry(3, -4, Link.ROOT_STACK);
        int thread = entry(4, -5, Link.ROOT_THREAD);
        sources.rooted(container, Link.ROOT_STATIC, true);
        sources.rooted(other, Link.ROOT_STATIC, false);
        sources.rooted(local, Link.ROOT_STACK, true);
        sources.rooted(thread, Link.ROOT_THREAD, false);
        assertThat(sources.containerAnchors.contains(container)).isTrue();
        assertThat(sources.otherAnchors.contains(other)).isTrue();
        assertThat(sources.transientRoots.contains(local)).isTrue();
        assertThat(List.of(sources.pollFresh(), sources.pollFresh(), sources.pollFresh())).containsExactly(container, other, VisitedTable.NONE);
        sources.reached(entry(5, entry(5, container, Link.FIELD), Link.FIELD));
        sources.reached(entry(5, local, Link.FIELD));
        assertThat(sources.leakAnchors.contains(container)).isTrue();
        assertThat(sources.leakAnchors.size()).isEqualTo(1);
    }

    @Example
    void freshRootsAreBounded() {
        for (int i = 0; i < 3_000; i++) {
            sources.rooted(entry(1, -2, Link.ROOT_STATIC), Link.ROOT_STATIC, false);
        }
        int polled = 0;
        while (sources.pollFresh() != VisitedTable.NONE) {
            polled++;
        }
        assertThat(polled).isEqualTo(RotationSources.MAX_FRESH);
        assertThat(sources.otherAnchors.size()).isEqualTo(3_000);
    }
}
