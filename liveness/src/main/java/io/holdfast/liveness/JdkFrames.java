package io.holdfast.liveness;

import java.util.List;

/** Tells the JDK's code from that of the program, by name. */
final class JdkFrames {
    private static final List<String> PREFIXES = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private JdkFrames() { }

    /** Whether a class name, or a frame that begins with one, is of the JDK. */
    static boolean isJdk(String name) {
        for (String prefix : PREFIXES) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    /** First frame outside the JDK; empty when there is none. */
    static String firstOutside(List<String> frames) {
        for (String frame : frames) {
            if (!isJdk(frame)) {
                return frame;
            }
        }
        return "";
    }
}
