package io.holdfast.jfr;

/** Says in one sentence why something did not work with Flight Recorder, without stack trace, and what is missing because of it. */
final class JfrFailure {
    private static final int MAX_DETAIL = 300;

    private JfrFailure() { }

    static String text(String task, Throwable cause) {
        if (cause instanceof LinkageError && mentionsFlightRecorder(cause)) {
            return task + ": this Java runtime has no module jdk.jfr.";
        }
        Throwable root = cause;
        while (root.getCause() != null && root.getCause() != root) {
            root = root.getCause();
        }
        String detail = root.getMessage() == null ? "" : root.getMessage().lines().findFirst().orElse("");
        String name = root.getClass().getSimpleName();
        return task + ": " + (detail.isEmpty() ? name : name + ": " + detail.substring(0, Math.min(detail.length(), MAX_DETAIL))) + ".";
    }

    private static boolean mentionsFlightRecorder(Throwable cause) {
        String message = String.valueOf(cause.getMessage());
        return message.contains("jdk/jfr") || message.contains("jdk.jfr");
    }
}
