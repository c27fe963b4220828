package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class LeakOrderTest {
    private static Leak leak(String id, LeakState state, long bytesPerHour, double pace, String timeField) {
        return new Leak(id, "a." + id, state, "chain", List.of(), Fixtures.candidate(1, "a." + id).trend(), new LiveEstimate(1, 1, 1, bytesPerHour),
                pace < 0 ? null : new Leak.Growth("a.Holder#" + id, "java.util.ArrayList", 1, 1, pace, 1, timeField), List.of(), List.of(), List.of());
    }

    private static List<String> order(Leak... leaks) {
        return LeakOrder.worstFirst(List.of(leaks)).stream().map(Leak::id).toList();
    }

    @Test
    void whatIsCertainComesFirstThenWhatWeighsMost() {
        assertThat(order(leak("resolved", LeakState.RESOLVED, 900, 9, null), leak("provisional", LeakState.PROVISIONAL, 800, 9, null),
                leak("light", LeakState.EXPLAINED, 10, 9, null), leak("heavy", LeakState.EXPLAINED, 20, 1, null), leak("confirmed", LeakState.CONFIRMED, 15, -1, null)))
                .containsExactly("heavy", "confirmed", "light", "provisional", "resolved");
    }

    @Test
    void ofTwoThatGrowAtOnePaceTheOneWhoseElementsMayBeKeptForAWhileOnlyComesLast() {
        assertThat(order(leak("timed", LeakState.EXPLAINED, 900, 1_000, "created"), leak("removals", LeakState.PROVISIONAL, 100, 950, null))).containsExactly("removals", "timed");
        assertThat(order(leak("timed", LeakState.EXPLAINED, 900, 1_000, "created"), leak("slower", LeakState.EXPLAINED, 100, 500, null))).containsExactly("timed", "slower");
        assertThat(order(leak("timed", LeakState.EXPLAINED, 900, 1_000, "created"), leak("alike", LeakState.EXPLAINED, 100, 1_000, "expires"))).containsExactly("timed", "alike");
        assertThat(order(leak("timed", LeakState.EXPLAINED, 900, 1_000, "created"), leak("over", LeakState.RESOLVED, 100, 1_000, null))).containsExactly("timed", "over");
        assertThat(order(leak("first", LeakState.EXPLAINED, 900, 0, "created"), leak("second", LeakState.EXPLAINED, 100, 0, null))).as("pace unknown")
                .containsExactly("first", "second");
    }

    @Test
    void whatHasNothingToDoWithTheTwoKeepsItsPlaceBeforeWhatIsLessCertain() {
        assertThat(order(leak("timed", LeakState.EXPLAINED, 900, 1_000, "created"), leak("other", LeakState.EXPLAINED, 800, 10, null),
                leak("removals", LeakState.PROVISIONAL, 1, 950, null))).containsExactly("other", "removals", "timed");
    }

    @Property
    void allAreThereInAnOrderOfTheirOwn(@ForAll long seed) {
        Random random = new Random(seed);
        List<Leak> leaks = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            leaks.add(leak("l" + i, LeakState.values()[random.nextInt(LeakState.values().length)], random.nextInt(5), random.nextInt(6) - 1, random.nextBoolean() ? "t" : null));
        }
        List<Leak> order = LeakOrder.worstFirst(leaks);
        assertThat(order).containsExactlyInAnyOrderElementsOf(leaks);
        Collections.shuffle(leaks, random);
        assertThat(LeakOrder.worstFirst(leaks)).as("whatever the order before").isEqualTo(order);
    }
}
