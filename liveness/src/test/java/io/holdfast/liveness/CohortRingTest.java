package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class CohortRingTest {
    @Property
    void remembers_the_newest_cohorts_whatever_the_order(@ForAll @Size(max = 300) List<@IntRange(min = 0, max = 90) Integer> epochs,
                                                         @ForAll @IntRange(min = 0, max = 90) int asked) {
        CohortRing ring = new CohortRing();
        TreeMap<Long, Integer> model = new TreeMap<>();
        for (int epoch : epochs) {
            ring.add(epoch, 2);
            if (model.containsKey((long) epoch) || model.size() < CohortRing.COHORTS || epoch > model.firstKey()) {
                model.merge((long) epoch, 2, Integer::sum);
                if (model.size() > CohortRing.COHORTS) {
                    model.pollFirstEntry();
                }
            }
        }
        assertThat(ring.oldest()).isEqualTo(model.isEmpty() ? Long.MAX_VALUE : model.firstKey());
        assertThat(ring.newest()).isEqualTo(model.isEmpty() ? -1 : model.lastKey());
        assertThat(ring.admittedBetween(0, asked)).isEqualTo(sum(model.headMap((long) asked, true)));
        assertThat(ring.admittedBetween(asked, 70)).isEqualTo(asked > 70 ? 0 : sum(model.subMap((long) asked, true, 70L, true)));
    }

    private static long sum(java.util.Map<Long, Integer> cohorts) {
        return cohorts.values().stream().mapToLong(Integer::longValue).sum();
    }
}
