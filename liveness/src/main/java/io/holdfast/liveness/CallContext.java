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
    /** A stack of this context, innermost frame first; empty when none was decoded. */
    final List<String> stack;
    /** Samples that died before their class was known: they count against every class made in this context. */
    final CohortRing diedUnknown = new CohortRing();

    CallContext(String frame, List<String> stack) {
        this.frame = frame;
        this.stack = stack;
    }
}
