package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PauseControllerTest {
    private final PauseController controller = new PauseController(4_000, ms(5), s(1));

    private void pass(double millis, int times) {
        for (int i = 0; i < times; i++) {
            controller.onPass(ms(millis));
        }
    }

    @Test
    void filterWeighsTheNewestValueAsDocumented() {
        assertThat(PausePid.smoothing(1, 5)).isCloseTo(0.6726, within(0.00005));
    }

    @Test
    void firstSignalsAreThoseWorkedOutByHand() {
        PausePid pid = new PausePid(50);
        // 10·8 + 0 + 2·(0.6726·8), then 10·8 + 8 + 2·0.6726·(8 − 0.6726·8), then the integral is 16.
        assertThat(pid.signal(8)).isCloseTo(90.76, within(0.01));
        assertThat(pid.signal(8)).isCloseTo(91.52, within(0.01));
        assertThat(pid.signal(0)).isCloseTo(16 - 9.61, within(0.01));
    }

    @Test
    void passesExactlyOnTargetChangeNothing() {
        pass(5, 1_000);
        assertThat(controller.budget()).isEqualTo(4_000);
        assertThat(controller.cadenceNanos()).isEqualTo(s(1));
    }

    @Test
    void passesOfTenTimesTheTargetShrinkToAFixedPoint() {
        int budget = controller.budget();
        long cadence = controller.cadenceNanos();
        for (int i = 0; i < 100; i++) {
            pass(50, 1);
            assertThat(controller.budget()).isLessThanOrEqualTo(budget);
            assertThat(controller.cadenceNanos()).isGreaterThanOrEqualTo(cadence);
            budget = controller.budget();
            cadence = controller.cadenceNanos();
        }
        assertThat(budget).isEqualTo(2_000);
        assertThat(cadence).isEqualTo(s(4));
    }

    @Test
    void passesThatCostNothingGrowToFourTimesTheBase() {
        pass(0, 1_000);
        assertThat(controller.budget()).isEqualTo(16_000);
        assertThat(controller.cadenceNanos()).isEqualTo(ms(10));
        pass(0, 10);
        assertThat(controller.budget()).isEqualTo(16_000);
        assertThat(controller.cadenceNanos()).isEqualTo(ms(10));
    }

    @Test
    void borrowingBeginsWithTheFifthComfortablePassAndEndsTwelveQuartersLater() {
        pass(2.5, 4);
        assertThat(controller.ceiling()).isEqualTo(4_000);
        pass(2.5, 1);
        assertThat(controller.ceiling()).isEqualTo(5_000);
        pass(2.5, 10);
        assertThat(controller.ceiling()).isEqualTo(15_000);
        pass(2.5, 1);
        assertThat(controller.ceiling()).isEqualTo(16_000);
        pass(2.5, 50);
        assertThat(controller.ceiling()).isEqualTo(16_000);
    }

    @Test
    void oneUncomfortablePassGivesBackWhatWasBorrowed() {
        pass(0, 100);
        controller.onPass(ms(2.5) + 1);
        assertThat(controller.ceiling()).isEqualTo(4_000);
        assertThat(controller.budget()).isEqualTo(4_000);
        pass(0, 4);
        assertThat(controller.ceiling()).isEqualTo(4_000);
    }

    @Test
    void rootEnumerationAtHalfTheTargetKeepsTheBorrowedAndJustAboveRevokesIt() {
        pass(0, 200);
        int borrowed = controller.budget();
        assertThat(borrowed).isGreaterThan(4_000);
        controller.onRootEnumeration(ms(2.5));
        assertThat(controller.budget()).isEqualTo(borrowed);
        controller.onRootEnumeration(ms(2.5) + 1);
        assertThat(controller.budget()).isEqualTo(4_000);
        assertThat(controller.ceiling()).isEqualTo(4_000);
    }

    @Test
    void rootEnumerationDoesNotFeedTheController() {
        controller.onRootEnumeration(s(3));
        assertThat(controller.budget()).isEqualTo(4_000);
        assertThat(controller.cadenceNanos()).isEqualTo(s(1));
    }

    @Test
    void theFloorIsNeverAboveHalfOfTheBase() {
        PauseController small = new PauseController(1_000, ms(5), s(1));
        for (int i = 0; i < 100; i++) {
            small.onPass(ms(50));
        }
        assertThat(small.budget()).isEqualTo(500);
        assertThat(new PauseController(1, ms(5), s(1)).floor()).isEqualTo(1);
        assertThat(new PauseController(100_000, ms(5), s(1)).floor()).isEqualTo(2_000);
    }

    @Test
    void aSlowHourIsForgottenWithinTwoDozenQuickPasses() {
        pass(50, 3_600);
        int passes = 0;
        while (controller.budget() == 2_000 && passes < 1_000) {
            pass(0, 1);
            passes++;
        }
        // Unclamped, the integral would stand at −162 000 edges and need 32 400 passes.
        assertThat(passes).isLessThan(24);
    }

    @Test
    void aNewTargetStartsANewController() {
        pass(50, 20);
        PauseController fresh = new PauseController(4_000, ms(9), s(1));
        controller.retarget(ms(9));
        int before = controller.budget();
        controller.onPass(ms(8));
        fresh.onPass(ms(8));
        assertThat(controller.budget() - before).isEqualTo(11);
        assertThat(fresh.cadenceNanos()).isEqualTo(s(1) - ms(11));
    }

    @Test
    void theSameTargetDoesNot() {
        controller.onPass(ms(4));
        controller.retarget(ms(5));
        int before = controller.budget();
        long cadence = controller.cadenceNanos();
        controller.onPass(ms(5));
        // 10·0 + integral 1 + 2·(0.22 − 0.67)
        assertThat(controller.budget() - before + (cadence - controller.cadenceNanos()) / ms(1)).isZero();
        controller.onPass(ms(5));
        assertThat(cadence - controller.cadenceNanos()).isEqualTo(ms(1));
    }

    @Test
    void withoutATargetNothingIsControlled() {
        PauseController free = new PauseController(4_000, 0, s(1));
        free.onPass(s(1));
        free.onRootEnumeration(s(1));
        assertThat(free.budget()).isEqualTo(4_000);
        assertThat(free.cadenceNanos()).isEqualTo(s(1));
    }

    @Property(tries = 100)
    void doesWhatTheSpecificationSays(@ForAll("slices") List<Long> slices, @ForAll @IntRange(min = 1, max = 1_000_000) int base,
                                      @ForAll @IntRange(min = 1, max = 100) int target) {
        PauseController checked = new PauseController(base, ms(target), s(1));
        ReferencePace reference = new ReferencePace(target, base, s(1));
        for (long slice : slices) {
            if (slice % 7 == 0) {
                checked.onRootEnumeration(slice);
                reference.rootPass(slice / 1e6);
            } else {
                checked.onPass(slice);
                reference.pass(slice / 1e6);
            }
            assertThat(checked.budget()).isEqualTo((int) reference.effective).isBetween(checked.floor(), checked.ceiling());
            assertThat(checked.cadenceNanos()).isEqualTo(reference.cadenceNanos).isBetween(ms(10), s(4));
        }
    }

    @Provide
    Arbitrary<List<Long>> slices() {
        return Arbitraries.frequencyOf(Tuple.of(3, Arbitraries.longs().between(0, ms(5))),
                Tuple.of(1, Arbitraries.longs().between(0, ms(300)))).list().ofMaxSize(150);
    }
}
