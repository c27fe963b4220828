package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class TrackingTableTest {
    private static final SiteClass ORIGIN = origin();

    private record Row(long sequence, long epoch, long threadId, int weight, Object object, WeakReference<Object> reference) { }

    private static SiteClass origin() {
        SiteHistory site = new SiteHistory(0, null, false, 0, 0);
        return new SiteClass(site, new TrackedClass(1, "Session"), site.anyContext);
    }

    @Property(tries = 300)
    void behaves_like_a_sorted_list(@ForAll @Size(max = 200) List<@IntRange(min = -3, max = 9) Integer> steps) {
        TrackingTable table = new TrackingTable(5_000);
        List<Row> model = new ArrayList<>();
        SiteClass origin = origin();
        long sequence = 0;
        for (int step : steps) {
            if (step >= 0) {
                Object object = new Object();
                Row row = new Row(++sequence, step, 100 + step, 1 + step, object, new WeakReference<>(object));
                int at = model.size();
                while (at > 0 && model.get(at - 1).epoch > row.epoch) {
                    at--;
                }
                model.add(at, row);
                table.add(row.reference, origin, null, row.threadId, "t" + row.threadId, row.epoch, row.sequence, step * 2, row.weight,
                        step * 3L, step * 8L);
            } else {
                for (int i = 0; i < model.size(); i += 1 - step) {
                    model.get(i).reference.clear();
                }
                long dead = model.stream().filter(row -> row.reference.refersTo(null)).count();
                model.removeIf(row -> row.reference.refersTo(null));
                assertThat(table.retain(row -> !table.dead(row))).isEqualTo((int) dead);
            }
            assertThat(table.size()).isEqualTo(model.size());
            assertThat(origin.rows).isEqualTo(model.size());
            for (int row = 0; row < model.size(); row++) {
                Row expected = model.get(row);
                assertThat(table.sequence(row)).isEqualTo(expected.sequence);
                assertThat(table.reference(row)).isSameAs(expected.reference);
                assertThat(table.allocationEpoch(row)).isEqualTo(expected.epoch);
                assertThat(table.threadId(row)).isEqualTo(expected.threadId);
                assertThat(table.weight(row)).isEqualTo(expected.weight);
                assertThat(table.disproving(row)).isEqualTo((int) expected.epoch * 2);
                assertThat(table.allocationNanos(row)).isEqualTo(expected.epoch * 3);
                assertThat(table.origin(row)).isSameAs(origin);
                assertThat(table.threadName(row)).isEqualTo("t" + expected.threadId);
                assertThat(table.bytes(row)).isEqualTo(expected.epoch * 8);
                assertThat(table.stack(row)).isEmpty();
            }
        }
        assertThat(model).isSortedAccordingTo(Comparator.comparingLong(Row::epoch));
    }

    @Test
    void doubles_from_2048_up_to_its_limit_and_keeps_its_rows() {
        TrackingTable table = new TrackingTable(5_000);
        List<Object> alive = new ArrayList<>();
        List<Integer> capacities = new ArrayList<>();
        capacities.add(table.capacity());
        for (int i = 0; i < 5_000; i++) {
            if (table.full()) {
                assertThat(table.grow()).isTrue();
                capacities.add(table.capacity());
            }
            alive.add(add(table, i));
        }
        assertThat(capacities).containsExactly(2_048, 4_096, 5_000);
        assertThat(table.full()).isTrue();
        assertThat(table.grow()).isFalse();
        assertThat(table.capacity()).isEqualTo(5_000);
        for (int i = 0; i < 5_000; i++) {
            assertThat(table.reference(i).refersTo(alive.get(i))).isTrue();
        }
    }

    @Test
    void a_limit_of_zero_leaves_no_room() {
        TrackingTable table = new TrackingTable(0);
        assertThat(table.full()).isTrue();
        assertThat(table.grow()).isFalse();
    }

    @Test
    void a_small_limit_is_the_first_capacity() {
        assertThat(new TrackingTable(10).capacity()).isEqualTo(10);
    }

    @Test
    void undecoded_stacks_are_bounded_and_given_up_with_their_rows() {
        TrackingTable table = new TrackingTable(5_000);
        List<Object> alive = new ArrayList<>();
        Throwable stack = new Throwable();
        int refused = 0;
        for (int i = 0; i < TrackingTable.MAX_UNDECODED_STACKS + 3; i++) {
            Object object = new Object();
            alive.add(object);
            if (table.full()) {
                table.grow();
            }
            refused += table.add(new WeakReference<>(object), ORIGIN, stack, 1, null, i, i, 0, 1, 0, 0) ? 0 : 1;
        }
        assertThat(refused).isEqualTo(3);
        assertThat(table.takeStack(0)).isSameAs(stack);
        assertThat(table.takeStack(0)).isNull();
        assertThat(table.undecodedStacks()).isEqualTo(TrackingTable.MAX_UNDECODED_STACKS - 1);
        table.retain(row -> row >= 10);
        assertThat(table.undecodedStacks()).isEqualTo(TrackingTable.MAX_UNDECODED_STACKS - 10);
        table.clear();
        assertThat(table.undecodedStacks()).isZero();
        assertThat(table.capacity()).isZero();
        assertThat(alive).isNotEmpty();
    }

    private static Object add(TrackingTable table, int number) {
        Object object = new Object();
        table.add(new WeakReference<>(object), ORIGIN, null, 1, null, number, number, 0, 1, 0, 0);
        return object;
    }
}
