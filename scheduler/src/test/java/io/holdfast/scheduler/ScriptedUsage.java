package io.holdfast.scheduler;

/** What the thread has used, as the scripted parties say. */
final class ScriptedUsage implements ThreadUsage {
    long cpu;
    long bytes;
    /** As on a JVM that does not measure CPU time. */
    boolean unmeasured;

    @Override
    public long cpuNanos() {
        return unmeasured ? -1 : cpu;
    }

    @Override
    public long allocatedBytes() {
        return bytes;
    }
}
