package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;

import io.holdfast.core.SearchState;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** The credit out of which candidates are hurried for: 150 s at 5 % of a core, 6 s of CPU time; it comes back in twenty quiet minutes. */
class QuickCreditTest {
    private static final SchedulerSettings QUICK = LoopRig.SETTINGS.withCadenceNanos(ms(100));
    private static final long FULL = s(6);

    private final LoopRig rig = new LoopRig(QUICK).metered();

    private static void costs(LoopRig rig, long pass, int passesToEnd) {
        rig.search.elapsed = pass;
        rig.search.cpu = pass;
        rig.search.slice = Math.min(pass, ms(5));
        rig.search.passesToEnd = passesToEnd;
    }

    /** A program in which one candidate that nobody can explain follows the other. */
    private static LoopRig alwaysWaiting(long pass, int passesToEnd, long upkeep) {
        LoopRig rig = new LoopRig(QUICK).metered();
        costs(rig, pass, passesToEnd);
        rig.signal.candidate = true;
        rig.signal.cpu = upkeep;
        return rig;
    }

    /** Every search that starts is the last for its candidate. */
    private static void nextTurn(LoopRig rig) {
        rig.turn();
        rig.signal.candidateId = 1 + rig.search.starts.size();
    }

    private static double shareOver(LoopRig rig, long nanos) {
        long cpu = rig.usage.cpu;
        long start = rig.ticker.nanos();
        while (rig.ticker.nanos() - start < nanos) {
            nextTurn(rig);
        }
        return (rig.usage.cpu - cpu) / (double) (rig.ticker.nanos() - start);
    }

    private void exhaust() {
        costs(rig, ms(15), 200);
        rig.signal.candidate = true;
        shareOver(rig, s(1_200));
        assertThat(rig.loop.status().quickCreditNanos()).isZero();
    }

    private void exhaustAndEndASearch() {
        exhaust();
        int starts = rig.search.starts.size();
        while (rig.search.starts.size() == starts || rig.search.state == SearchState.RUNNING) {
            nextTurn(rig);
        }
        shareOver(rig, s(3));
        assertThat(rig.gate()).isEqualTo(Gate.CPU_SHARE);
    }

    @Property(tries = 25)
    void theFirstMinutesAreAsIfItWereEndless(@ForAll @LongRange(min = 100_000, max = 40_000_000) long pass,
                                             @ForAll @IntRange(min = 1, max = 300) int passesToEnd,
                                             @ForAll @LongRange(min = 0, max = 200_000) long upkeep) {
        LoopRig limited = alwaysWaiting(pass, passesToEnd, upkeep);
        LoopRig endless = new LoopRig(QUICK.withQuickNanos(s(80_000))).metered();
        costs(endless, pass, passesToEnd);
        endless.signal.candidate = true;
        endless.signal.cpu = upkeep;
        // One pass may be ahead of the share, and is then paid by the credit a little earlier.
        long firstMinutes = s(150) - (pass + upkeep) * 25;
        while (limited.ticker.sinceStart() < firstMinutes) {
            nextTurn(limited);
            nextTurn(endless);
            assertThat(limited.ticker.sinceStart()).isEqualTo(endless.ticker.sinceStart());
            assertThat(limited.usage.cpu).isEqualTo(endless.usage.cpu);
        }
    }

    @Test
    void thenTheyCostOnePercent() {
        LoopRig busy = alwaysWaiting(ms(15), 200, ms(0.02));
        assertThat(shareOver(busy, s(150))).isBetween(0.045, 0.0502);
        shareOver(busy, s(3_450));
        assertThat(shareOver(busy, s(3_600))).isBetween(0.0085, 0.0105);
    }

    @Property(tries = 15)
    void afterAnHourTheShareOfTenMinutesIsSmall(@ForAll @LongRange(min = 100_000, max = 40_000_000) long pass,
                                                @ForAll @IntRange(min = 1, max = 75) int passesToEnd,
                                                @ForAll @LongRange(min = 0, max = 200_000) long upkeep) {
        LoopRig busy = alwaysWaiting(pass, passesToEnd, upkeep);
        shareOver(busy, s(3_600));
        // 75 passes of 40 ms are a search of a minute at 5 %, 3 s.
        assertThat(shareOver(busy, s(600))).isLessThan(0.0155);
    }

