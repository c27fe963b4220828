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

    /** Once per iteration, with the raw projection. */
    void observe(double secondsToExhaustion) {
        seconds = secondsToExhaustion;
        boolean inBand = ramp.inBand(secondsToExhaustion);
        if (inBand) {
            if (!ramping) {
                // Once per episode: applied at each change of the target it would compound.
                controller.rebase(ramp.baseBudget());
            }
            controller.retarget(ramp.targetNanos(secondsToExhaustion));
        } else if (ramping) {
            controller.rebase(settings.budget());
            controller.retarget(settings.pauseTargetNanos());
            controller.restoreCadence(settings.cadenceNanos());
        }
        ramping = inBand;
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
