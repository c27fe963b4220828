package io.holdfast.liveness;

/** How many samples the newest cohorts began with. A cohort is what was allocated in one epoch. */
final class CohortRing {
    /** Cohorts remembered: the survival rule judges by these, so that a long healthy past cannot hide a new leak. */
    static final int COHORTS = 32;

    private final long[] epochs = new long[COHORTS];
    private final int[] admitted = new int[COHORTS];
    private int fill;

    /** Counts samples of an epoch; those older than everything remembered are left out. */
    void add(long epoch, int samples) {
        int at = fill;
        while (at > 0 && epochs[at - 1] > epoch) {
            at--;
        }
        if (at > 0 && epochs[at - 1] == epoch) {
            admitted[at - 1] += samples;
            return;
        }
        if (fill == COHORTS) {
            if (at == 0) {
                return;
            }
            System.arraycopy(epochs, 1, epochs, 0, at - 1);
            System.arraycopy(admitted, 1, admitted, 0, at - 1);
            at--;
        } else {
            System.arraycopy(epochs, at, epochs, at + 1, fill - at);
            System.arraycopy(admitted, at, admitted, at + 1, fill - at);
            fill++;
        }
        epochs[at] = epoch;
        admitted[at] = samples;
    }

    /** Samples in the cohorts of these epochs, both included. */
    long admittedBetween(long first, long last) {
        long sum = 0;
        for (int i = 0; i < fill; i++) {
            sum += epochs[i] >= first && epochs[i] <= last ? admitted[i] : 0;
        }
        return sum;
    }

    /** Oldest cohort remembered; {@code Long.MAX_VALUE} when there is none. */
    long oldest() {
        return fill == 0 ? Long.MAX_VALUE : epochs[0];
    }

    /** Newest cohort remembered; -1 when there is none. */
    long newest() {
        return fill == 0 ? -1 : epochs[fill - 1];
    }
}
