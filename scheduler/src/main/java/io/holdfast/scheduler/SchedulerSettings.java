package io.holdfast.scheduler;

/**
 * Limits of the background loop. Out-of-range values are moved to the nearest allowed one.
 *
 * @param budget           objects newly admitted per ordinary pass, 1 … 1 000 000
 * @param firstPassBudget  objects newly admitted per root enumeration, 0 … 1 000 000; 0 = derived from {@code budget}
 * @param pauseTargetNanos length of one uninterrupted slice of the walker, 0 = no limit; nobody is paused by it, it bounds how long a core is held
 * @param painBudget       share of wall-clock time the search may cost, 0 … 1; 0 = nothing after the first expense
 * @param cadenceNanos     time between passes to begin with, 10 ms … 4 s
 * @param maxHeapBytes     maximum heap; 0 or less, or {@link Long#MAX_VALUE}: unknown, nothing is tuned by it
 * @param availableProcessors processors, at least 1
 * @param startAllowanceNanos CPU time the Holdfast thread may use before it is held to its share: classes are loaded, sites rewritten and everything is
 *                            still interpreted then, and a debt of that would put off the first search by half a minute
 * @param startPauseTargetNanos the pause target as long as that allowance lasts, if it is longer than {@code pauseTargetNanos}: interpreted, a walk takes
 *                           several times as long, and what a program makes meanwhile is walked too
 * @param quickNanos         how long a full credit lasts when candidates that wait for their first explanation are hurried for at the full quick
 *                           share; 0 = they are never hurried for, at most a day
 * @param quickRecoveryNanos quiet time in which that credit comes back, 1 s … a day
 */
public record SchedulerSettings(int budget, int firstPassBudget, long pauseTargetNanos, double painBudget, long cadenceNanos,
                                long maxHeapBytes, int availableProcessors, long startAllowanceNanos, long startPauseTargetNanos,
                                long quickNanos, long quickRecoveryNanos) {
    /** The burn-in of liveness and the searches of the first minutes, with which somebody waits for a result. */
    public static final long QUICK_NANOS = 150_000_000_000L;
    /** So that the credit comes back at half a per cent of quiet time where the ordinary share is 1 %. */
    public static final long QUICK_RECOVERY_NANOS = 1_200_000_000_000L;

    private static final long SECOND_NANOS = 1_000_000_000L;
    private static final long DAY_NANOS = 86_400 * SECOND_NANOS;

    public SchedulerSettings {
        budget = Math.max(1, Math.min(AutoTuning.MAX_BUDGET, budget));
        firstPassBudget = Math.max(0, Math.min(AutoTuning.MAX_BUDGET, firstPassBudget));
        pauseTargetNanos = Math.max(0, pauseTargetNanos);
        painBudget = painBudget >= 0 ? Math.min(1, painBudget) : 0;
        cadenceNanos = Math.max(PauseController.MIN_EFFECTIVE_CADENCE_NS, Math.min(PauseController.MAX_EFFECTIVE_CADENCE_NS, cadenceNanos));
        availableProcessors = Math.max(1, availableProcessors);
        startAllowanceNanos = Math.max(0, startAllowanceNanos);
        startPauseTargetNanos = Math.max(0, startPauseTargetNanos);
        quickNanos = Math.max(0, Math.min(DAY_NANOS, quickNanos));
        quickRecoveryNanos = Math.max(SECOND_NANOS, Math.min(DAY_NANOS, quickRecoveryNanos));
    }

    /** Without an allowance for the start, and with the default credit. */
    public SchedulerSettings(int budget, int firstPassBudget, long pauseTargetNanos, double painBudget, long cadenceNanos, long maxHeapBytes,
                             int availableProcessors) {
        this(budget, firstPassBudget, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors, 0, 0, QUICK_NANOS,
                QUICK_RECOVERY_NANOS);
    }

    /** Everything tuned to this heap and this number of processors. */
    public static SchedulerSettings defaults(long maxHeapBytes, int availableProcessors) {
        return new SchedulerSettings(AutoTuning.budget(maxHeapBytes), 0, AutoTuning.pauseTargetNanos(maxHeapBytes, availableProcessors),
                AutoTuning.painBudget(maxHeapBytes, availableProcessors), PauseController.PASS_CADENCE_NS, maxHeapBytes, availableProcessors);
    }

    /** The first-pass budget in force: the one given, else derived from the budget in force. */
    public int rootAdmissions() {
        return firstPassBudget > 0 ? firstPassBudget : AutoTuning.firstPassBudget(budget, maxHeapBytes);
    }

    public SchedulerSettings withBudget(int value) {
        return new SchedulerSettings(value, firstPassBudget, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, startPauseTargetNanos, quickNanos, quickRecoveryNanos);
    }

    public SchedulerSettings withFirstPassBudget(int value) {
        return new SchedulerSettings(budget, value, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, startPauseTargetNanos, quickNanos, quickRecoveryNanos);
    }

    /** A target that is asked for holds from the start. */
    public SchedulerSettings withPauseTargetNanos(long value) {
        return new SchedulerSettings(budget, firstPassBudget, value, painBudget, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, 0, quickNanos, quickRecoveryNanos);
    }

    public SchedulerSettings withPainBudget(double value) {
        return new SchedulerSettings(budget, firstPassBudget, pauseTargetNanos, value, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, startPauseTargetNanos, quickNanos, quickRecoveryNanos);
    }

    public SchedulerSettings withCadenceNanos(long value) {
        return new SchedulerSettings(budget, firstPassBudget, pauseTargetNanos, painBudget, value, maxHeapBytes, availableProcessors,
                startAllowanceNanos, startPauseTargetNanos, quickNanos, quickRecoveryNanos);
    }

    public SchedulerSettings withStartAllowanceNanos(long value) {
        return new SchedulerSettings(budget, firstPassBudget, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors, value,
                startPauseTargetNanos, quickNanos, quickRecoveryNanos);
    }

    public SchedulerSettings withStartPauseTargetNanos(long value) {
        return new SchedulerSettings(budget, firstPassBudget, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, value, quickNanos, quickRecoveryNanos);
    }

    public SchedulerSettings withQuickNanos(long value) {
        return new SchedulerSettings(budget, firstPassBudget, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, startPauseTargetNanos, value, quickRecoveryNanos);
    }

    public SchedulerSettings withQuickRecoveryNanos(long value) {
        return new SchedulerSettings(budget, firstPassBudget, pauseTargetNanos, painBudget, cadenceNanos, maxHeapBytes, availableProcessors,
                startAllowanceNanos, startPauseTargetNanos, quickNanos, value);
    }
}
