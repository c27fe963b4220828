package io.holdfast.jfr;

/** Something that delivers allocation samples until it is closed. */
interface AllocationSource extends AutoCloseable {
    /** Changes the rate, samples a second. One call at a time. */
    void throttle(int samplesPerSecond);

    @Override
    void close();
}
