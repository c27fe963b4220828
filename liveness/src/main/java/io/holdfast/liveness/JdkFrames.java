package io.holdfast.liveness;

import java.util.List;

/** Tells the JDK's code from that of the program, by name. */
final class JdkFrames {
    private static final List<String> PREFIXES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private JdkFrames() { }

    /** Whether a class of that name is of the JDK. */
    static boolean isJdk(String className) {
        for (String prefix : PREFIXES) {
            if (className.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }
}
