package io.holdfast;

import io.holdfast.scheduler.PassTimes;
import io.holdfast.scheduler.Status;
import java.time.Duration;
import java.util.Optional;

/**
 * What Holdfast waits for and what it has cost, as of the end of its thread's last iteration (at most a second old, unless a pass or a batch of class
 * changes is under way). Immutable; holds no object of the application.
 *
 * @param gate                the gate that refuses the next pass, one word: {@code no_candidate}, {@code cpu_debt}, {@code spacing} …;
 *                            {@code not_started} while the engine comes up, {@code stopped} after {@link Holdfast#close}
 * @param waiting             the same in words: {@code CPU debt 42 ms, drains in 4.2 s}
 * @param opensIn             time until that gate can open; empty when time alone does not open it
 * @param budget              objects the next pass may newly admit
 * @param slice               slice length aimed at; zero = no limit
 * @param cadence             time between passes in force
 * @param cpuDebt             CPU time of passes that has not been paid off
 * @param shareDebt           CPU time of the whole thread beyond its share
 * @param share               share of one core that the thread may use now, 0 … 1
 * @param quickCredit         CPU time left for hurrying, beyond the ordinary share, for candidates that wait for their first explanation
 * @param backOff             back-off of candidates without progress, 1 … 16
 * @param ramp                whether the heap is projected to be exhausted within half an hour, so that searches are hurried
 * @param urgent              whether exhaustion is projected within five minutes
 * @param secondsToExhaustion raw projection, -1 = none
 * @param searches            searches started
 * @param passes              passes run
 * @param cost                what it has cost so far
 */
public record HoldfastStatus(String gate, String waiting, Optional<Duration> opensIn, int budget, Duration slice, Duration cadence, Duration cpuDebt,
                             Duration shareDebt, double share, Duration quickCredit, int backOff, boolean ramp, boolean urgent,
                             double secondsToExhaustion, long searches, long passes, Cost cost) {

    /**
     * Costs since the start. Percentiles are those of all passes, to two digits, and zero before the first one.
     *
     * @param threadCpu             CPU time of the Holdfast thread, all included
     * @param passCpu               CPU time of the passes
     * @param allocatedBytes        bytes that the Holdfast thread has allocated
     * @param stoppedBySearches     wall time of calls of searches that may stop application threads (list of loaded classes)
     * @param stoppedByClassChanges how long the JVM stopped its threads for batches of class changes; where it does not tell, the wall time of these
     * @param slice99               99th percentile of the longest slice of a pass
     * @param longestSlice          longest slice of all
     * @param pass99                99th percentile of the wall time of a pass
     * @param walk99                99th percentile of the wall time inside slices
     * @param remainder99           99th percentile of the CPU time of a pass beyond its slices
     * @param spacing99             99th percentile of the time between the passes of one search
     */
    public record Cost(Duration threadCpu, Duration passCpu, long allocatedBytes, Duration stoppedBySearches, Duration stoppedByClassChanges,
                       Duration slice99, Duration longestSlice, Duration pass99, Duration walk99, Duration remainder99, Duration spacing99) {
        static final Cost NONE = new Cost(Duration.ZERO, Duration.ZERO, 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO,
                Duration.ZERO, Duration.ZERO, Duration.ZERO);
    }

    /** Before the engine is up, or when it is gone without ever having come up. */
    static HoldfastStatus without(String gate, String waiting) {
        return new HoldfastStatus(gate, waiting, Optional.empty(), 0, Duration.ZERO, Duration.ZERO, Duration.ZERO, Duration.ZERO, 0, Duration.ZERO, 1, false,
                false, -1, 0, 0, Cost.NONE);
    }

    static HoldfastStatus of(Status loop, long classChangeNanos) {
        PassTimes times = loop.passTimes();
        Cost cost = new Cost(Duration.ofNanos(loop.threadCpuNanos()), Duration.ofNanos(loop.passCpuNanos()), loop.allocatedBytes(),
                Duration.ofNanos(loop.stoppedNanos()), Duration.ofNanos(classChangeNanos), Duration.ofNanos(times.sliceP99()),
                Duration.ofNanos(times.longestSlice()), Duration.ofNanos(times.passP99()), Duration.ofNanos(times.walkP99()),
                Duration.ofNanos(times.remainderP99()), Duration.ofNanos(times.spacingP99()));
        Optional<Duration> opensIn = loop.waitNanos() == Long.MAX_VALUE ? Optional.empty() : Optional.of(Duration.ofNanos(loop.waitNanos()));
        return new HoldfastStatus(loop.gate().word(), loop.waiting(), opensIn, loop.budget(), Duration.ofNanos(loop.pauseTargetNanos()),
                Duration.ofNanos(loop.cadenceNanos()), Duration.ofNanos(loop.cpuDebtNanos()), Duration.ofNanos(loop.shareDebtNanos()),
                loop.share(), Duration.ofNanos(loop.quickCreditNanos()), loop.multiplier(), loop.ramp(), loop.urgent(),
                loop.secondsToExhaustion(), loop.searches(), loop.passes(), cost);
    }
}
