package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.ms;
import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

import io.holdfast.core.SearchState;
import io.holdfast.scheduler.ReferenceSchedule.Answer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Builders;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.Tuple;

/** Hours of virtual time under changing conditions; every iteration is compared with {@link ReferenceSchedule}. */
class HoldfastLoopSequencesTest {
    private static final int BUDGET = 4_000;

    /** Conditions that hold for a while. */
    record Weather(int seconds, double projection, boolean enabled, boolean candidate, long elapsed, long cpu, long slice, long stopped,
                   boolean roots, int passesToEnd, int resolvesInPass, int releaseFailures, boolean newSlot, boolean abandon,
                   long candidateId, boolean explains, Upkeep upkeep) { }

    /** CPU time of one iteration beside its pass. */
    record Upkeep(long maintain, long look, long iteration) { }

    @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED)
    void everyIterationDoesWhatTheSpecificationSays(@ForAll("weathers") List<Weather> weathers, @ForAll("percents") int percent,
                                                    @ForAll("cadences") long cadence, @ForAll("naps") long longestNap) {
        LoopRig rig = new LoopRig(SchedulerSettings.defaults(0, 1).withBudget(BUDGET).withPainBudget(percent / 100.0)
                .withCadenceNanos(cadence)).metered();
        ReferenceSchedule reference = new ReferenceSchedule(percent, 5, BUDGET, cadence);
        for (Weather weather : weathers) {
            apply(weather, rig);
            long end = rig.ticker.nanos() + s(weather.seconds);
            rig.search.newSlotsAtNextWatch = weather.newSlot && rig.search.state == SearchState.RUNNING ? 1 : 0;
            while (rig.ticker.nanos() < end) {
                iterate(rig, reference, longestNap);
            }
        }
        assertThat(rig.counters.get(HoldfastLoop.URGENT_NO_CANDIDATE)).isEqualTo(reference.urgentRefusals());
    }

    private static void apply(Weather weather, LoopRig rig) {
        rig.signal.seconds = weather.projection;
        rig.signal.enabled = weather.enabled;
        rig.signal.candidate = weather.candidate;
        rig.search.elapsed = weather.elapsed;
        rig.search.cpu = Math.min(weather.cpu, weather.elapsed);
        rig.search.slice = Math.min(weather.slice, weather.elapsed);
        rig.search.stopped = weather.stopped;
        rig.search.rootsWheneverDue = weather.roots;
        rig.search.passesToEnd = weather.passesToEnd;
        rig.search.resolvesInPass = weather.resolvesInPass;
        rig.search.releaseFailures = weather.releaseFailures;
        rig.signal.candidateId = weather.candidateId;
        rig.listener.explains = weather.explains;
        rig.signal.cpu = weather.upkeep.maintain;
        rig.listener.lookCpu = weather.upkeep.look;
        rig.listener.iterationCpu = weather.upkeep.iteration;
        rig.search.endsAs = weather.abandon ? SearchState.ABANDONED : SearchState.COMPLETED;
    }

    private static void iterate(LoopRig rig, ReferenceSchedule reference, long longestNap) {
        ScriptedSearch search = rig.search;
        long now = rig.ticker.nanos();
        boolean running = search.state == SearchState.RUNNING;
        int unresolved = search.unresolved;
        int newSlots = search.newSlotsAtNextWatch;
        int startsBefore = search.starts.size();
        int passesBefore = search.passes.size();
        int releasesBefore = search.releaseCalls;
        boolean wasHeld = reference.held();

        boolean findingsExplain = rig.listener.explains;
        int slotsBefore = search.slotsGiven;
        int looksBefore = rig.listener.looks;
        long spentBefore = rig.usage.cpu;
        reference.look(rig.signal.seconds, now);
        boolean unresolvedAtFirst = reference.candidates().hurry();
        Answer expected = running ? ReferenceSchedule.both(reference.mayPass(now, unresolved > 0), reference.shareForPass(now))
                : wasHeld ? Answer.MUST_NOT
                : mayStart(rig, reference, now);
        boolean unresolvedBefore = unresolvedAtFirst || reference.candidates().hurry();
        long budget = reference.pace().effective;

        // Woken early, the loop must come to the same decisions: it does not get away with being asked only when it chose to be.
        long sleep = rig.turn(longestNap);

        boolean passed = search.passes.size() > passesBefore;
        boolean started = search.starts.size() > startsBefore;
        assertThat(search.passes.size() - passesBefore).as("passes in one iteration").isLessThanOrEqualTo(1);
        assertThat(passed).as("pass at %s, gate %s", rig.ticker.sinceStart(), rig.gate())
                .isEqualTo(expected == Answer.EITHER ? passed : expected == Answer.MUST);
        assertThat(started).as("started").isEqualTo(passed && !running);
        assertThat(sleep).isBetween(Math.min(longestNap, ms(10)), s(1));

        long iterationEnd = rig.ticker.nanos() - sleep;
        if (started) {
            reference.started();
            reference.candidates().sought(rig.signal.candidateId);
            unresolved = search.passes.get(passesBefore).first() ? 1 : 0;
        }
        if (passed) {
            ScriptedSearch.Pass pass = search.passes.get(passesBefore);
            assertThat(pass.limits().admissions()).isEqualTo((int) budget);
            assertThat(pass.limits().sliceNanos()).isEqualTo(Math.round(reference.pace().target() * 1e6));
            assertThat(pass.limits().rootsDue()).as("roots due").isEqualTo(reference.rootsDue(now));
            assertThat(pass.limits().urgent()).isEqualTo(reference.urgent);
            assertThat(pass.first()).isEqualTo(started);
            reference.passed(pass.limits(), search.lastReport, pass.startNanos(), pass.endNanos(), unresolved, search.unresolvedAfterPass);
        }
        if (newSlots > 0) {
            reference.newProgress();
        }
        reference.candidates().selected(rig.signal.candidate ? rig.signal.candidateId : null);
        if (search.slotsGiven > slotsBefore) {
            reference.candidates().sought(rig.signal.candidate ? rig.signal.candidateId : null);
        }
        search.delivered.forEach(finding -> reference.candidates().found(finding.candidateId(), findingsExplain && finding.reached() > 0));
        search.delivered.clear();
        if (passed && search.state != SearchState.RUNNING) {
            reference.candidates().searchEnded();
        }
        assertThat(rig.listener.looks - looksBefore).as("looks").isLessThanOrEqualTo(1);
        Answer mayLook = reference.mayLook(now);
        boolean looked = rig.listener.looks > looksBefore;
        assertThat(looked).as("look at %s", rig.ticker.sinceStart()).isEqualTo(mayLook == Answer.EITHER ? looked : mayLook == Answer.MUST);
        if (looked) {
            reference.looked(now);
        }
        reference.spent(rig.usage.cpu - spentBefore, passed ? search.lastReport.cpuNanos() : 0, looked ? rig.listener.lookCpu : 0,
                unresolvedBefore || reference.candidates().hurry(), iterationEnd);
        if (search.state == SearchState.RUNNING) {
            reference.setRate(iterationEnd, search.unresolved > 0);
        } else if (passed) {
            reference.ended(iterationEnd);
        }
        if (search.releaseCalls > releasesBefore) {
            assertThat(search.releaseCalls - releasesBefore).isEqualTo(1);
            assertThat(passed || wasHeld).isTrue();
            if (!search.held) {
                reference.released();
            }
        }
        Status status = rig.loop.status();
        assertThat(status.urgent()).as("latch").isEqualTo(reference.urgent);
        assertThat(status.ramp()).as("ramp").isEqualTo(reference.pace().ramp);
        assertThat(status.budget()).as("budget").isEqualTo((int) reference.pace().effective);
        assertThat(status.cadenceNanos()).as("cadence").isEqualTo(reference.pace().cadence());
        assertThat(Math.abs(status.quickCreditNanos() - reference.credit())).as("error of the credit").isLessThan(100);
        assertThat(status.multiplier()).as("multiplier").isEqualTo(reference.multiplier());
        if (search.state == SearchState.RUNNING || search.starts.isEmpty()) {
            assertThat(reference.overdraft(iterationEnd)).as("CPU spent beyond the budget and one pass").isLessThan(100);
        }
    }

    private static Answer mayStart(LoopRig rig, ReferenceSchedule reference, long now) {
        Answer documented = reference.mayStart(now, rig.signal.enabled, rig.signal.candidate);
        reference.candidates().selected(rig.signal.candidate ? rig.signal.candidateId : null);
        return ReferenceSchedule.both(documented, reference.shareForStart(now));
    }

    @Provide
    Arbitrary<Integer> percents() {
        return Arbitraries.of(1, 1, 1, 0, 5, 100);
    }

    @Provide
    Arbitrary<Long> naps() {
        return Arbitraries.of(Long.MAX_VALUE, Long.MAX_VALUE, ms(333), ms(47), ms(9));
    }

    @Provide
    Arbitrary<Long> cadences() {
        return Arbitraries.of(s(1), s(1), ms(100), ms(10));
    }

    @Provide
    Arbitrary<List<Weather>> weathers() {
        Arbitrary<Double> projections = Arbitraries.frequency(Tuple.of(6, -1.0), Tuple.of(2, 5_000.0), Tuple.of(1, 1_800.0),
                Tuple.of(1, 1_799.0), Tuple.of(1, 900.0), Tuple.of(1, 600.0), Tuple.of(1, 599.0), Tuple.of(1, 300.0), Tuple.of(1, 299.0),
                Tuple.of(1, 0.0));
        Arbitrary<Long> costs = Arbitraries.frequencyOf(Tuple.of(4, Arbitraries.longs().between(0, ms(20))),
                Tuple.of(1, Arbitraries.of(0L, ms(2.5), ms(5), s(3))));
        return Builders.withBuilder(WeatherBuilder::new)
                .use(Arbitraries.frequencyOf(Tuple.of(5, Arbitraries.integers().between(1, 120)),
                        Tuple.of(1, Arbitraries.integers().between(120, 3_600)))).inSetter((b, v) -> b.seconds = v)
                .use(projections).inSetter((b, v) -> b.projection = v)
                .use(Arbitraries.frequency(Tuple.of(9, true), Tuple.of(1, false))).inSetter((b, v) -> b.enabled = v)
                .use(Arbitraries.frequency(Tuple.of(3, true), Tuple.of(1, false))).inSetter((b, v) -> b.candidate = v)
                .use(costs).inSetter((b, v) -> b.elapsed = v)
                .use(costs).inSetter((b, v) -> b.cpu = v)
                .use(costs).inSetter((b, v) -> b.slice = v)
                .use(Arbitraries.of(0L, 0L, ms(15), ms(400))).inSetter((b, v) -> b.stopped = v)
                .use(Arbitraries.of(true, false)).inSetter((b, v) -> b.roots = v)
                .use(Arbitraries.of(1, 2, 5, 40, 300)).inSetter((b, v) -> b.passesToEnd = v)
                .use(Arbitraries.of(1, 3, 20, 1_000)).inSetter((b, v) -> b.resolvesInPass = v)
                .use(Arbitraries.frequency(Tuple.of(5, 0), Tuple.of(1, 2))).inSetter((b, v) -> b.releaseFailures = v)
                .use(Arbitraries.frequency(Tuple.of(3, false), Tuple.of(1, true))).inSetter((b, v) -> b.newSlot = v)
                .use(Arbitraries.of(true, false)).inSetter((b, v) -> b.abandon = v)
                .use(Arbitraries.longs().between(1, 4)).inSetter((b, v) -> b.candidateId = v)
                .use(Arbitraries.of(true, true, false)).inSetter((b, v) -> b.explains = v)
                .use(upkeeps()).inSetter((b, v) -> b.upkeep = v)
                .build(WeatherBuilder::build).list().ofMinSize(1).ofMaxSize(30);
    }

    private static Arbitrary<Upkeep> upkeeps() {
        Arbitrary<Long> small = Arbitraries.of(0L, ms(0.05), ms(0.3));
        Arbitrary<Long> any = Arbitraries.frequency(Tuple.of(5, 0L), Tuple.of(2, ms(0.3)), Tuple.of(1, ms(30)), Tuple.of(1, ms(400)));
        return Arbitraries.oneOf(Combinators.combine(small, small, small).as(Upkeep::new), Combinators.combine(small, any, small).as(Upkeep::new),
                Combinators.combine(any, any, any).as(Upkeep::new));
    }

    private static final class WeatherBuilder {
        private int seconds;
        private double projection;
        private boolean enabled;
        private boolean candidate;
        private long elapsed;
        private long cpu;
        private long slice;
        private long stopped;
        private boolean roots;
        private int passesToEnd;
        private int resolvesInPass;
        private int releaseFailures;
        private boolean newSlot;
        private boolean abandon;
        private long candidateId;
        private boolean explains;
        private Upkeep upkeep;

        Weather build() {
            // The ramp quickens the loop a hundredfold; a minute of it says as much as an hour.
            int length = projection >= 0 && projection < 1_800 ? Math.min(60, seconds) : seconds;
            return new Weather(length, projection, enabled, candidate, elapsed, cpu, slice, stopped, roots, passesToEnd, resolvesInPass,
                    releaseFailures, newSlot, abandon, candidateId, explains, upkeep);
        }
    }
}
