package io.holdfast.jfr;

import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * Instances of which population the VM is asked about.
 *
 * @param className class of the instances, in the form of {@link io.holdfast.core.ClassNames#of}
 * @param stacks    stacks with which they are allocated, innermost frame first, frames as {@link StackTraceElement} writes them; a site alone is a stack
 *                  of one frame
 * @param since     when the oldest known instance was allocated
 */
public record RootQuestion(String className, List<List<String>> stacks, Instant since) {
    public RootQuestion {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(since, "since");
        stacks = List.copyOf(stacks);
    }
}
