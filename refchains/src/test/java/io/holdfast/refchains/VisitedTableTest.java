package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class VisitedTableTest {
    private record Key(int hash, int classId) { }

    private record Columns(int parent, byte kind, int edge, int depth, int marks) { }

    @Provide
    Arbitrary<List<Key>> keys() {
        Arbitrary<Integer> hashes = Arbitraries.oneOf(Arbitraries.integers().between(0, 20), Arbitraries.integers().between(0, Integer.MAX_VALUE));
        Arbitrary<Integer> classIds = Arbitraries.oneOf(Arbitraries.integers().between(0, 40), Arbitraries.integers().between((1 << 20) - 2, (1 << 20) + 2),
                Arbitraries.integers().between(Integer.MAX_VALUE - 3, Integer.MAX_VALUE));
        return Combinators.combine(hashes, classIds).as(Key::new).list().ofMaxSize(1_500);
    }

    /** All that an entry may hold, the bounds of each column and what lies beyond them. */
    @Provide
    Arbitrary<List<Columns>> links() {
        Arbitrary<Integer> parents = Arbitraries.oneOf(Arbitraries.integers().between(-1 << 26, SearchSettings.MAX_FRONTIER_CAP), Arbitraries.of(-1, -2, 0));
        Arbitrary<Integer> edges = Arbitraries.oneOf(Arbitraries.integers().between(0, Integer.MAX_VALUE),
                Arbitraries.integers().between((1 << 21) - 3, (1 << 21) + 1), Arbitraries.integers().between(0, 9));
        Arbitrary<Integer> depths = Arbitraries.oneOf(Arbitraries.integers().between(0, 65_535), Arbitraries.integers().between(4_094, 4_098));
        return Combinators.combine(parents, Arbitraries.bytes().between((byte) 0, Link.SOFT_REFERENT), edges, depths,
                Arbitraries.integers().between(0, 255)).as(Columns::new).list().ofMaxSize(300);
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
            table.depth(entry), table.kind(entry)}).containsExactly(key.hash(), key.classId(), entry - 1, entry * 7, entry,
                Link.FIELD));
    }

    @Property(tries = 60)
    void columnsDoNotTouchEachOther(@ForAll("links") List<Columns> links, @ForAll Random random) {
        VisitedTable table = new VisitedTable(1_000_000);
        List<Columns> model = new ArrayList<>();
        for (Columns link : links) {
            int entry = table.add(model.size(), 3, link.parent(), link.kind(), link.edge(), link.depth());
            table.mark(entry, link.marks());
            model.add(link);
            // An entry met before: marked anew, or hung below a root.
            int other = random.nextInt(model.size());
            Columns was = model.get(other);
            switch (random.nextInt(3)) {
                case 0 -> {
                    table.mark(other, link.marks());
                    model.set(other, new Columns(was.parent(), was.kind(), was.edge(), was.depth(), was.marks() | link.marks()));
                }
                case 1 -> {
                    table.unmark(other, link.marks());
                    model.set(other, new Columns(was.parent(), was.kind(), was.edge(), was.depth(), was.marks() & ~link.marks()));
                }
                default -> {
                    table.attachToRoot(other, -2 - entry, Link.ROOT_STATIC, link.edge());
                    model.set(other, new Columns(-2 - entry, Link.ROOT_STATIC, link.edge(), 0, was.marks()));
                }
            }
        }
        for (int entry = 0; entry < model.size(); entry++) {
            int marks = 0;
            for (int mark = 1; mark < 256; mark *= 2) {
                marks |= table.marked(entry, mark) ? mark : 0;
            }
            assertThat(new Columns(table.parent(entry), table.kind(entry), table.edge(entry), table.depth(entry), marks)).isEqualTo(model.get(entry));
            assertThat(table.hash(entry)).isEqualTo(entry);
            assertThat(table.classId(entry)).isEqualTo(3);
            assertThat(table.find(entry, 3)).isEqualTo(entry);
        }
    }

    /** At each size, not only where the index happens to be well filled. What a small table has too much, a large one has not. */
    @Example
    void anEntryNeverCostsMoreThanStated() {
        Random random = new Random(7);
        VisitedTable table = new VisitedTable(1_000_000);
        long dearest = 0;
        for (int i = 0; i < 1_000_000; i++) {
            table.add(random.nextInt(Integer.MAX_VALUE), i % 50, i - 1, Link.ELEMENT, i, 3);
            dearest = Math.max(dearest, table.bytes() - (i + 1L) * VisitedTable.BYTES_PER_ENTRY);
        }
        assertThat(table.size()).isEqualTo(1_000_000);
        assertThat(dearest).isLessThan(300_000);
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
        table.mark(entry, Mark.QUEUED | Mark.SECOND_LAP);
        table.unmark(entry, Mark.QUEUED);
        assertThat(table.marked(entry, Mark.SECOND_LAP)).isTrue();
        assertThat(table.marked(entry, Mark.QUEUED | Mark.FIRST_LAP)).isFalse();
    }
}
