package io.holdfast.liveness;

import io.holdfast.core.Counters;

/**
 * Decides whether a near exhaustion of the heap lets every sample into the table, past the ratio. From half an hour before on, as long as each
 * collection leaves more than any before it in this episode; from five minutes before on, always.
 */
final class AdmissionBoost {
    static final String LIVENESS_URGENT_BOOST_BACKED_OFF = "liveness.urgent.boost.backed.off";
    static final String LIVENESS_URGENT_BOOST_ADMITS = "liveness.urgent.boost.admits";
    static final double EPISODE_BELOW_SECONDS = 1_800;
    static final double ALWAYS_BELOW_SECONDS = 300;

    private final Counters counters;
    private boolean active;
    private long highWater;
    private long lastReading;
    private boolean boosting;

    AdmissionBoost(Counters counters) {
        this.counters = counters;
    }

    /**
     * @param seconds  raw projection, negative = none
     * @param reading  number of the newest reading of the heap
     * @param used     bytes it found in use
     */
    void evaluate(double seconds, long reading, long used) {
        if (seconds < 0 || seconds >= EPISODE_BELOW_SECONDS) {
            active = false;
            boosting = false;
            return;
        }
        if (!active) {
            active = true;
            highWater = used;
            lastReading = reading;
        }
        if (reading != lastReading) {
            lastReading = reading;
            boosting = used > highWater;
            highWater = Math.max(highWater, used);
            if (!boosting && seconds >= ALWAYS_BELOW_SECONDS) {
                counters.increment(LIVENESS_URGENT_BOOST_BACKED_OFF);
            }
        }
        boosting |= seconds < ALWAYS_BELOW_SECONDS;
    }

    boolean boosting() {
        return boosting;
    }
}
