package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class VisitedTableTest {
    private record Key(int hash, int classId) { }

    @Provide
    Arbitrary<List<Key>> keys() {
        Arbitrary<Integer> hashes = Arbitraries.oneOf(Arbitraries.integers().between(0, 20), Arbitraries.integers().between(0, Integer.MAX_VALUE));
        return Combinators.combine(hashes, Arbitraries.integers().between(0, 40)).as(Key::new).list().ofMaxSize(1_500);
    }

    @Property(tries = 40)
    void behavesLikeAMapOfFirstSightings(@ForAll("keys") List<Key> keys) {
        VisitedTable table = new VisitedTable(1_000_000);
        Map<Key, Integer> model = new HashMap<>();
        for (Key key : keys) {
            int known = table.find(key.hash(), key.classId());
            assertThat(known).isEqualTo(model.getOrDefault(key, VisitedTable.NONE));
            if (known == VisitedTable.NONE) {
                int entry = table.add(key.hash(), key.classId(), model.size() - 1, Link.FIELD, model.size() * 7, model.size());
                assertThat(entry).isEqualTo(model.size());
                model.put(key, entry);
            }
        }
        assertThat(table.size()).isEqualTo(model.size());
        model.forEach((key, entry) -> assertThat(new int[] {table.hash(entry), table.classId(entry), table.parent(entry), table.edge(entry),
            table.depth(entry), table.kind(entry)}).containsExactly(key.hash(), key.classId(), entry - 1, entry * 7, entry, Link.FIELD));
    }

    @Example
    void staysWithinItsStatedSizeAndCap() {
        VisitedTable table = new VisitedTable(300_000);
        for (int i = 0; i < 300_000; i++) {
            table.add(i * 7_919 & Integer.MAX_VALUE, i % 50, i - 1, Link.ELEMENT, i, 3);
        }
        assertThat(table.room()).isZero();
        assertThat(table.bytes()).isLessThan(300_000L * VisitedTable.BYTES_PER_ENTRY + 500_000);
        assertThatThrownBy(() -> table.add(1, 1, 1, Link.FIELD, 1, 1)).isInstanceOf(IllegalStateException.class);
    }

    @Example
    void marksAreIndependent() {
        VisitedTable table = new VisitedTable(10);
        int entry = table.add(1, 2, VisitedTable.NONE, Link.FIELD, 0, 0);
        table.mark(entry, Mark.SOFT | Mark.SECOND_LAP);
        table.unmark(entry, Mark.SOFT);
        assertThat(table.marked(entry, Mark.SECOND_LAP)).isTrue();
        assertThat(table.marked(entry, Mark.SOFT | Mark.CONTAINER)).isFalse();
    }
}
