package io.holdfast.scheduler;

/**
 * How much one pass may do and how often passes come: the controller, and above it the ramp, which borrows the controller's base and target
 * for an episode and gives them back. Not thread-safe.
 */
final class Pace {
    private final SchedulerSettings settings;
    private final OomRamp ramp;
    private final PauseController controller;
    private double seconds = -1;
    private boolean ramping;

    Pace(SchedulerSettings settings) {
        this.settings = settings;
        ramp = new OomRamp(settings.pauseTargetNanos(), settings.budget());
        controller = new PauseController(settings.budget(), settings.pauseTargetNanos(), settings.cadenceNanos());
    }

    /** Once per iteration, with the raw projection, and whether what the start may cost is not used up yet. */
    void observe(double secondsToExhaustion, boolean starting) {
        seconds = secondsToExhaustion;
        boolean inBand = ramp.inBand(secondsToExhaustion);
        if (inBand) {
            if (!ramping) {
                // Once per episode: applied at each change of the target it would compound.
                controller.rebase(ramp.baseBudget());
            }
            controller.retarget(Math.max(ramp.targetNanos(secondsToExhaustion), ordinaryTargetNanos(starting)));
        } else {
            if (ramping) {
                controller.rebase(settings.budget());
                controller.restoreCadence(settings.cadenceNanos());
            }
            controller.retarget(ordinaryTargetNanos(starting));
        }
        ramping = inBand;
    }

    private long ordinaryTargetNanos(boolean starting) {
        long target = settings.pauseTargetNanos();
        return starting && target > 0 ? Math.max(target, settings.startPauseTargetNanos()) : target;
    }

    boolean ramping() {
        return ramping;
    }

    /** Cadence of a running search. Without one it is {@link PauseController#PASS_CADENCE_NS}, ramp or not. */
    long cadenceNanos() {
        return ramping ? ramp.cadenceNanos(seconds) : controller.cadenceNanos();
    }

    int budget() {
        return controller.budget();
    }

    long targetNanos() {
        return controller.targetNanos();
    }

    void onPass(boolean rootEnumeration, long longestSliceNanos) {
        if (rootEnumeration) {
            controller.onRootEnumeration(longestSliceNanos);
        } else {
            controller.onPass(longestSliceNanos);
        }
    }
}
