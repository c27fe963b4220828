package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.sun.management.ThreadMXBean;
import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Ticker;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class VolumeEstimatorTest {
    private final Clock clock = new Clock();

    private static final class Clock implements Ticker {
        private long nanos = 123;

        @Override
        public long nanos() {
            return nanos;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH.plusNanos(nanos);
        }

        void pass(double seconds) {
            nanos += Math.round(seconds * 1e9);
        }
    }

    /** One sample, and how long after the one before. */
    record Sample(int afterSeconds, int type, int site, int thread, int bytes) { }

    /** The plain model keeps all samples and weighs each by its age; pauses of hours make the fixed moment move. */
    @Property(tries = 200)
    void eachByteCountsHalfAfterEachHalfLife(@ForAll("samples") List<Sample> samples) {
        VolumeEstimator estimator = new VolumeEstimator(clock);
        List<Long> times = new ArrayList<>();
        for (Sample sample : samples) {
            clock.pass(sample.afterSeconds);
            times.add(clock.nanos());
            estimator.add("type" + sample.type, frame(sample.site), "thread" + sample.thread, sample.bytes);
        }
        Map<String, Double> types = new HashMap<>();
        double all = 0;
        for (int i = 0; i < samples.size(); i++) {
            double counted = samples.get(i).bytes * Math.pow(0.5, (clock.nanos() - times.get(i)) / 1e9 / VolumeEstimator.HALF_LIFE_SECONDS);
            types.merge("type" + samples.get(i).type, counted, Double::sum);
            all += counted;
        }
        AllocationVolumes volumes = estimator.snapshot();
        assertThat(volumes.samples()).isEqualTo(samples.size());
        for (AllocationVolumes.Table table : VolumeRows.tables(volumes)) {
            assertThat((double) table.bytes()).isCloseTo(all, within(1 + all * 1e-9));
            assertThat(table.otherBytes()).isNotNegative();
        }
        assertThat(volumes.classes().rows()).allSatisfy(row -> assertThat((double) row.bytes()).isCloseTo(types.get(row.name()), within(1.0)));
    }

    @Provide
    Arbitrary<List<Sample>> samples() {
        return Combinators.combine(Arbitraries.frequencyOf(net.jqwik.api.Tuple.of(20, Arbitraries.integers().between(0, 90)),
                net.jqwik.api.Tuple.of(1, Arbitraries.integers().between(3_600, 40_000))), Arbitraries.integers().between(0, 9), Arbitraries.integers().between(0, 9),
                Arbitraries.integers().between(0, 9), Arbitraries.integers().between(0, 50_000_000)).as(Sample::new).list().ofMaxSize(120);
    }

    @Test
    void aSteadyRateIsToldFromTheStartOn() {
        VolumeEstimator estimator = new VolumeEstimator(clock);
        for (int second = 1; second <= 600; second++) {
            for (int part = 0; part < 10; part++) {
                clock.pass(0.1);
                estimator.add("byte[]", frame(1), "main", 1_000);
            }
            if (second == 5 || second == 60 || second == 600) {
                assertThat(estimator.snapshot().bytesPerSecond()).isCloseTo(10_000, within(200.0));
            }
        }
    }

    @Test
    void whatIsLessThanTheLargestIsTheRest() {
        VolumeEstimator estimator = new VolumeEstimator(clock);
        for (int i = 0; i < 1_000; i++) {
            estimator.add("type" + i, i % 2 == 0 ? frame(i) : null, i == 0 ? null : "pool-" + i, 1_000 + i);
        }
        AllocationVolumes volumes = estimator.snapshot();
        assertThat(volumes.classes().rows()).hasSize(VolumeEstimator.ROWS_SHOWN);
        assertThat(volumes.classes().bytes()).isEqualTo(volumes.sites().bytes()).isEqualTo(volumes.threads().bytes()).isEqualTo(1_499_500);
        assertThat(volumes.sites().otherBytes()).isGreaterThan(750_000);
    }

    @Test
    void threadsWithoutNameAndSitesWithoutLineHaveAName() {
        VolumeEstimator estimator = new VolumeEstimator(clock);
        estimator.add("byte[]", new Frame("com.acme.A", "m", "()V", 7, -1, false, false), "", 10);
        AllocationVolumes volumes = estimator.snapshot();
        assertThat(volumes.threads().rows()).containsExactly(new AllocationVolumes.Row("(unnamed)", 10));
        assertThat(volumes.sites().rows()).containsExactly(new AllocationVolumes.Row("com.acme.A.m@7", 10));
    }

    @Test
    void aSampleOfWhatIsKnownAllocatesNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        VolumeEstimator estimator = new VolumeEstimator(clock);
        Frame[] frames = {frame(1), frame(2), frame(3)};
        for (int i = 0; i < 20_000; i++) {
            estimator.add("byte[]", frames[i % 3], "main", 100);
        }
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 100_000; i++) {
            estimator.add("byte[]", frames[i % 3], "main", 100);
        }
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(100_000); // less than a byte each: the loop's own compilation and the like
    }

    private static Frame frame(int number) {
        return new Frame("com.acme.Site" + number, "make", "()V", 3, 40 + number, false, false);
    }
}
