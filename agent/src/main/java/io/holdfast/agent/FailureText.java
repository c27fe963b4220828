package io.holdfast.agent;

/** Failures as one line for people. Refers to the JDK only: a copy goes into the helper JVM. */
final class FailureText {
    private FailureText() { }

    static String of(Throwable failure) {
        String message = failure.getMessage();
        return (message == null || message.isBlank() ? failure.getClass().getName() : message).replaceAll("\\s+", " ").strip();
    }
}
