package io.holdfast.scheduler;

import io.holdfast.core.PassLimits;
import io.holdfast.core.PassReport;

/**
 * When searches may start and passes may run, told a second time from the specification: exact integers (debts in hundredths of a
 * nanosecond, rates in percent), no sharing of code with what it checks. It is asked before each iteration and told afterwards what happened.
 */
final class ReferenceSchedule {
    enum Answer { MUST, MUST_NOT, EITHER }

    /** Doubles and integers may disagree on the last nanoseconds of a debt. */
    private static final long TOLERANCE_HUNDREDTHS = 100 * 100;
    private static final long SECOND = 1_000_000_000L;

    private final long percent;
    private final ReferencePace pace;

    private Long cpuSince;
    private long cpuDebt;
    private long cpuPercent;
    private Long stopSince;
    private long stopDebt;

    private long searchStopped;
    private long searchCpu;
    private boolean held;
    private Long lastStart;
    private long startWait;
    private Long lastRootEnd;
    private long rootWait;
    private Long lastPassEnd;
    private Long lastChaseEnd;
    private long usual = -1;
    private int multiplier = 1;
    private boolean progress;
    private int clearLooks;
    boolean urgent;
    private long urgentRefusals;

    /** Area under the CPU rate since the start, in hundredths of a nanosecond: what may have been spent, but for one pass. */
    private long allowed;
    private long spent;
    private long largestPass;

    ReferenceSchedule(int percent, double targetMillis, int budget, long cadenceNanos) {
        this.percent = percent;
        cpuPercent = percent;
        pace = new ReferencePace(targetMillis, budget, cadenceNanos);
    }

    ReferencePace pace() {
        return pace;
    }

    long urgentRefusals() {
        return urgentRefusals;
    }

    boolean held() {
        return held;
    }

    int multiplier() {
        return multiplier;
    }

    void look(double s, long now, long stoppedElsewhere) {
        pace.observe(s);
        if (s >= 0 && s < 300) {
            urgent = true;
            clearLooks = 0;
        } else if (s >= 300 && s < 600) {
            clearLooks = 0;
        } else {
            clearLooks++;
            if (clearLooks >= 5) {
                urgent = false;
            }
        }
        drain(now);
        stopDebt += 100 * stoppedElsewhere;
    }

    /** Whether a pass of the running search must, must not or may run. */
    Answer mayPass(long now, boolean unresolved) {
        setRate(now, unresolved);
        long spacing = pace.ramp ? pace.cadence() : Math.max(pace.cadence(), 100_000_000L);
        if (now - lastPassEnd < spacing) {
            return Answer.MUST_NOT;
        }
        boolean backedOff = unresolved && !pace.ramp && multiplier > 1 && lastChaseEnd != null && now - lastChaseEnd < multiplier * usual;
        return backedOff ? Answer.MUST_NOT : paid(cpuDebt);
    }

    /** Whether a search must, must not or may start. Charges the last one first. */
    Answer mayStart(long now, boolean enabled, boolean candidate) {
        drain(now);
        stopDebt += 100 * searchStopped;
        searchStopped = 0;
        boolean early = lastRootEnd != null && now - lastRootEnd < rootWait || lastStart != null && now - lastStart < startWait;
        Answer debts = both(paid(stopDebt), paid(cpuDebt));
        if (early || debts == Answer.MUST_NOT) {
            return Answer.MUST_NOT;
        }
        if (!enabled || !candidate) {
            if (urgent && debts == Answer.MUST) {
                urgentRefusals++;
            }
            return Answer.MUST_NOT;
        }
        return debts;
    }

    boolean rootsDue(long now) {
        return lastRootEnd == null || now - lastRootEnd >= rootWait;
    }

    void started(long now) {
        held = true;
        lastStart = now;
        startWait = 2 * SECOND;
        searchCpu = 0;
        multiplier = 1;
        progress = true;
    }

    void passed(PassLimits limits, PassReport report, long start, long end, int soughtBefore, int soughtAfter) {
        drain(end);
        cpuDebt += 100 * report.cpuNanos();
        spent += 100 * report.cpuNanos();
        largestPass = Math.max(largestPass, 100 * report.cpuNanos());
        searchCpu += report.cpuNanos();
        searchStopped += report.stoppedNanos();
        lastPassEnd = end;
        if (report.rootEnumeration()) {
            lastRootEnd = end;
            rootWait = Math.max(2 * SECOND, Math.min(20 * (end - start), 30 * SECOND));
            pace.rootPass(report.longestSliceNanos() / 1e6);
        } else {
            pace.pass(report.longestSliceNanos() / 1e6);
        }
        if (soughtBefore > 0) {
            lastChaseEnd = end;
        }
        usual = usual < 0 ? end - start : usual / 5 * 4 + (end - start) / 5;
        if (soughtAfter < soughtBefore) {
            newProgress();
        }
        if (soughtAfter > 0 && !progress) {
            multiplier = Math.min(16, 2 * multiplier);
        }
        progress = false;
    }

    void newProgress() {
        multiplier = 1;
        progress = true;
    }

    void ended(long now, boolean explained) {
        startWait = explained ? Math.max(2 * SECOND, 10 * searchCpu) : 2 * SECOND;
        drain(now);
        cpuPercent = percent;
    }

    void released() {
        held = false;
    }

    void setRate(long now, boolean unresolved) {
        drain(now);
        cpuPercent = unresolved ? Math.min(100, 100 * percent) : percent;
    }

    /** Spent − allowed − the largest pass, in nanoseconds: positive when the CPU budget was overdrawn by more than one pass. */
    long overdraft(long now) {
        drain(now);
        return (spent - allowed - largestPass) / 100;
    }

    private void drain(long now) {
        if (cpuSince == null) {
            cpuSince = now;
            stopSince = now;
        }
        allowed += (now - cpuSince) * cpuPercent;
        cpuDebt = Math.max(0, cpuDebt - (now - cpuSince) * cpuPercent);
        cpuSince = now;
        stopDebt = Math.max(0, stopDebt - (now - stopSince) * percent);
        stopSince = now;
    }

    private static Answer paid(long debt) {
        return debt == 0 ? Answer.MUST : debt < TOLERANCE_HUNDREDTHS ? Answer.EITHER : Answer.MUST_NOT;
    }

    private static Answer both(Answer one, Answer other) {
        if (one == Answer.MUST_NOT || other == Answer.MUST_NOT) {
            return Answer.MUST_NOT;
        }
        return one == Answer.MUST && other == Answer.MUST ? Answer.MUST : Answer.EITHER;
    }
}
