package io.holdfast.scheduler;

/** CPU time of the thread from one reading to the next, nothing left out in between. Not thread-safe. */
final class CostMeter {
    private final ThreadUsage usage;
    private long chargedNanos;
    private long totalNanos;
    private long wallSinceNanos;

    CostMeter(ThreadUsage usage) {
        this.usage = usage;
    }

    /** Where CPU time is not measured, the wall time of the iteration counts. */
    void iterationBegins(long nowNanos) {
        wallSinceNanos = nowNanos;
    }

    /** CPU time since the last call, in nanoseconds. */
    long take(long nowNanos) {
        long cpu = usage.cpuNanos();
        long taken;
        if (cpu < 0) {
            taken = Math.max(0, nowNanos - wallSinceNanos);
            wallSinceNanos = nowNanos;
        } else {
            taken = Math.max(0, cpu - chargedNanos);
            chargedNanos = cpu;
        }
        totalNanos += taken;
        return taken;
    }

    long totalNanos() {
        return totalNanos;
    }

    long allocatedBytes() {
        return usage.allocatedBytes();
    }
}
