package io.holdfast.liveness;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Decoded stacks that rows keep, each of them once however many rows name it. A stack goes when the last row and the last site that name it go;
 * never more than {@value #MAX_STACKS} are shared out. Of the Holdfast thread.
 */
final class SharedStacks {
    /** At 64 frames of some 90 characters each, three megabytes at the most; real programs have some dozens of short ones. */
    static final int MAX_STACKS = 512;

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

    void clear() {
        shared.clear();
    }
}
