package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.refchains.test.Session;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ClassCountsTest {
    private static final int PER_CLASS = 4;

    private final ClassCounts classes = new ClassCounts(PER_CLASS);

    @Property(tries = 50)
    void picksSomeOfThoseMetAndNoOthers(@ForAll @IntRange(max = 200) int objects, @ForAll long seed) {
        ClassCounts counts = new ClassCounts(PER_CLASS);
        Random random = new Random(seed);
        counts.pick(2_000);
        counts.begin();
        List<Object> met = new ArrayList<>();
        for (int i = 0; i < objects; i++) {
            met.add(new Session(i));
            counts.met(met.get(i), 2_000);
            counts.met(new Session(-i), 7);
        }
        assertThat(counts.picked(2_000)).hasSize(Math.min(objects, PER_CLASS)).doesNotHaveDuplicates().isSubsetOf(met);
        assertThat(counts.picked(7)).isEmpty();
        assertThat(objects == 0 ? 0 : counts.count(2_000)).isEqualTo(objects);
    }

    @Test
    void eachHasTheSameChance() {
        Random random = new Random(1);
        int[] times = new int[10];
        classes.pick(0);
        for (int round = 0; round < 5_000; round++) {
            classes.begin();
            List<Session> sessions = new ArrayList<>();
            for (int i = 0; i < times.length; i++) {
                sessions.add(new Session(i));
                classes.met(sessions.get(i), 0);
            }
            classes.picked(0).forEach(object -> times[sessions.indexOf(object)]++);
        }
        // 2 000 expected, standard deviation 35
        assertThat(Arrays.stream(times).boxed()).allSatisfy(count -> assertThat(count).isBetween(1_800, 2_200));
    }

    @Test
    void ofFewThatManyReferToNoneIsPicked() {
        Session shared = new Session(1);
        classes.pick(0);
        for (int i = 0; i < PER_CLASS; i++) {
            classes.met(shared, 0);
        }
        assertThat(classes.picked(0)).isEmpty();
        classes.begin();
        classes.met(shared, 0);
        classes.met(shared, 0);
        assertThat(classes.picked(0)).as("one, met twice, may be as many as that").containsExactly(shared);
    }

    @Test
    void aNewSearchBeginsWithNothing() {
        classes.pick(0);
        classes.met(new Session(1), 0);
        classes.begin();
        assertThat(classes.count(0)).isZero();
        assertThat(classes.picked(0)).isEmpty();
    }

    @Test
    void onlySoManyClassesArePickedFrom() {
        Set<Object> kept = new HashSet<>();
        for (int id = 0; id < 2 * ClassCounts.MAX_PICKED_CLASSES; id++) {
            classes.pick(id);
            Session session = new Session(id);
            kept.add(session);
            classes.met(session, id);
        }
        assertThat(classes.picked(ClassCounts.MAX_PICKED_CLASSES - 1)).hasSize(1);
        assertThat(classes.picked(ClassCounts.MAX_PICKED_CLASSES)).isEmpty();
        classes.stopPicking(0);
        classes.pick(500);
        Session session = new Session(500);
        classes.met(session, 500);
        assertThat(classes.picked(500)).containsExactly(session);
        assertThat(kept).isNotEmpty();
    }
}
