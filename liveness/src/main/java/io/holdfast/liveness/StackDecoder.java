package io.holdfast.liveness;

import io.holdfast.core.ClassNames;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Turns an undecoded stack into text, without the frames of our own on top. */
final class StackDecoder {
    static final int MAX_FRAMES = 64;
    /** What may lie between an application and its sample. Not our whole name space: programs may live in it too. */
    private static final Pattern OURS = Pattern.compile(
            "io\\.holdfast\\.agent\\..+|io\\.holdfast\\.liveness\\.LivenessTracker(\\$.+)?|io\\.holdfast\\.Holdfast(\\$.+)?|java\\.lang\\.[Hh]oldfast.*");

    private StackDecoder() { }

    /** At most {@value #MAX_FRAMES} frames, innermost first. */
    static List<String> decode(Throwable stack) {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : stack.getStackTrace()) {
            String className = frame.getClassName();
            if (frames.isEmpty() && OURS.matcher(className).matches()) {
                continue;
            }
            if (frames.size() == MAX_FRAMES) {
                break;
            }
            frames.add(text(frame));
        }
        return List.copyOf(frames);
    }

    /** First frame outside the JDK and outside our own code on top; empty when there is none. Makes one text, not one for each frame. */
    static String firstOutsideJdk(Throwable stack) {
        boolean top = true;
        for (StackTraceElement frame : stack.getStackTrace()) {
            String className = frame.getClassName();
            if (ClassNames.ofJdk(className)) {
                top = false;
            } else if (!top || !OURS.matcher(className).matches()) {
                return text(frame);
            }
        }
        return "";
    }

    /** Without the names of module and loader, as sites are written. */
    private static String text(StackTraceElement frame) {
        return new StackTraceElement(frame.getClassName(), frame.getMethodName(), frame.getFileName(), frame.getLineNumber()).toString();
    }
}
