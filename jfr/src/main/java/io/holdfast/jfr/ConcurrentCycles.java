package io.holdfast.jfr;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/** Knows whether this JVM runs concurrent cycles of G1 that post no JMX notification (JDK 17; later ones have a bean for them). */
final class ConcurrentCycles {
    private ConcurrentCycles() { }

    static boolean onlySeenByFlightRecorder() {
        List<String> collectors = ManagementFactory.getGarbageCollectorMXBeans().stream().map(GarbageCollectorMXBean::getName).toList();
        return onlySeenByFlightRecorder(collectors);
    }

    static boolean onlySeenByFlightRecorder(List<String> collectors) {
        return collectors.contains("G1 Old Generation") && !collectors.contains("G1 Concurrent GC");
    }
}
