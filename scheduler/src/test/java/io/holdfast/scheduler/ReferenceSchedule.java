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
    private final ReferenceCandidates candidates = new ReferenceCandidates();
    private final long quickPercent;
    private final long ordinaryPercent;

    private Long cpuSince;
    private long cpuDebt;
    private long cpuPercent;
    private Long stopSince;
    private long stopDebt;

    /** In hundredths of a nanosecond too. */
    private Long shareSince;
    private long quickDebt;
    /** In thousandths, because the recovery of the credit is half a per cent. */
    private long ordinaryDebt;
    private long credit;
    private final long fullCredit;
    private final long recoveryPerNano;
    private long searchesDebt;
    private boolean quickLook;
    /** In two-hundredths, because the rates are halves. */
    private Long lookSince;
    private long lookDebt;
    private long lookPercent;
    private Long lastLook;
    private Long lastHurry;

    private long searchStopped;
    private boolean held;
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
        ordinaryPercent = percent == 0 ? 1 : percent;
        quickPercent = Math.max(5, ordinaryPercent);
        lookPercent = ordinaryPercent;
        fullCredit = 10 * (quickPercent - ordinaryPercent) * 150 * SECOND;
        recoveryPerNano = fullCredit / (1_200 * SECOND);
        credit = fullCredit;
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

    ReferenceCandidates candidates() {
        return candidates;
    }

    void look(double s, long now) {
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
        boolean early = lastRootEnd != null && now - lastRootEnd < rootWait;
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

    /** The whole thread's share, for the next pass of a running search. */
    Answer shareForPass(long now) {
        drainShares(now);
        return paid(quickDebt);
    }

    Answer shareForStart(long now) {
        Answer quick = shareForPass(now);
        if (candidates.hurry() && (pace.ramp || hasCredit())) {
            return quick;
        }
        Answer everything = paid((ordinaryDebt - Math.min(0, credit)) / 10);
        if (candidates.hurry() && everything != Answer.MUST) {
            Answer least = paid(searchesDebt / 10);
            everything = least == Answer.MUST_NOT ? everything : least;
        }
        return both(quick, everything);
    }

    private boolean hasCredit() {
        return credit > 1;
    }

    /** In nanoseconds. */
    long credit() {
        return Math.max(0, credit / 1_000);
    }

    Answer mayLook(long now) {
        drainLooks(now);
        drainShares(now);
        quickLook = lastHurry != null && now - lastHurry < 60 * SECOND && (pace.ramp || hasCredit());
        lookPercent = quickLook ? quickPercent : ordinaryPercent;
        if (lastLook != null && now - lastLook < SECOND) {
            return Answer.MUST_NOT;
        }
        return lookDebt == 0 ? Answer.MUST : lookDebt < 2 * TOLERANCE_HUNDREDTHS ? Answer.EITHER : Answer.MUST_NOT;
    }

    void looked(long now) {
        lastLook = now;
    }

    void spent(long cpu, long ofItPass, long ofItLooks, boolean hurry, long now) {
        drainShares(now);
        drainLooks(now);
        lookDebt += 200 * ofItLooks;
        boolean owed = !hurry || !pace.ramp;
        if (owed) {
            quickDebt += 100 * cpu;
            if (hurry && !hasCredit()) {
                searchesDebt += 1_000 * ofItPass;
            }
        }
        if (hurry) {
            lastHurry = now;
            credit -= owed ? 1_000 * cpu : 0;
        } else {
            long verdicts = quickLook && !pace.ramp ? ofItLooks : 0;
            credit -= 1_000 * verdicts;
            ordinaryDebt += 1_000 * (cpu - verdicts);
        }
    }

    private void drainShares(long now) {
        if (shareSince != null) {
            long quietFrom = lastHurry == null ? shareSince : Math.min(now, Math.max(shareSince, lastHurry + 60 * SECOND));
            quickDebt = Math.max(0, quickDebt - (now - shareSince) * quickPercent);
            searchesDebt = Math.max(0, searchesDebt - (now - shareSince) * recoveryPerNano);
            serve(10 * (quietFrom - shareSince) * ordinaryPercent);
            credit = Math.min(credit, fullCredit);
            boolean overdrawn = credit < 0;
            long before = credit;
            serve(10 * (now - quietFrom) * ordinaryPercent);
            // In quiet times the ordinary share only fills what is overdrawn.
            credit = overdrawn ? Math.min(0, credit) : before;
            credit = Math.min(fullCredit, credit + (now - quietFrom) * recoveryPerNano);
        }
        shareSince = now;
    }

    private void serve(long thousandths) {
        long debt = Math.min(ordinaryDebt, thousandths);
        ordinaryDebt -= debt;
        credit += thousandths - debt;
    }

    private void drainLooks(long now) {
        if (lookSince != null) {
            lookDebt = Math.max(0, lookDebt - (now - lookSince) * lookPercent);
        }
        lookSince = now;
    }

    boolean rootsDue(long now) {
        return lastRootEnd == null || now - lastRootEnd >= rootWait;
    }

    void started() {
        held = true;
        multiplier = 1;
        progress = true;
    }

    void passed(PassLimits limits, PassReport report, long start, long end, int soughtBefore, int soughtAfter) {
        drain(end);
        cpuDebt += 100 * report.cpuNanos();
        spent += 100 * report.cpuNanos();
        largestPass = Math.max(largestPass, 100 * report.cpuNanos());
        searchStopped += report.stoppedNanos();
        lastPassEnd = end;
        if (report.rootEnumeration()) {
            lastRootEnd = end;
            rootWait = Math.max(2 * SECOND, Math.min(20 * (end - start), 30 * SECOND));
            pace.rootPass(Math.min(report.cpuNanos(), report.longestSliceNanos()) / 1e6);
        } else {
            pace.pass(Math.min(report.cpuNanos(), report.longestSliceNanos()) / 1e6);
        }
        if (soughtBefore > 0) {
            lastChaseEnd = end;
        }
        usual = usual < 0 ? report.cpuNanos() : usual / 5 * 4 + report.cpuNanos() / 5;
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

    void ended(long now) {
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

    static Answer both(Answer one, Answer other) {
        if (one == Answer.MUST_NOT || other == Answer.MUST_NOT) {
            return Answer.MUST_NOT;
        }
        return one == Answer.MUST && other == Answer.MUST ? Answer.MUST : Answer.EITHER;
    }
}
