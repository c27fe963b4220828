package io.holdfast.core;

import java.util.List;

/**
 * Where tracked instances of a leak were allocated.
 *
 * @param site    frame of the allocation, as {@link AllocationSite#toFrame} writes it
 * @param threads names of the allocating threads, most frequent first, at most 8
 * @param tracked tracked instances from here that are alive
 * @param stack   one allocation stack, innermost frame first; empty when none was kept
 */
public record AllocationEvidence(String site, List<String> threads, int tracked, List<String> stack) {
    public AllocationEvidence {
        threads = List.copyOf(threads);
        stack = List.copyOf(stack);
    }
}
