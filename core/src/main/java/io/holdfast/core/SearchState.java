package io.holdfast.core;

/** Life of one search. */
public enum SearchState {
    /** No search has been started. */
    IDLE,
    RUNNING,
    COMPLETED,
    ABANDONED;

    public boolean terminal() {
        return this == COMPLETED || this == ABANDONED;
    }
}
