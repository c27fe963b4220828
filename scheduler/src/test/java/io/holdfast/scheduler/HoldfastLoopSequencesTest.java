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
                   boolean roots, int passesToEnd, int resolvesInPass, int releaseFailures, long stoppedElsewhere, boolean newSlot,
                   boolean abandon) { }

    @Property(tries = 120, shrinking = ShrinkingMode.BOUNDED)
    void everyIterationDoesWhatTheSpecificationSays(@ForAll("weathers") List<Weather> weathers, @ForAll("percents") int percent,
                                                    @ForAll("cadences") long cadence, @ForAll("naps") long longestNap) {
        LoopRig rig = new LoopRig(SchedulerSettings.defaults(0, 1).withBudget(BUDGET).withPainBudget(percent / 100.0)
                .withCadenceNanos(cadence));
        ReferenceSchedule reference = new ReferenceSchedule(percent, 5, BUDGET, cadence);
        for (Weather weather : weathers) {
            apply(weather, rig);
            long end = rig.ticker.nanos() + s(weather.seconds);
            long elsewhere = weather.stoppedElsewhere;
            rig.loop.chargeStopped(elsewhere);
            rig.search.newSlotsAtNextWatch = weather.newSlot && rig.search.state == SearchState.RUNNING ? 1 : 0;
            while (rig.ticker.nanos() < end) {
                iterate(rig, reference, elsewhere, longestNap);
                elsewhere = 0;
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
        rig.search.endsAs = weather.abandon ? SearchState.ABANDONED : SearchState.COMPLETED;
    }

    private static void iterate(LoopRig rig, ReferenceSchedule reference, long elsewhere, long longestNap) {
        ScriptedSearch search = rig.search;
        long now = rig.ticker.nanos();
        boolean running = search.state == SearchState.RUNNING;
        int unresolved = search.unresolved;
        int newSlots = search.newSlotsAtNextWatch;
        int startsBefore = search.starts.size();
        int passesBefore = search.passes.size();
        int releasesBefore = search.releaseCalls;
        boolean wasHeld = reference.held();

        reference.look(rig.signal.seconds, now, elsewhere);
        Answer expected = running ? reference.mayPass(now, unresolved > 0)
                : wasHeld ? Answer.MUST_NOT
                : reference.mayStart(now, rig.signal.enabled, rig.signal.candidate);
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
            reference.started(now);
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
        if (search.state == SearchState.RUNNING) {
            reference.setRate(iterationEnd, search.unresolved > 0);
        } else if (passed) {
            reference.ended(iterationEnd, search.unresolved == 0);
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
        assertThat(status.multiplier()).as("multiplier").isEqualTo(reference.multiplier());
        if (search.state == SearchState.RUNNING || search.starts.isEmpty()) {
            assertThat(reference.overdraft(iterationEnd)).as("CPU spent beyond the budget and one pass").isLessThan(100);
        }
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
                .use(Arbitraries.frequency(Tuple.of(5, 0L), Tuple.of(1, ms(15)))).inSetter((b, v) -> b.stoppedElsewhere = v)
                .use(Arbitraries.frequency(Tuple.of(3, false), Tuple.of(1, true))).inSetter((b, v) -> b.newSlot = v)
                .use(Arbitraries.of(true, false)).inSetter((b, v) -> b.abandon = v)
                .build(WeatherBuilder::build).list().ofMinSize(1).ofMaxSize(30);
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
        private long stoppedElsewhere;
        private boolean newSlot;
        private boolean abandon;

        Weather build() {
            // The ramp quickens the loop a hundredfold; a minute of it says as much as an hour.
            int length = projection >= 0 && projection < 1_800 ? Math.min(60, seconds) : seconds;
            return new Weather(length, projection, enabled, candidate, elapsed, cpu, slice, stopped, roots, passesToEnd, resolvesInPass,
                    releaseFailures, stoppedElsewhere, newSlot, abandon);
        }
    }
}
