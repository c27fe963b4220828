package io.holdfast.core;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * References that lead from a GC root to an object. Every hop was read again just before the chain was made.
 *
 * @param root        where the chain starts
 * @param edges       references, root to leaf; the first edge leaves the root
 * @param totalHops   number of hops before truncation
 * @param truncated   whether hops in the middle were left out
 * @param instances   tracked instances found on chains of this signature
 * @param share       their share of all tracked instances sought, 0..1
 * @param validatedAt when the hops were last read again
 */
public record ReferenceChain(GcRoot root, List<Hop> edges, int totalHops, boolean truncated, int instances, double share, Instant validatedAt) {
    /** Hops a chain may carry at the most; longer ones are cut in the middle. */
    public static final int MAX_HOPS = 4_096;

    public ReferenceChain {
        Objects.requireNonNull(root, "root");
        edges = List.copyOf(edges);
        Objects.requireNonNull(validatedAt, "validatedAt");
    }

    /** Class of the object at the end. */
    public String leafClass() {
        return edges.isEmpty() ? "" : edges.get(edges.size() - 1).target();
    }

    /** Root kind and steps without indices, keys and generated numbers; runs of one repeated step (a linked list) count once. */
    public String signature() {
        StringBuilder text = new StringBuilder(root.kind().word());
        String last = "";
        for (Hop edge : edges) {
            String step = edge.signature();
            if (!step.equals(last)) {
                text.append(" > ").append(step);
            }
            last = step;
        }
        return text.toString();
    }

    /** The chain as one line a hop, for events and logs that take plain text. */
    public String toText() {
        return root.label() + edges.stream().map(e -> "\n  " + switch (e.kind()) {
            case ELEMENT -> e.holder() + "[" + e.index() + "]";
            default -> (e.field() == null ? e.holder() + " (" + e.kind().word() + ")" : e.declaringClass() + "." + e.field());
        } + " -> " + e.target()).collect(Collectors.joining());
    }
}
