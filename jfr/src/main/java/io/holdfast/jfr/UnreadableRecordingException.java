package io.holdfast.jfr;

/** A file is no recording of Holdfast's findings. The message is one sentence for people and names the file. */
public final class UnreadableRecordingException extends Exception {
    private static final long serialVersionUID = 1L;

    UnreadableRecordingException(String message) {
        super(message);
    }
}
