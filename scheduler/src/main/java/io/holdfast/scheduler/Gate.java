package io.holdfast.scheduler;

/** What the loop waits for. The words are those of logs and reports. */
public enum Gate {
    /** Not started yet. */
    NOT_STARTED("not_started"),
    /** Nothing: a pass runs or has just run. */
    OPEN("open"),
    /** Calls that stopped the application's threads have not been paid off. */
    SAFEPOINT_DEBT("safepoint_debt"),
    /** CPU time has not been paid off. */
    CPU_DEBT("cpu_debt"),
    /** The whole thread has used up its share of a core. */
    CPU_SHARE("cpu_share"),
    /** The last root enumeration is too recent. */
    ROOT_ENUMERATION_INTERVAL("root_enumeration_interval"),
    /** No leak signal can arise with these settings. */
    NO_SIGNAL("no_signal"),
    /** No class is suspected. */
    NO_CANDIDATE("no_candidate"),
    /** The finished search could not be freed yet. */
    RELEASE("release"),
    /** The last pass is too recent. */
    SPACING("spacing"),
    /** The search makes no progress with its candidates. */
    BACKOFF("backoff"),
    /** Stopped. */
    STOPPED("stopped"),
    /** Switched itself off after a failure. */
    DISABLED("disabled");

    private final String word;

    Gate(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }
}