    /** Candidates may come and go as they like: within a minute of each other there is no quiet in which anything comes back. */
    @Property(tries = 20)
    void inAnyStretchOfTimeTheOrdinaryShareTheCreditAndOneSearch(@ForAll @LongRange(min = 100_000, max = 40_000_000) long pass,
                                                                @ForAll @IntRange(min = 1, max = 200) int passesToEnd,
                                                                @ForAll @LongRange(min = 0, max = 100_000) long upkeep,
                                                                @ForAll @LongRange(min = 0, max = 3_000_000) long look,
                                                                @ForAll @IntRange(min = 1, max = 60) int here, @ForAll @IntRange(min = 0, max = 55) int gone) {
        LoopRig any = alwaysWaiting(pass, passesToEnd, upkeep);
        any.listener.lookCpu = look;
        // A look may begin when a pass has just ended, and a pass while a look is owed.
        double most = FULL + (double) pass * passesToEnd + 2 * pass + look + 20 * upkeep;
        double lowest = 0;
        while (any.ticker.sinceStart() < s(3_600)) {
            any.signal.candidate = any.ticker.sinceStart() / s(1) % (here + gone) < here;
            nextTurn(any);
            double beyond = any.usage.cpu - 0.01 * any.ticker.sinceStart();
            lowest = Math.min(lowest, beyond);
            assertThat(beyond - lowest).isLessThanOrEqualTo(most);
        }
    }

    /** The same with quiet times, against the plainest of models: what came back is half a per cent of the time without candidates. */
    @Property(tries = 25)
    void whatComesBackIsHalfAPercentOfTheQuietTime(@ForAll @LongRange(min = 1_000_000, max = 40_000_000) long pass,
                                                   @ForAll @IntRange(min = 1, max = 100) int passesToEnd,
                                                   @ForAll List<@IntRange(min = 1, max = 1_200) Integer> stretches) {
        LoopRig any = alwaysWaiting(pass, passesToEnd, 0);
        double most = FULL + (double) pass * (passesToEnd + 1);
        double lowest = 0;
        double quiet = 0;
        for (int stretch : stretches) {
            any.signal.candidate = !any.signal.candidate;
            long end = any.ticker.nanos() + s(stretch);
            while (any.ticker.nanos() < end) {
                long before = any.ticker.nanos();
                boolean seeks = any.search.state == SearchState.RUNNING;
                nextTurn(any);
                quiet += any.signal.candidate || seeks ? 0 : any.ticker.nanos() - before;
                double beyond = any.usage.cpu - 0.01 * any.ticker.sinceStart() - 0.005 * quiet;
                lowest = Math.min(lowest, beyond);
                assertThat(beyond - lowest).isLessThanOrEqualTo(most);
            }
        }
    }

    @Test
    void aNewCandidateIsHurriedForAfterAQuietHalfHour() {
        exhaust();
        rig.signal.candidate = false;
        rig.runFor(s(1_800));
        assertThat(rig.loop.status().quickCreditNanos()).isEqualTo(FULL);
        int starts = rig.search.starts.size();
        rig.signal.candidate = true;
        assertThat(shareOver(rig, s(145))).isBetween(0.045, 0.0502);
        assertThat(rig.search.starts).hasSizeGreaterThan(starts + 1);
    }

    @Test
    void anExplainedLeakThatIsSearchedForAllDayDoesNotKeepItFromTheNext() {
        exhaust();
        costs(rig, ms(15), 40);
        rig.search.resolvesInPass = 40;
        rig.signal.candidateId = -1;
        rig.runFor(s(3_600));
        long before = rig.usage.cpu;
        rig.runFor(s(3_600));
        assertThat(rig.usage.cpu - before).as("the explained one takes all of its share").isGreaterThan(s(30));
        assertThat(rig.loop.status().quickCreditNanos()).isEqualTo(FULL);
        while (rig.gate() != Gate.CPU_SHARE) {
            rig.turn();
        }
        int starts = rig.search.starts.size();
        rig.signal.candidateId = -2;
        rig.runFor(s(2.1));
        assertThat(rig.search.starts).hasSize(starts + 1);
    }

