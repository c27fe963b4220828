package io.holdfast.liveness;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Decoded stacks that rows keep, each of them once however many rows name it. A stack goes when the last row, context and site that name it go;
 * never more than {@value #MAX_STACKS} are shared out. Of the Holdfast thread.
 */
final class SharedStacks {
    /** At 64 frames of some 90 characters each, three megabytes at the most; real programs have some dozens of short ones. */
    static final int MAX_STACKS = 512;

    /** Headers of a text and its characters, and the reference to it, without the characters. */
    private static final long BYTES_PER_FRAME = 48;
    /** The list, its weak reference and its place in the map. */
    private static final long BYTES_PER_STACK = 128;

    private final Map<List<String>, WeakReference<List<String>>> shared = new WeakHashMap<>();

    /** The stack as all rows share it, or null when there is no room for another one. */
    List<String> share(List<String> stack) {
        WeakReference<List<String>> known = shared.get(stack);
        List<String> kept = known == null ? null : known.get();
        if (kept != null) {
            return kept;
        }
        if (shared.size() >= MAX_STACKS) {
            return null;
        }
        shared.put(stack, new WeakReference<>(stack));
        return stack;
    }

    int size() {
        return shared.size();
    }

    /** Estimated memory in bytes; looks at every frame. */
    long bytes() {
        long bytes = 0;
        for (List<String> stack : shared.keySet()) {
            bytes += BYTES_PER_STACK;
            for (String frame : stack) {
                bytes += BYTES_PER_FRAME + frame.length();
            }
        }
        return bytes;
    }

    void clear() {
        shared.clear();
    }
}
