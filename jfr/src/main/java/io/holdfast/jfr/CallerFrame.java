package io.holdfast.jfr;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line of a method outside the JDK. Frames of the JDK say nothing about whose object it is: every map's nodes are made by the same instruction.
 *
 * @param method class and method
 * @param line   line number, or -1
 */
record CallerFrame(String method, int line) {
    private static final Pattern FRAME = Pattern.compile("(?:[^(]*/(?!0x))?([^(]+)\\((?:[^:)]*)(?::(\\d+))?\\)");

    /** The innermost frame outside the JDK, or null. */
    static CallerFrame of(List<String> stack) {
        for (String frame : stack) {
            Matcher matcher = FRAME.matcher(frame);
            if (matcher.matches() && !isJdk(matcher.group(1))) {
                return new CallerFrame(matcher.group(1), matcher.group(2) == null ? -1 : Integer.parseInt(matcher.group(2)));
            }
        }
        return null;
    }

    static boolean isJdk(String name) {
        return name.startsWith("java.") || name.startsWith("jdk.") || name.startsWith("sun.") || name.startsWith("javax.");
    }

    /** Whether both may be the same instruction; a line that is not known is no difference. */
    boolean same(CallerFrame other) {
        return other != null && method.equals(other.method) && (line < 0 || other.line < 0 || line == other.line);
    }
}