    @Test
    void withoutItWhatWaitsIsSearchedForLikeAnythingElse() {
        exhaustAndEndASearch();
        Status status = rig.loop.status();
        assertThat(status.share()).isEqualTo(0.01);
        assertThat(status.waitNanos()).as("a search of 3 s, less what was paid while it ran").isBetween(s(200), s(300));
        assertThat(status.shareDebtNanos()).isBetween(status.waitNanos() / 100 - 1_000, status.waitNanos() / 100 + 1_000);
        int starts = rig.search.starts.size();
        shareOver(rig, status.waitNanos() - s(2));
        assertThat(rig.search.starts).hasSize(starts);
        shareOver(rig, s(4));
        assertThat(rig.search.starts).hasSize(starts + 1);
        assertThat(rig.loop.status().share()).as("a search that runs is not stretched").isEqualTo(0.05);
    }

    @Test
    void theRampAsksForNone() {
        exhaustAndEndASearch();
        int starts = rig.search.starts.size();
        rig.signal.seconds = 900;
        shareOver(rig, s(10));
        assertThat(rig.search.starts).hasSize(starts + 1);
        assertThat(shareOver(rig, s(60))).isGreaterThan(0.1);
    }

    @Test
    void whereTheRestOfTheWorkTakesTheWholeShareSearchesStillGetHalfAPercent() {
        for (int upkeep : new int[] {11, 12, 20}) {
            LoopRig busy = alwaysWaiting(ms(15), 60, 0);
            busy.listener.iterationCpu = ms(upkeep);
            shareOver(busy, s(3_600));
            long passes = busy.loop.status().passCpuNanos();
            shareOver(busy, s(7_200));
            assertThat((busy.loop.status().passCpuNanos() - passes) / (double) s(7_200)).isBetween(0.0045, 0.0053);
        }
    }

    @Test
    void withASharePastTheQuickOneThereIsNothingToHurryWith() {
        LoopRig generous = new LoopRig(QUICK.withPainBudget(0.05)).metered();
        costs(generous, ms(15), 200);
        generous.signal.candidate = true;
        assertThat(generous.loop.status().quickCreditNanos()).isZero();
        shareOver(generous, s(3_600));
        assertThat(shareOver(generous, s(3_600))).isBetween(0.045, 0.0501);
    }

    @Test
    void comesBackInTwentyMinutesThatBeginAMinuteAfterTheLastCandidate() {
        OrdinaryAccount account = new OrdinaryAccount(0.01, FULL, s(1_200));
        account.hurryUntil(s(60), 0);
        account.spendCredit(FULL, 0);
        account.spend(s(100), 0);
        assertThat(account.hasCredit(s(60))).isFalse();
        assertThat(account.hasCredit(s(61))).isTrue();
        assertThat(account.creditNanos()).isEqualTo(ms(5));
        account.hasCredit(s(660));
        assertThat(account.creditNanos()).isEqualTo(s(3));
        account.hasCredit(s(1_260));
        assertThat(account.creditNanos()).isEqualTo(FULL);
        account.hasCredit(s(9_000));
        assertThat(account.creditNanos()).isEqualTo(FULL);
    }

    @Test
    void paysTheQuickLooksOfTheMinuteInWhichVerdictsWait() {
        CpuShare share = new CpuShare(LoopRig.SETTINGS, 0);
        share.spend(0, 0, true, false, 0);
        assertThat(share.mayLook(false, s(1))).isTrue();
        share.spendLooks(ms(20), s(1));
        share.spend(ms(50), 0, false, false, s(1));
        assertThat(share.creditNanos()).isEqualTo(FULL - ms(20));
        assertThat(share.startOpensInNanos(false, false, s(1))).as("the other 30 ms at 1 %").isEqualTo(s(3));
    }

    @Test
    void paysOnlyWhatGoesBeyondTheOrdinaryShare() {
        OrdinaryAccount account = new OrdinaryAccount(0.01, FULL, s(1_200));
        List<Long> left = new ArrayList<>();
        for (int second = 0; second <= 150; second++) {
            account.hurryUntil(s(second + 60), s(second));
            left.add(account.creditNanos());
            account.spendCredit(ms(50), s(second));
        }
        assertThat(left.get(1)).isEqualTo(FULL - ms(40));
        assertThat(left.get(149)).isEqualTo(ms(40));
        assertThat(left.get(150)).isZero();
    }
}
