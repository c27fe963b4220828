package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PopulationSizesTest {
    private static final long SECOND = 1_000_000_000L;

    private final PopulationSizes sizes = new PopulationSizes();

    private static boolean growing(PopulationSizes.Growth growth) {
        return growth != null && growth.growing();
    }

    private PopulationSizes.Growth look(int elements, long seconds) {
        sizes.nextSearch();
        return sizes.note(73, elements, seconds * SECOND);
    }

    @Test
    void growsAtTheThirdLook() {
        assertThat(growing(look(100, 0))).isFalse();
        assertThat(growing(look(140, 4))).isFalse();
        PopulationSizes.Growth growth = look(180, 8);
        assertThat(growing(growth)).isTrue();
        assertThat(growth.gained()).isEqualTo(80);
        assertThat(growth.perHour()).isEqualTo(36_000);
        assertThat(growth.rises()).isEqualTo(2);
    }

    @Test
    void aLargeOneMustGainMore() {
        look(100_000, 0);
        look(101_000, 5);
        assertThat(growing(look(102_000, 10))).isFalse();
        assertThat(growing(look(104_000, 15))).isTrue();
    }

    @Test
    void twoLooksCloseTogetherAreNotEnough() {
        look(100, 0);
        look(140, 2);
        assertThat(growing(look(180, 5))).isFalse();
        assertThat(growing(look(220, 6))).isTrue();
    }

    @Test
    void oneThatLosesElementsBeginsAnew() {
        look(100, 0);
        look(200, 5);
        assertThat(growing(look(199, 10))).isFalse();
        assertThat(growing(look(300, 15))).isFalse();
        assertThat(growing(look(400, 20))).isTrue();
    }

    @Test
    void oneThatStandsStillForThreeLooksHasStopped() {
        look(100, 0);
        look(200, 5);
        assertThat(growing(look(300, 10))).isTrue();
        assertThat(growing(look(300, 15))).isTrue();
        assertThat(growing(look(300, 20))).isTrue();
        assertThat(growing(look(300, 25))).isFalse();
        assertThat(growing(look(400, 30))).isFalse();
    }

    @Test
    void smallOnesAreNotNotedButOneThatBecomesSmallIs() {
        assertThat(look(PopulationSizes.MIN_SIZE - 1, 0)).isNull();
        assertThat(sizes.size()).isZero();
        look(40, 5);
        look(3, 10);
        assertThat(growing(look(50, 15))).as("it was emptied in between").isFalse();
    }

    @Test
    void thereIsABoundAndWhatIsGoneMakesRoom() {
        sizes.nextSearch();
        for (int hash = 1; hash <= PopulationSizes.MAX_POPULATIONS; hash++) {
            assertThat(sizes.note(hash, 50, 0)).isNotNull();
        }
        assertThat(sizes.note(-1, 50, 0)).isNull();
        assertThat(sizes.size()).isEqualTo(PopulationSizes.MAX_POPULATIONS);
        for (int search = 0; search <= PopulationSizes.FORGOTTEN_AFTER; search++) {
            sizes.nextSearch();
            sizes.note(1, 60, 0);
        }
        assertThat(sizes.note(-1, 50, 0)).isNotNull();
        assertThat(sizes.size()).isEqualTo(2);
    }

    /** Against the rule in words: since the last look that found fewer elements, or the third in a row that found as many, it rose twice, by 32, over 6 s. */
    @Property(tries = 500)
    void agreesWithTheRule(@ForAll @Size(min = 1, max = 40) List<@IntRange(min = -1, max = 30) Integer> steps, @ForAll @IntRange(min = 1, max = 8) int spacing) {
        PopulationSizes looked = new PopulationSizes();
        List<Integer> since = new ArrayList<>();
        int elements = 100;
        for (int i = 0; i < steps.size(); i++) {
            elements += i == 0 ? 0 : Math.max(-1, steps.get(i) - 10);
            looked.nextSearch();
            boolean now = growing(looked.note(1, elements, (long) i * spacing * SECOND));
            int last = since.size() - 1;
            boolean fell = last >= 0 && elements < since.get(last);
            boolean third = last >= 2 && elements == since.get(last) && since.get(last - 1) == elements && since.get(last - 2) == elements;
            if (fell || third) {
                since.clear();
            }
            since.add(elements);
            int rises = 0;
            int lastRise = 0;
            for (int k = 1; k < since.size(); k++) {
                rises += since.get(k) > since.get(k - 1) ? 1 : 0;
                lastRise = k;
            }
            assertThat(now).isEqualTo(rises >= 2 && elements - since.get(0) >= 32 && (long) lastRise * spacing >= 6);
        }
    }
}
