package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class ClassHistoriesTest {
    private final Counters counters = new Counters();
    private final ClassHistories histories = new ClassHistories(counters);
    private long epoch = 1_000;

    /** The documented rule, written down plainly. */
    private static boolean expected(List<Integer> pushed, int hysteresis) {
        int streak = 0;
        for (int folds = 1; folds <= pushed.size(); folds++) {
            List<Integer> window = pushed.subList(Math.max(0, folds - 30), folds);
            streak = window.size() >= 10 && grows(window) ? streak + 1 : 0;
        }
        int threadStreak = 0;
        for (int folds = 1; folds <= pushed.size(); folds++) {
            List<Integer> window = pushed.subList(Math.max(0, folds - 16), folds);
            int now = window.get(window.size() - 1);
            threadStreak = now > 0 && (now >= 8 || window.size() >= 6 && grows(window)) ? threadStreak + 1 : 0;
        }
        return streak >= hysteresis && threadStreak >= hysteresis;
    }

    private static boolean grows(List<Integer> values) {
        double n = values.size();
        double sumX = 0;
        double sumY = 0;
        double sumXy = 0;
        double sumXx = 0;
        for (int x = 0; x < values.size(); x++) {
            sumX += x;
            sumY += values.get(x);
            sumXy += (double) x * values.get(x);
            sumXx += (double) x * x;
        }
        double slope = (n * sumXy - sumX * sumY) / (n * sumXx - sumX * sumX);
        double earliest = (sumY - slope * sumX) / n;
        double growth = slope * (n - 1);
        double bar = Math.max(0.15 * earliest, 1);
        // Growth a rounding error away from the bar may fall either way.
        org.junit.jupiter.api.Assumptions.assumeTrue(Math.abs(growth - bar) > 1e-9);
        return growth >= bar;
    }

    @Property(tries = 400)
    void selection_agrees_with_the_plain_rule(@ForAll @Size(min = 1, max = 45) List<@IntRange(max = 12) Integer> values) {
        TrackedClass type = new TrackedClass(1, "Session");
        List<Integer> pushed = new ArrayList<>();
        for (int value : values) {
            fold(type, value, 7);
            if (value > 0 || !pushed.isEmpty()) {
                pushed.add(value);
            }
        }
        if (pushed.isEmpty()) {
            assertThat(type.history).isNull();
            return;
        }
        assertThat(type.history.qualifies(5)).isEqualTo(expected(pushed, 5));
        assertThat(type.history.qualifies(3)).isEqualTo(expected(pushed, 3));
        assertThat(type.history.ring().toList()).isEqualTo(pushed.subList(Math.max(0, pushed.size() - 30), pushed.size()));
        histories.clear();
    }

    @Test
    void a_ramp_of_twenty_qualifies() {
        assertThat(afterFolds(20, i -> i + 1).qualifies(5)).isTrue();
    }

    @Test
    void flat_and_shrinking_do_not() {
        assertThat(afterFolds(20, i -> 9).qualifies(5)).isFalse();
        assertThat(afterFolds(20, i -> 40 - i).qualifies(3)).isFalse();
    }

    @Test
    void fourteen_folds_are_needed_and_twelve_when_the_heap_floor_rises() {
        assertThat(afterFolds(9, i -> i + 1).qualifies(3)).isFalse();
        assertThat(afterFolds(10, i -> i + 1).qualifies(3)).isFalse();
        assertThat(afterFolds(11, i -> i + 1).qualifies(3)).isFalse();
        assertThat(afterFolds(12, i -> i + 1).qualifies(3)).isTrue();
        assertThat(afterFolds(12, i -> i + 1).qualifies(5)).isFalse();
        assertThat(afterFolds(13, i -> i + 1).qualifies(5)).isFalse();
        assertThat(afterFolds(14, i -> i + 1).qualifies(5)).isTrue();
    }

    @Test
    void a_saw_tooth_a_plateau_and_a_step_at_rest_do_not_qualify() {
        assertThat(afterFolds(60, i -> 4 + i % 2).qualifies(3)).isFalse();
        assertThat(afterFolds(60, i -> Math.min(i, 12)).qualifies(3)).isFalse();
        assertThat(afterFolds(60, i -> i < 15 ? 3 : 9).qualifies(3)).isFalse();
    }

    @Test
    void a_class_that_rises_without_a_thread_that_does_is_not_suspected() {
        TrackedClass type = new TrackedClass(1, "Session");
        for (int fold = 1; fold <= 20; fold++) {
            histories.beginFold();
            for (int age = 0; age < fold; age++) {
                histories.survivor(type, 10_000L * fold + age, epoch + age);
            }
            histories.endFold(++epoch, Instant.EPOCH);
        }
        assertThat(type.history.consecutivePositive()).isGreaterThanOrEqualTo(5);
        assertThat(type.history.qualifyingThreads(5)).isEmpty();
        assertThat(type.history.qualifies(5)).isFalse();
    }

    @Test
    void a_flat_thread_counts_from_eight_retained_instances_on() {
        assertThat(risingClassWithFlatThread(2)).isEmpty();
        assertThat(risingClassWithFlatThread(7)).isEmpty();
        assertThat(risingClassWithFlatThread(8)).containsExactly(42);
        assertThat(risingClassWithFlatThread(12)).containsExactly(42);
    }

    @Test
    void a_rising_thread_below_that_bar_counts_too() {
        TrackedClass type = new TrackedClass(1, "Session");
        for (int fold = 0; fold < 14; fold++) {
            fold(type, 1 + fold / 2, 42);
        }
        assertThat(type.history.ring().latest()).isEqualTo(7);
        assertThat(type.history.qualifyingThreads(5)).containsExactly(42);
        assertThat(type.history.qualifies(5)).isTrue();
    }

    @Test
    void a_class_without_survivors_gets_a_zero_and_loses_its_streak() {
        TrackedClass type = new TrackedClass(1, "Session");
        for (int fold = 1; fold <= 20; fold++) {
            fold(type, fold, 7);
        }
        emptyFold();
        assertThat(type.history.ring().latest()).isZero();
        for (int fold = 0; fold < 8; fold++) {
            emptyFold();
        }
        assertThat(type.history.qualifies(3)).isFalse();
    }

    @Test
    void one_class_does_not_see_the_ages_of_another() {
        TrackedClass wide = new TrackedClass(1, "Wide");
        TrackedClass narrow = new TrackedClass(2, "Narrow");
        fold(wide, 25, 7);
        fold(narrow, 2, 7);
        assertThat(narrow.history.ring().toList()).containsExactly(2);
        assertThat(wide.history.ring().toList()).containsExactly(25, 0);
    }

    @Test
    void ages_count_once_however_many_instances_and_threads_share_them() {
        TrackedClass type = new TrackedClass(1, "Session");
        histories.beginFold();
        for (long allocated = 1; allocated <= 3; allocated++) {
            for (int instance = 0; instance < 5; instance++) {
                histories.survivor(type, instance, allocated);
            }
        }
        histories.endFold(++epoch, Instant.EPOCH);
        assertThat(type.history.ring().toList()).containsExactly(3);
    }

    @Test
    void the_class_updated_longest_ago_makes_room() {
        List<TrackedClass> types = new ArrayList<>();
        for (int i = 0; i < ClassHistories.MAX_KLASS_POPULATION_ENTRIES; i++) {
            types.add(new TrackedClass(i, "C" + i));
            fold(types.get(i), 1, 7);
        }
        fold(types.get(0), 1, 7);
        TrackedClass newcomer = new TrackedClass(999, "Newcomer");
        fold(newcomer, 3, 7);
        assertThat(types.get(1).history).as("longest without a survivor").isNull();
        assertThat(types.get(0).history).isNotNull();
        assertThat(newcomer.history.ring().toList()).containsExactly(3);
        assertThat(histories.entries()).hasSize(ClassHistories.MAX_KLASS_POPULATION_ENTRIES);
        assertThat(counters.get(ClassHistories.CLASSES_EVICTED)).isEqualTo(1);
    }

    @Test
    void classes_beyond_the_scratch_are_ignored_and_counted() {
        histories.beginFold();
        for (int i = 0; i < 300; i++) {
            histories.survivor(new TrackedClass(i, "C" + i), 7, 1);
        }
        histories.endFold(++epoch, Instant.EPOCH);
        assertThat(histories.entries()).hasSize(256);
        assertThat(counters.get(ClassHistories.CLASSES_IGNORED)).isEqualTo(44);
    }

    @Test
    void a_thread_with_a_trend_is_never_crowded_out_of_the_scratch() {
        TrackedClass type = new TrackedClass(1, "Session");
        for (int fold = 1; fold <= 6; fold++) {
            histories.beginFold();
            for (int crowd = 0; crowd < 100; crowd++) {
                histories.survivor(type, 100_000L * fold + crowd, 1);
            }
            for (int instance = 0; instance < 9; instance++) {
                histories.survivor(type, 42, 2);
            }
            if (fold == 1) {
                histories.endFold(++epoch, Instant.EPOCH);
                fold(type, 9, 42);
            } else {
                histories.endFold(++epoch, Instant.EPOCH);
            }
        }
        assertThat(type.history.qualifyingThreads(5)).containsExactly(42);
    }

    @Test
    void the_largest_classes_by_latest_value_come_first() {
        for (int i = 1; i <= 9; i++) {
            TrackedClass type = new TrackedClass(i, "C" + i);
            histories.beginFold();
            for (TrackedClass earlier : histories.entries().stream().map(entry -> entry.type).toList()) {
                for (int age = 0; age < earlier.id; age++) {
                    histories.survivor(earlier, 7, age);
                }
            }
            for (int age = 0; age < i; age++) {
                histories.survivor(type, 7, age);
            }
            histories.endFold(++epoch, Instant.EPOCH);
        }
        assertThat(histories.topByLatest(5)).extracting(entry -> entry.type.id).containsExactly(9, 8, 7, 6, 5);
    }

    private long[] risingClassWithFlatThread(int retained) {
        TrackedClass type = new TrackedClass(1, "Session");
        for (int fold = 1; fold <= 20; fold++) {
            histories.beginFold();
            for (int instance = 0; instance < retained; instance++) {
                histories.survivor(type, 42, 1);
            }
            for (int age = 0; age < fold; age++) {
                histories.survivor(type, 10_000L * fold + age, 2 + age);
            }
            histories.endFold(++epoch, Instant.EPOCH);
        }
        return type.history.qualifyingThreads(5);
    }

    private ClassHistory afterFolds(int folds, IntUnaryOperator value) {
        TrackedClass type = new TrackedClass(1, "Session");
        for (int fold = 0; fold < folds; fold++) {
            fold(type, value.applyAsInt(fold), 7);
        }
        return type.history;
    }

    private void fold(TrackedClass type, int distinctAges, long threadId) {
        histories.beginFold();
        for (int age = 0; age < distinctAges; age++) {
            histories.survivor(type, threadId, age);
        }
        histories.endFold(++epoch, Instant.EPOCH);
    }

    private void emptyFold() {
        histories.beginFold();
        histories.endFold(++epoch, Instant.EPOCH);
    }
}
