package io.holdfast.agent;

import java.util.List;
import java.util.Map;

/**
 * A class with hooks.
 *
 * @param bytes      the class file, or null when no hook was inserted
 * @param sourceFile source file, or null
 * @param hooked     sites that got hooks, with the line of the first
 * @param refused    sites that got none, and why
 * @param methods    methods with hooks, by {@link AllocationScan#key}
 * @param skipped    instructions the interval lane cannot count: in methods that are too long, or where the finished object cannot be reached
 */
record RewrittenClass(byte[] bytes, String sourceFile, List<Hooked> hooked, Map<Integer, Refusal> refused, Map<String, HookedMethod> methods,
                      int skipped) {
    record Hooked(int siteId, int line) { }

    /** Why a site got no hook. The words end up in counters. */
    enum Refusal {
        /** The method does not exist, or makes no such object. */
        NOT_FOUND("not_found"),
        /** The instruction carries the hook of another site already. */
        TAKEN("taken"),
        /** The finished object cannot be reached safely. */
        UNSUPPORTED("unsupported");

        private final String word;

        Refusal(String word) {
            this.word = word;
        }

        String word() {
            return word;
        }
    }
}
