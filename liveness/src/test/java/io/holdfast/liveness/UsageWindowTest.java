package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class UsageWindowTest {
    private static final long MIB = 1L << 20;

    @Test
    void the_documented_example_projects_nine_seconds_and_zero_beyond_the_limit() {
        UsageWindow window = window(10, i -> (1000 + 100L * i) * MIB, i -> 0);
        assertThat(window.secondsToExhaustion(2800 * MIB, -1)).isCloseTo(9.0, within(1e-6));
        assertThat(window.secondsToExhaustion(1800 * MIB, -1)).isZero();
    }

    @Test
    void nothing_is_projected_from_nine_values_a_flat_floor_or_an_unknown_heap() {
        assertThat(window(9, i -> (1000 + 100L * i) * MIB, i -> 0).secondsToExhaustion(2800 * MIB, -1)).isEqualTo(-1);
        assertThat(window(10, i -> 1000 * MIB, i -> 0).secondsToExhaustion(2800 * MIB, -1)).isEqualTo(-1);
        assertThat(window(10, i -> (1000 + 100L * i) * MIB, i -> 0).secondsToExhaustion(0, -1)).isEqualTo(-1);
    }

    @Test
    void a_falling_floor_never_projects() {
        assertThat(window(30, i -> (5000 - 100L * i) * MIB, i -> 0).secondsToExhaustion(6000 * MIB, -1)).isEqualTo(-1);
        // Falls as a whole, rises lately: a projection from the whole would be negative.
        assertThat(window(20, i -> (i < 10 ? 5000 - 300L * i : 2000 + 10L * i) * MIB, i -> 0).secondsToExhaustion(6000 * MIB, -1))
                .isEqualTo(-1);
    }

    @Test
    void a_step_that_came_to_rest_does_not_project() {
        assertThat(window(30, i -> (i < 10 ? 500 : 1500) * MIB, i -> 0).secondsToExhaustion(2000 * MIB, -1)).isEqualTo(-1);
    }

    @Test
    void the_shorter_of_both_projections_wins_whichever_limit_is_smaller() {
        UsageWindow window = window(10, i -> (1000 + 100L * i) * MIB, i -> (1500 + 500L * i) * MIB);
        assertThat(window.secondsToExhaustion(2800 * MIB, 7000 * MIB)).isCloseTo(2.0, within(1e-6));
        assertThat(window.secondsToExhaustion(2800 * MIB, 20_000 * MIB)).isCloseTo(9.0, within(1e-6));
    }

    @Test
    void the_container_alone_may_project_and_an_unreadable_one_does_not() {
        assertThat(window(10, i -> 1000 * MIB, i -> (1500 + 500L * i) * MIB).secondsToExhaustion(2800 * MIB, 7000 * MIB))
                .isCloseTo(2.0, within(1e-6));
        assertThat(window(10, i -> 1000 * MIB, i -> i == 3 ? 0 : (1500 + 500L * i) * MIB).secondsToExhaustion(2800 * MIB, 7000 * MIB))
                .isEqualTo(-1);
    }

    @Test
    void the_heap_floor_rises_when_line_and_minimum_rise() {
        assertThat(window(10, i -> (1000 + 50L * i) * MIB, i -> 0).heapFloorRising()).isTrue();
        assertThat(window(9, i -> (1000 + 50L * i) * MIB, i -> 0).heapFloorRising()).isFalse();
        assertThat(window(10, i -> 1000 * MIB, i -> 0).heapFloorRising()).isFalse();
        // The line rises, the minimum returns to where it was.
        assertThat(window(20, i -> (i == 19 ? 1000 : 1000 + 50L * i) * MIB, i -> 0).heapFloorRising()).isFalse();
        // 1 MiB of rise is needed however small the heap.
        assertThat(window(10, i -> 10 * MIB + 100_000L * i, i -> 0).heapFloorRising()).isFalse();
        assertThat(window(10, i -> 10 * MIB + 130_000L * i, i -> 0).heapFloorRising()).isTrue();
    }

    @Property
    void a_projection_is_never_negative_but_for_none(@ForAll @Size(min = 10, max = 30) List<@LongRange(min = 1, max = 1L << 35) Long> used,
                                                     @ForAll @LongRange(min = 1, max = 1L << 36) long limit) {
        double seconds = window(used.size(), used::get, i -> 0).secondsToExhaustion(limit, -1);
        assertThat(seconds == -1 || seconds >= 0).isTrue();
    }

    @Property
    void the_ring_keeps_the_newest_thirty_in_order(@ForAll @Size(max = 100) List<@LongRange(min = 1, max = 1000) Long> used) {
        UsageRing ring = new UsageRing();
        List<Long> model = new ArrayList<>();
        for (int i = 0; i < used.size(); i++) {
            ring.record(i, used.get(i), 2 * used.get(i));
            model.add(used.get(i));
        }
        List<Long> newest = model.subList(Math.max(0, model.size() - 30), model.size());
        UsageWindow window = ring.window();
        assertThat(window.used()).containsExactly(newest.stream().mapToLong(Long::longValue).toArray());
        assertThat(window.container()).containsExactly(newest.stream().mapToLong(bytes -> 2 * bytes).toArray());
        assertThat(ring.recorded()).isEqualTo(used.size());
    }

    private static UsageWindow window(int fill, IntToLongFunction used, IntToLongFunction container) {
        long[] nanos = new long[fill];
        long[] usedBytes = new long[fill];
        long[] containerBytes = new long[fill];
        for (int i = 0; i < fill; i++) {
            nanos[i] = 77 + i * 1_000_000_000L;
            usedBytes[i] = used.applyAsLong(i);
            containerBytes[i] = container.applyAsLong(i);
        }
        return new UsageWindow(nanos, usedBytes, containerBytes);
    }
}
