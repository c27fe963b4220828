package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.From;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class CostBudgetTest {
    private final CostBudget onePercent = new CostBudget(0.01);

    @Test
    void isClearInitially() {
        assertThat(onePercent.canStart(0)).isTrue();
        assertThat(onePercent.clearsInNanos(0)).isZero();
    }

    /** Floating-point arithmetic may leave a trace of a debt that is paid. */
    @Test
    void isClearWhenItSaidItWouldBe() {
        Random random = new Random(42);
        for (int run = 0; run < 2_000; run++) {
            CostBudget budget = new CostBudget((1 + random.nextInt(100)) / 200.0);
            long now = 0;
            for (int i = 0; i < 20; i++) {
                budget.spend(1 + random.nextInt(300_000_000), now);
                long clears = budget.clearsInNanos(now);
                assertThat(budget.canStart(now + clears / 3)).isEqualTo(clears == 0);
                now += clears;
                assertThat(budget.canStart(now)).isTrue();
            }
        }
    }

    @Test
    void spendingBlocks() {
        onePercent.spend(1, 0);
        assertThat(onePercent.canStart(0)).isFalse();
    }

    @Test
    void tenMillisecondsAtOnePercentTakeASecond() {
        onePercent.spend(ms(10), 0);
        assertThat(onePercent.clearsInNanos(0)).isEqualTo(s(1));
        assertThat(onePercent.canStart(ms(500))).isFalse();
        assertThat(onePercent.debtNanos()).isEqualTo(ms(5));
        assertThat(onePercent.canStart(ms(1_500))).isTrue();
    }

    @Test
    void rateZeroNeverClears() {
        CostBudget none = new CostBudget(0);
        assertThat(none.canStart(0)).isTrue();
        none.spend(1, 0);
        assertThat(none.canStart(Long.MAX_VALUE / 2)).isFalse();
        assertThat(none.clearsInNanos(Long.MAX_VALUE / 2)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void costBelowAMillisecondIsNotLost() {
        for (int pass = 0; pass < 1_000; pass++) {
            onePercent.spend(10_000, 0);
        }
        assertThat(onePercent.debtNanos()).isEqualTo(ms(10));
    }

    @Test
    void timeBetweenTheFirstExpenseAndTheFirstQuestionCounts() {
        onePercent.spend(ms(1), 0);
        assertThat(onePercent.canStart(ms(100))).isTrue();
    }

    @Test
    void idleTimeIsNotBanked() {
        onePercent.canStart(0);
        onePercent.canStart(s(3_600));
        onePercent.spend(ms(1), s(3_600));
        assertThat(onePercent.canStart(s(3_600) + ms(99))).isFalse();
    }

    @Test
    void aNewRateDoesNotWorkBackwards() {
        onePercent.spend(ms(10), 0);
        onePercent.setRate(1, ms(500));
        assertThat(onePercent.debtNanos()).isEqualTo(ms(5));
        assertThat(onePercent.canStart(ms(504))).isFalse();
        assertThat(onePercent.canStart(ms(505))).isTrue();
    }

    record Expense(long idle, long cost, int percent) { }

    /** Against integers: debt in hundredths of a nanosecond, rates in percent. */
    @Property(tries = 200)
    void owesWhatAnExactLedgerSays(@ForAll @Size(max = 60) List<@From("expenses") Expense> expenses) {
        CostBudget budget = new CostBudget(0.01);
        long percent = 1;
        long hundredths = 0;
        long now = -5;
        budget.canStart(now);
        for (Expense expense : expenses) {
            now += expense.idle;
            hundredths = Math.max(0, hundredths - expense.idle * percent) + expense.cost * 100;
            budget.spend(expense.cost, now);
            percent = expense.percent;
            budget.setRate(percent / 100.0, now);
            assertThat(budget.debtNanos() - hundredths / 100.0).isBetween(-1.0, 2.0);
            if (percent > 0 && hundredths > 100) {
                assertThat(budget.clearsInNanos(now) - (double) hundredths / percent).isBetween(-1.0, 200.0);
            }
        }
    }

    @Provide
    Arbitrary<Expense> expenses() {
        return Combinators.combine(Arbitraries.longs().between(0, s(10)),
                Arbitraries.longs().between(0, ms(100)), Arbitraries.integers().between(0, 100)).as(Expense::new);
    }
}
