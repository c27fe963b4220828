package io.holdfast.refchains;

import java.util.Set;

/** Tells Holdfast's own classes, which are never walked: it would report its own tables. */
final class OwnCode {
    private static final String ROOT = "io.holdfast.";
    /** Packages below {@link #ROOT} that are ours; what else is there (examples, plug-ins) is walked like any application. */
    private static final Set<String> PACKAGES = Set.of("core", "liveness", "refchains", "scheduler", "agent", "jfr", "shaded");
    /** Packages that contain one of these segments are programs to be observed, wherever they are. */
    private static final Set<String> OBSERVED = Set.of("test", "demo", "examples");
    /** The allocation hook, which the agent defines among the JDK's own classes. */
    private static final String HOOK = "java.lang.Holdfast";
    /** Our thread. */
    private static final String THREAD = "holdfast";
    /** The recorder's threads hold its tables, not the application's objects. */
    private static final String RECORDER_THREAD = "JFR ";
    private static final String RECORDER = "jdk.jfr.internal.";

    private OwnCode() { }

    static boolean owns(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        return owns(element.getName());
    }

    static boolean owns(String className) {
        if (!className.startsWith(ROOT)) {
            return className.startsWith(HOOK);
        }
        String below = className.substring(ROOT.length());
        int dot = below.indexOf('.');
        if (dot < 0) {
            return true;
        }
        if (!PACKAGES.contains(below.substring(0, dot))) {
            return false;
        }
        String[] segments = below.split("\\.", -1);
        for (int i = 1; i < segments.length - 1; i++) {
            if (OBSERVED.contains(segments[i])) {
                return false;
            }
        }
        return true;
    }

    /** Whether the statics of that class belong to us or to the flight recorder. */
    static boolean hidesStatics(Class<?> type) {
        return owns(type) || type.getName().startsWith(RECORDER);
    }

    static boolean owns(Thread thread) {
        String name = thread.getName();
        return name.equals(THREAD) || name.startsWith(THREAD + "-") || name.startsWith(RECORDER_THREAD);
    }
}
