package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RootShareTest {
    @Test
    void everyRootHasItsTurnInOneRound() {
        RootShare share = new RootShare(8, 0, false);
        int[] turns = new int[100];
        for (int search = 0; search < 8; search++) {
            for (int root = 0; root < turns.length; root++) {
                turns[root] += share.has(root) ? 1 : 0;
            }
            share = share.part() == 7 ? share : share.next(false);
        }
        assertThat(turns).containsOnly(1);
    }

    @Test
    void wholeRoundsBringBackAllRoots() {
        RootShare share = RootShare.ALL.next(true);
        for (int i = 0; i < 2; i++) {
            assertThat(share.partial()).isTrue();
            share = share.next(false);
        }
        assertThat(share).isEqualTo(RootShare.ALL);
    }

    /** One root's structure fills the table whenever that root is among those of a search; each other root must have a search without it. */
    @Property(tries = 200)
    void noRootStarvesBesideALargeOne(@ForAll @IntRange(max = 200) int large, @ForAll @IntRange(max = 200) int sought) {
        RootShare share = RootShare.ALL;
        boolean found = (large & 63) == (sought & 63);
        for (int search = 0; search < 600 && !found; search++) {
            found = share.has(sought) && !share.has(large);
            share = share.next(share.has(large));
        }
        assertThat(found).isTrue();
    }

    @Property(tries = 200)
    void aShareIsNeverEmptyNorAnEndlessDivision(@ForAll Random random, @ForAll List<Boolean> full) {
        RootShare share = RootShare.ALL;
        for (boolean wasFull : full) {
            share = share.next(wasFull);
            assertThat(share.parts()).isBetween(1, 64);
            assertThat(Integer.bitCount(share.parts())).isEqualTo(1);
            assertThat(share.part()).isBetween(0, share.parts() - 1);
            int root = random.nextInt(1_000) * share.parts() + share.part();
            assertThat(share.has(root)).isTrue();
        }
    }
}
