package io.holdfast.jfr;

/**
 * Whether the JVM is going down. Flight Recorder ends itself by a shutdown hook, and all streams with it. A recording that is started after that never
 * returns, with the recorder's lock in hand, and a hook of the application that waits for that lock keeps the process alive for ever.
 */
final class JvmShutdown {
    private JvmShutdown() { }

    /** Any thread. There is no other way to ask than to try to take part in it. */
    static boolean begun() {
        Thread probe = new Thread(null, () -> { }, "holdfast-shutdown-probe", 0, false);
        try {
            Runtime.getRuntime().addShutdownHook(probe);
            Runtime.getRuntime().removeShutdownHook(probe);
            return false;
        } catch (IllegalStateException inProgress) {
            return true;
        } catch (SecurityException mayNotAsk) {
            return false;
        }
    }

    /** @throws IllegalStateException when it is */
    static void check() {
        if (begun()) {
            throw new IllegalStateException("the JVM is going down");
        }
    }
}
