package io.holdfast.scheduler;

import java.util.Locale;

/**
 * The loop at the end of its last iteration. Immutable; all times in nanoseconds.
 *
 * @param gate                what the loop waits for
 * @param waitNanos           time until that gate can open; {@link Long#MAX_VALUE} when time alone does not open it
 * @param budget              objects the next pass may newly admit
 * @param pauseTargetNanos    slice length in force
 * @param cadenceNanos        time between passes in force
 * @param cpuDebtNanos        CPU time of passes not yet paid off
 * @param cpuRate             share of time at which it is paid off
 * @param shareDebtNanos      CPU time of the whole thread beyond its share
 * @param share               share of one core that the whole thread may use now
 * @param quickCreditNanos    CPU time that is left for hurrying, beyond the ordinary share, for candidates that wait for their first explanation
 * @param safepointDebtNanos  stopping calls not yet paid off
 * @param multiplier          back-off of candidates without progress, 1 … 16
 * @param ramp                whether the ramp before an OutOfMemoryError is on
 * @param urgent              whether the urgent latch is set
 * @param secondsToExhaustion raw projection, -1 = none
 * @param searches            searches started
 * @param passes              passes run
 * @param passCpuNanos        CPU time of all passes
 * @param threadCpuNanos      CPU time of the thread since it began, passes included
 * @param allocatedBytes      bytes that the thread has allocated
 * @param stoppedNanos        wall time of calls of searches that stopped application threads
 * @param passTimes           how long passes took
 */
public record Status(Gate gate, long waitNanos, int budget, long pauseTargetNanos, long cadenceNanos, long cpuDebtNanos, double cpuRate,
                     long shareDebtNanos, double share, long quickCreditNanos, long safepointDebtNanos, int multiplier, boolean ramp,
                     boolean urgent, double secondsToExhaustion, long searches, long passes, long passCpuNanos, long threadCpuNanos, long allocatedBytes,
                     long stoppedNanos, PassTimes passTimes) {

    /** Why the loop waits, for people: {@code CPU debt 42 ms, drains in 4.2 s}. */
    public String waiting() {
        return switch (gate) {
            case NOT_STARTED -> "not started";
            case OPEN -> "nothing, a pass has just run";
            case SAFEPOINT_DEBT -> "debt of stopped threads " + time(safepointDebtNanos) + ", " + drains();
            case CPU_DEBT -> "CPU debt " + time(cpuDebtNanos) + ", " + drains();
            case CPU_SHARE -> String.format(Locale.ROOT, "CPU debt %s of the whole thread (its share is %s %%), %s", time(shareDebtNanos), Math.round(100 * share), drains());
            case ROOT_ENUMERATION_INTERVAL -> "roots were enumerated recently, next search in " + time(waitNanos);
            case NO_SIGNAL -> "no leak signal with these settings";
            case NO_CANDIDATE -> "no suspected class";
            case RELEASE -> "the last search is not freed yet";
            case SPACING -> "next pass in " + time(waitNanos);
            case BACKOFF -> "no progress (back-off x" + multiplier + "), next pass in " + time(waitNanos);
            case STOPPED -> "stopped";
            case DISABLED -> "disabled after a failure";
        };
    }

    private String drains() {
        return waitNanos == Long.MAX_VALUE ? "never drains (painbudget=0)" : "drains in " + time(waitNanos);
    }

    private static String time(long nanos) {
        double millis = nanos / 1e6;
        if (millis >= 1_000) {
            return String.format(Locale.ROOT, "%.1f s", millis / 1_000);
        }
        return String.format(Locale.ROOT, millis >= 10 ? "%.0f ms" : "%.2f ms", millis);
    }
}
