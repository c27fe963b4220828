package io.holdfast.core;

/** How far a verdict has come. The words are those of the JSON report. */
public enum LeakState {
    /** Suspected; nothing has been able to disprove it yet. */
    PROVISIONAL("provisional"),
    /** Instances of old and new cohorts are strongly reachable, or have survived a collection that could have cleared them. */
    CONFIRMED("confirmed"),
    /** Confirmed, and a validated chain says what holds it. */
    EXPLAINED("explained"),
    /** Confirmed alive, but no visible root leads to it. */
    UNEXPLAINED("unexplained"),
    /** Grew once, grows no longer. */
    RESOLVED("resolved");

    private final String word;

    LeakState(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
