package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class InstanceSpreadTest {
    @Property
    void picks_distinct_rows_in_order_from_oldest_to_newest(@ForAll @Size(min = 1, max = 400) List<@IntRange(max = 150) Integer> cohorts,
                                                            @ForAll @IntRange(min = 2, max = 64) int max) {
        int[] cohort = cohorts.stream().mapToInt(Integer::intValue).sorted().toArray();
        int[] picked = InstanceSpread.pick(IntStream.range(0, cohort.length).toArray(), cohort.length, row -> cohort[row], max);
        assertThat(picked).hasSize(Math.min(max, cohort.length));
        assertThat(picked).isSorted().doesNotHaveDuplicates();
        assertThat(cohort[picked[0]]).isEqualTo(cohort[0]);
        assertThat(cohort[picked[picked.length - 1]]).isEqualTo(cohort[cohort.length - 1]);
    }

    @Property
    void gives_each_cohort_its_fair_share(@ForAll @Size(min = 1, max = 400) List<@IntRange(max = 40) Integer> cohorts) {
        int[] cohort = cohorts.stream().mapToInt(Integer::intValue).sorted().toArray();
        int[] picked = InstanceSpread.pick(IntStream.range(0, cohort.length).toArray(), cohort.length, row -> cohort[row], 64);
        Map<Integer, Long> sizes = count(cohort);
        Map<Integer, Long> taken = count(Arrays.stream(picked).map(row -> cohort[row]).toArray());
        long most = taken.values().stream().mapToLong(Long::longValue).max().orElseThrow();
        assertThat(taken.keySet()).as("no cohort is left out while there are places for all").isEqualTo(sizes.keySet());
        taken.forEach((number, rows) -> assertThat(rows).as("a cohort gets as much as any other, or all it has, give or take one")
                .isGreaterThanOrEqualTo(Math.min(sizes.get(number), most - 1)));
    }

    private static Map<Integer, Long> count(int[] values) {
        return Arrays.stream(values).boxed().collect(Collectors.groupingBy(value -> value, TreeMap::new, Collectors.counting()));
    }
}
