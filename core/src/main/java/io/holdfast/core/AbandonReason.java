package io.holdfast.core;

/** Why a search was given up. The words are those of reports and events. */
public enum AbandonReason {
    NONE("none"),
    FRONTIER_CAP("frontier_cap"),
    TTL("ttl"),
    NO_PROGRESS("no_progress"),
    CANDIDATES_STUCK("candidates_stuck"),
    ROOT_ENUM_ERROR("root_enum_error"),
    /** Internal: the recording ended. No event. */
    RECORDING_END("recording_end");

    private final String word;

    AbandonReason(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
