package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TableThinningTest {
    private final SiteHistory site = new SiteHistory(0, null, false, 0, 0);
    private final SiteClass[] origins = {origin(1, "A"), origin(2, "B"), origin(3, "C")};

    private SiteClass origin(int id, String name) {
        return new SiteClass(site, new TrackedClass(id, name), site.anyContext);
    }

    @Property
    void weight_is_kept_and_so_are_ages_when_cohorts_are_crowded(@ForAll @Size(min = 1, max = 300) List<@IntRange(max = 5) Integer> epochs) {
        TrackingTable table = new TrackingTable(2_000);
        List<Object> alive = new ArrayList<>();
        for (int i = 0; i < epochs.size(); i++) {
            Object object = new Object();
            alive.add(object);
            table.add(new WeakReference<>(object), origins[i % 3], null, 1, null, epochs.get(i), i, 0, 2, 0, 0);
        }
        Set<String> agesBefore = ages(table);
        long weightBefore = weight(table);
        int sizeBefore = table.size();
        int dropped = TableThinning.thin(table);
        assertThat(table.size()).isEqualTo(sizeBefore - dropped);
        assertThat(weight(table)).isEqualTo(weightBefore);
        if (sizeBefore >= 60) {
            // Eighteen cohorts at the most: at least a third of the rows stand beside another of theirs.
            assertThat(ages(table)).isEqualTo(agesBefore);
            assertThat(dropped).isGreaterThanOrEqualTo(sizeBefore / 8);
        }
    }

    @Test
    void lonely_cohorts_give_way_in_the_older_half_only() {
        TrackingTable table = new TrackingTable(2_000);
        List<Object> alive = new ArrayList<>();
        for (int epoch = 0; epoch < 100; epoch++) {
            Object object = new Object();
            alive.add(object);
            table.add(new WeakReference<>(object), origins[0], null, 1, null, epoch, epoch, 0, 1, 0, 0);
        }
        assertThat(TableThinning.thin(table)).isEqualTo(25);
        assertThat(weight(table)).isEqualTo(100);
        assertThat(table.allocationEpoch(0)).isZero();
        assertThat(table.allocationEpoch(25)).isEqualTo(50);
        assertThat(table.allocationEpoch(table.size() - 1)).isEqualTo(99);
    }

    private static Set<String> ages(TrackingTable table) {
        Set<String> ages = new HashSet<>();
        for (int row = 0; row < table.size(); row++) {
            ages.add(table.origin(row).type.id + "/" + table.allocationEpoch(row));
        }
        return ages;
    }

    private static long weight(TrackingTable table) {
        long weight = 0;
        for (int row = 0; row < table.size(); row++) {
            weight += table.weight(row);
        }
        return weight;
    }
}
