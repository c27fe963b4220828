package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Against a plain map that has room for everything. */
class VolumeTablePropertiesTest {
    private static final int CAPACITY = 8;

    record Amount(int key, int bytes) { }

    @Property
    void withRoomForAllItIsThePlainMap(@ForAll("few") List<Amount> amounts) {
        VolumeTable<Integer> table = filled(amounts);
        Map<Integer, Double> plain = plain(amounts);
        assertThat(table.size()).isEqualTo(plain.size());
        List<VolumeTable.Entry<Integer>> rows = table.largest(CAPACITY);
        assertThat(rows).isSortedAccordingTo(Comparator.comparingDouble((VolumeTable.Entry<Integer> row) -> row.amount()).reversed());
        assertThat(rows).allSatisfy(row -> assertThat(row.amount()).isEqualTo(plain.get(row.key())));
    }

    @Property
    void nothingIsLostAndNoRowIsTooLarge(@ForAll("many") List<Amount> amounts) {
        VolumeTable<Integer> table = filled(amounts);
        Map<Integer, Double> plain = plain(amounts);
        assertThat(table.size()).isEqualTo(Math.min(CAPACITY, plain.size()));
        assertThat(table.total()).isEqualTo(plain.values().stream().mapToDouble(amount -> amount).sum());
        assertThat(table.largest(CAPACITY)).allSatisfy(row -> assertThat(row.amount()).isLessThanOrEqualTo(plain.get(row.key())));
    }

    /** A key that always has more than half of a full table's rows together is never the smallest. */
    @Property
    void whatIsLargestFromTheStartOnKeepsAllItHas(@ForAll("many") List<Amount> amounts) {
        VolumeTable<Integer> table = new VolumeTable<>(CAPACITY);
        double large = 0;
        for (Amount amount : amounts) {
            table.add(-1, 1_000_000);
            large += 1_000_000;
            table.add(amount.key, amount.bytes);
        }
        if (!amounts.isEmpty()) {
            assertThat(table.largest(1)).containsExactly(new VolumeTable.Entry<>(-1, large));
        }
    }

    @Property
    void scalingScalesAll(@ForAll("many") List<Amount> amounts) {
        VolumeTable<Integer> table = filled(amounts);
        double before = table.total();
        table.scale(0.25);
        assertThat(table.total()).isCloseTo(before / 4, within(1e-6));
    }

    private static VolumeTable<Integer> filled(List<Amount> amounts) {
        VolumeTable<Integer> table = new VolumeTable<>(CAPACITY);
        amounts.forEach(amount -> table.add(amount.key, amount.bytes));
        return table;
    }

    private static Map<Integer, Double> plain(List<Amount> amounts) {
        Map<Integer, Double> plain = new HashMap<>();
        amounts.forEach(amount -> plain.merge(amount.key, (double) amount.bytes, Double::sum));
        return plain;
    }

    @Provide
    Arbitrary<List<Amount>> few() {
        return amounts(CAPACITY);
    }

    @Provide
    Arbitrary<List<Amount>> many() {
        return amounts(40);
    }

    private static Arbitrary<List<Amount>> amounts(int keys) {
        return Combinators.combine(Arbitraries.integers().between(0, keys - 1), Arbitraries.integers().between(0, 1_000_000)).as(Amount::new)
                .list().ofMaxSize(200);
    }
}
