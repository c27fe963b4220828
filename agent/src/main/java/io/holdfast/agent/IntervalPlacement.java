package io.holdfast.agent;

import io.holdfast.agent.AllocationScan.ScannedMethod;
import java.util.HashMap;
import java.util.Map;

/** Which instructions of a class the interval lane counts, and with what code. */
final class IntervalPlacement {
    /** {@code dup; dup; arraylength; ldc_w; invokestatic}, the longest. */
    private static final int HOOK_BYTES = 9;

    /** Code by completion index, by method. */
    private final Map<String, Map<Integer, Integer>> codes = new HashMap<>();
    private int skipped;

    private IntervalPlacement() { }

    static IntervalPlacement of(String internalName, HookPlacement sites, Map<String, ScannedMethod> methods, IntervalForm form) {
        IntervalPlacement placement = new IntervalPlacement();
        if (form.on()) {
            methods.forEach((key, method) -> {
                if (!AlwaysNew.countedByItsCallers(internalName, key)) {
                    placement.place(key, method, sites, form);
                }
            });
        }
        return placement;
    }

    private void place(String key, ScannedMethod method, HookPlacement sites, IntervalForm form) {
        Map<Integer, Integer> hooks = sites.hooksOf(key);
        Map<Integer, Integer> placed = new HashMap<>();
        int length = sites.lengthOf(key, method);
        for (AllocationInstruction instruction : method.instructions()) {
            int site = hooks.getOrDefault(instruction.completion(), IntervalCode.NO_SITE);
            if (!instruction.alwaysNew() || (site == IntervalCode.NO_SITE && !form.allSites())) {
                continue;
            }
            if (!instruction.supported() || length + HOOK_BYTES > AllocationScan.MAX_CODE_LENGTH) {
                skipped++;
                continue;
            }
            length += HOOK_BYTES;
            placed.put(instruction.completion(), form.shapes().code(instruction, site));
        }
        if (!placed.isEmpty()) {
            codes.put(key, placed);
        }
    }

    /** Codes by completion index; empty for methods without. */
    Map<Integer, Integer> codesOf(String methodKey) {
        return codes.getOrDefault(methodKey, Map.of());
    }

    boolean isEmpty() {
        return codes.isEmpty();
    }

    /** Instructions that cannot be counted. */
    int skipped() {
        return skipped;
    }
}
