package io.holdfast.core;

import java.util.Objects;

/** Answer to the question which references hold one object. */
public sealed interface ChainResult {
    /**
     * References from a GC root lead to it.
     *
     * @param chain one of them, read again just before it was given
     */
    record Found(ReferenceChain chain) implements ChainResult {
        public Found {
            Objects.requireNonNull(chain, "chain");
        }
    }

    /**
     * No reference that can be seen leads to it, or the time was over before one was found.
     *
     * @param reason {@link #UNREACHED}, {@link #TIMEOUT}, {@link #COLLECTED}, the word of an {@link AbandonReason}, or a sentence that says why there was no search
     */
    record NotReached(String reason) implements ChainResult {
        public NotReached {
            Objects.requireNonNull(reason, "reason");
        }
    }

    /** Everything was walked: what holds the object cannot be seen from Java (a local variable, a JNI reference), or nothing but the caller holds it. */
    String UNREACHED = "unreached";
    /** The time was over. */
    String TIMEOUT = "timeout";
    /** The object died meanwhile. */
    String COLLECTED = "collected";
}
