package io.holdfast.liveness;

import java.util.List;

/**
 * On whose behalf a site allocated. A site of the application has one context. A site in the JDK serves everybody: a map's node is made at one
 * instruction for a cache that forgets and for a registry that does not, and taken together their survivors look like a cache. So samples of such a
 * site are told apart by the first frame outside the JDK. Text only: no class is held. Mutable, of the Holdfast thread.
 */
final class CallContext {
    /** First frame outside the JDK; empty when there is none, or when contexts are not told apart. */
    final String frame;
    /** Samples that died before their class was known: they count against every class made in this context. */
    final CohortRing diedUnknown = new CohortRing();

    private List<String> stack = List.of();
    private long newestEpoch = -1;

    CallContext(String frame) {
        this.frame = frame;
    }

    /** Notes a sample of this context. */
    void seen(long epoch) {
        newestEpoch = Math.max(newestEpoch, epoch);
    }

    /** Epoch of the newest sample; -1 when there was none. */
    long newestEpoch() {
        return newestEpoch;
    }

    /** Keeps a decoded stack, shared with others that have the same. */
    void keepStack(List<String> shared) {
        stack = shared;
    }

    /** A stack of this context, innermost frame first; empty until the first of its objects has survived, and where contexts are not told apart. */
    List<String> stack() {
        return stack;
    }
}
