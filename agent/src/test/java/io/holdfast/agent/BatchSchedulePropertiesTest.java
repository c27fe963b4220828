package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class BatchSchedulePropertiesTest {
    private static final long SECOND = BatchSchedule.SECOND;

    private static List<Long> run(long start, long seconds, boolean urgent) {
        BatchSchedule schedule = new BatchSchedule(start);
        List<Long> times = new ArrayList<>();
        for (long second = 0; second <= seconds; second++) {
            if (schedule.due(start + second * SECOND, urgent)) {
                schedule.ran(start + second * SECOND);
                times.add(second);
            }
        }
        return times;
    }

    @Example
    void regularBatchesThinOut() {
        assertThat(run(0, 3_000, false)).containsExactly(5L, 10L, 15L, 20L, 30L, 50L, 90L, 170L, 330L, 650L, 1_250L, 1_850L, 2_450L);
    }

    @Example
    void theClockMayStartAnywhereEvenWhereItWraps() {
        assertThat(run(Long.MAX_VALUE - 7 * SECOND, 100, false)).isEqualTo(run(0, 100, false));
        assertThat(run(-1_000 * SECOND, 100, false)).isEqualTo(run(0, 100, false));
    }

    @Example
    void urgentBatchesAreTwoAMinuteAfterTheFirst() {
        assertThat(run(0, 200, true)).containsExactly(5L, 10L, 15L, 20L, 25L, 30L, 35L, 40L, 45L, 50L, 55L, 60L, 115L, 120L, 175L, 180L);
    }

    @Example
    void nothingToDoKeepsTheBatchForLater() {
        BatchSchedule schedule = new BatchSchedule(0);
        assertThat(schedule.due(100 * SECOND, false)).isTrue();
        assertThat(schedule.due(101 * SECOND, false)).isTrue();
        assertThat(schedule.batches()).isZero();
    }

    @Property
    void batchesKeepTheirDistance(@ForAll @Size(min = 1, max = 400) List<@IntRange(min = -20_000, max = 20_000) Integer> steps) {
        BatchSchedule schedule = new BatchSchedule(0);
        List<Long> times = new ArrayList<>();
        long now = 0;
        for (int step : steps) {
            now += Math.abs(step) * 1_000_000L;
            if (schedule.due(now, step < 0)) {
                schedule.ran(now);
                times.add(now);
            }
        }
        assertThat(schedule.batches()).isEqualTo(times.size());
        for (int i = 0; i < times.size(); i++) {
            assertThat(times.get(i)).isGreaterThanOrEqualTo(5 * SECOND);
            assertThat(i == 0 ? Long.MAX_VALUE : times.get(i) - times.get(i - 1)).isGreaterThanOrEqualTo(5 * SECOND);
            if (i >= 2 && times.get(i) > 60 * SECOND) {
                assertThat(times.get(i) - times.get(i - 2)).isGreaterThanOrEqualTo(60 * SECOND);
            }
        }
    }

    @Property
    void whatBatchesTakeStaysWithinItsBudget(@ForAll @Size(min = 1, max = 300) List<@IntRange(min = 1, max = 900) Integer> tens) {
        BatchSchedule schedule = new BatchSchedule(0);
        long now = 0;
        long taken = 0;
        long longest = 0;
        for (int ten : tens) {
            now += 5 * SECOND;
            if (schedule.due(now, true)) {
                // One batch over it at the most: how long one takes is known afterwards.
                assertThat(taken).isLessThanOrEqualTo(BatchSchedule.FIRST_ALLOWANCE + now / BatchSchedule.ALLOWANCE_PARTS);
                schedule.ran(now);
                schedule.took(ten * 10_000_000L);
                taken += ten * 10_000_000L;
                longest = Math.max(longest, ten * 10_000_000L);
            }
        }
        assertThat(taken).isLessThanOrEqualTo(BatchSchedule.FIRST_ALLOWANCE + now / BatchSchedule.ALLOWANCE_PARTS + longest);
    }

    @Example
    void aSlowBatchMakesTheNextOneWait() {
        BatchSchedule schedule = new BatchSchedule(0);
        schedule.ran(5 * SECOND);
        schedule.took(4 * SECOND);
        assertThat(schedule.due(99 * SECOND, true)).isFalse();
        assertThat(schedule.due(101 * SECOND, true)).isTrue();
    }

    private static List<Long> stopping(long millis, long seconds, boolean urgent) {
        BatchSchedule schedule = new BatchSchedule(0);
        List<Long> times = new ArrayList<>();
        for (long second = 0; second <= seconds; second++) {
            if (schedule.due(second * SECOND, urgent)) {
                schedule.ran(second * SECOND);
                schedule.stopped(millis * 1_000_000L);
                times.add(second);
            }
        }
        return times;
    }

    @Example
    void inASmallProgramNothingWaitsForTheStops() {
        assertThat(stopping(12, 320, false)).isEqualTo(run(0, 320, false));
    }

    @Example
    void inALargeProgramThereAreFewerBatches() {
        assertThat(stopping(70, 3_000, false)).containsExactly(5L, 19L, 1_230L, 2_630L);
    }

    @Example
    void oneLongStopIsNotForEver() {
        BatchSchedule schedule = new BatchSchedule(0);
        for (int batch = 1; batch <= 3; batch++) {
            schedule.ran(5 * batch * SECOND);
            schedule.stopped(2 * SECOND); // a full collection came at the same time
        }
        assertThat(schedule.due(1_814 * SECOND, false)).isFalse();
        assertThat(schedule.due(1_815 * SECOND, false)).isTrue();
    }

    @Example
    void aHotSiteWaitsForHalfAMinuteOrAThousandStops() {
        assertThat(stopping(30, 180, true)).containsExactly(5L, 11L, 17L, 23L, 30L, 60L, 90L, 120L, 150L, 180L);
        assertThat(stopping(100, 400, true)).containsExactly(5L, 25L, 125L, 225L, 325L);
    }

    @Property
    void stopsStayWithinWhatIsAllowed(@ForAll @Size(min = 3, max = 300) List<@IntRange(min = 0, max = 150) Integer> millis,
                                      @ForAll @IntRange(min = 1, max = 120) int step) {
        BatchSchedule schedule = new BatchSchedule(0);
        long now = 0;
        long all = 0;
        long last = 0;
        long ran = 0;
        int batches = 0;
        for (int one : millis) {
            now += step * SECOND;
            if (schedule.due(now, false)) {
                batches++;
                // A stop that is longer than the one before shows only afterwards.
                boolean rested = now - ran >= BatchSchedule.LONGEST_REST;
                assertThat(batches <= 2 || rested || all + last <= BatchSchedule.stopsAllowed(now)).isTrue();
                assertThat(batches == 1 || rested || now - ran >= BatchSchedule.REST_FACTOR * last).isTrue();
                ran = now;
                schedule.ran(now);
                last = one * 1_000_000L;
                schedule.stopped(last);
                all += last;
            }
        }
        assertThat(BatchSchedule.stopsAllowed(now)).isBetween(120_000_000L, 150_000_000L + now / 20_000);
    }
}
