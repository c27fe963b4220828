package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LeaksInStepTest {
    private static Leak leak(String id, LeakState state, long gained, double pace, int chains) {
        return new Leak(id, "a." + id, state, "chain", List.of("sampled." + id), Fixtures.candidate(1, "a." + id).trend(), new LiveEstimate(1, 1, 1, 1),
                gained < 0 ? null : new Leak.Growth("a.Holder#" + id, "java.util.ArrayList", 1_000, gained, pace, 1), List.of(),
                Collections.nCopies(chains, Fixtures.sessionChain("of" + id, "byte[]", 1)), List.of());
    }

    private static Leak leak(String id, double pace) {
        return leak(id, LeakState.EXPLAINED, 500, pace, 1);
    }

    private static List<String> ids(Leak... leaks) {
        return LeaksInStep.joined(List.of(leaks)).stream().map(Leak::id).toList();
    }

    @Test
    void theWorstStandsForAllAndNamesThem() {
        assertThat(LeaksInStep.joined(List.of(leak("timer", 36_000), leak("queue", 34_500)))).singleElement().satisfies(leak -> {
            assertThat(leak.id()).isEqualTo("timer");
            assertThat(leak.sampledClasses()).containsExactly("sampled.timer", "sampled.queue");
            assertThat(leak.chains()).hasSize(2);
            assertThat(leak.chains().get(0).edges()).isEqualTo(Fixtures.sessionChain("oftimer", "byte[]", 1).edges());
            assertThat(leak.hints()).singleElement().asString().contains("a.Holder.queue (a.queue)");
            assertThat(leak.growth().holder()).isEqualTo("a.Holder#timer");
        });
    }

    @Test
    void whatGrowsAtAnotherPaceIsAnotherLeak() {
        assertThat(ids(leak("a", 1_000), leak("b", 1_101))).containsExactly("a", "b");
        assertThat(ids(leak("a", 1_101), leak("b", 1_000))).containsExactly("a", "b");
        assertThat(ids(leak("a", 1_000), leak("b", 1_099), leak("c", 4_000), leak("d", 950))).containsExactly("a", "c");
    }

    @Test
    void whatIsOverOrWhosePaceIsNotKnownIsInStepWithNothing() {
        assertThat(ids(leak("a", 1_000), leak("over", LeakState.RESOLVED, 500, 1_000, 1))).containsExactly("a", "over");
        assertThat(ids(leak("over", LeakState.RESOLVED, 500, 1_000, 1), leak("a", 1_000))).containsExactly("over", "a");
        assertThat(ids(leak("a", 1_000), leak("few", LeakState.EXPLAINED, 49, 1_000, 1))).containsExactly("a", "few");
        assertThat(ids(leak("a", 1_000), leak("without", LeakState.EXPLAINED, -1, 0, 1))).containsExactly("a", "without");
        assertThat(ids(leak("a", 0), leak("b", 0))).containsExactly("a", "b");
        assertThat(ids(leak("a", 1_000), leak("less certain", LeakState.PROVISIONAL, 50, 1_000, 1))).containsExactly("a");
    }

    @Test
    void whatIsCertainOfOneIsCertainOfBoth() {
        assertThat(LeaksInStep.joined(List.of(leak("a", LeakState.PROVISIONAL, 500, 1_000, 1), leak("b", 1_000)))).singleElement()
                .satisfies(leak -> assertThat(leak.state()).isEqualTo(LeakState.EXPLAINED));
    }

    @Test
    void eachPlaceShowsSomeOfItsChains() {
        Leak joined = LeaksInStep.joined(List.of(leak("many", LeakState.EXPLAINED, 500, 1_000, 8), leak("more", LeakState.EXPLAINED, 500, 1_000, 8))).get(0);
        assertThat(joined.chains()).hasSize(8);
        assertThat(joined.chains().subList(6, 8)).containsOnly(Fixtures.sessionChain("ofmore", "byte[]", 1));
    }

    @Property
    void nothingIsLostAndTheOrderStays(@ForAll long seed) {
        Random random = new Random(seed);
        List<Leak> leaks = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            leaks.add(leak("l" + i, LeakState.values()[random.nextInt(LeakState.values().length)], random.nextInt(100), random.nextInt(3) * 1_000, random.nextInt(9)));
        }
        List<Leak> joined = LeaksInStep.joined(leaks);
        assertThat(leaks.stream().map(Leak::id).filter(id -> joined.stream().anyMatch(leak -> leak.id().equals(id))).toList())
                .isEqualTo(joined.stream().map(Leak::id).toList());
        Set<String> told = new HashSet<>();
        joined.forEach(leak -> {
            assertThat(leak.chains()).hasSizeLessThanOrEqualTo(8);
            assertThat(leak.hints()).hasSizeLessThanOrEqualTo(LeaksInStep.MAX_JOINED);
            told.addAll(leak.sampledClasses());
        });
        leaks.forEach(leak -> assertThat(told).containsAll(leak.sampledClasses()));
    }
}
