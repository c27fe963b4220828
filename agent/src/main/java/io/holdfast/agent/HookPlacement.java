package io.holdfast.agent;

import io.holdfast.agent.AllocationScan.ScannedMethod;
import io.holdfast.agent.RewrittenClass.Hooked;
import io.holdfast.agent.RewrittenClass.Refusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Decides which instructions get which site's hook. Exact indices are served first, so that a guess never takes an instruction from them. */
final class HookPlacement {
    /** {@code dup; sipush; invokestatic}. */
    private static final int HOOK_BYTES = 7;

    /** Site by completion index, by method. */
    private final Map<String, Map<Integer, Integer>> hooks = new HashMap<>();
    private final List<Hooked> hooked = new ArrayList<>();
    private final Map<Integer, Refusal> refused = new TreeMap<>();
    private final Map<String, ScannedMethod> methods;
    private final Map<String, Integer> addedBytes = new HashMap<>();

    private HookPlacement(Map<String, ScannedMethod> methods) {
        this.methods = methods;
    }

    static HookPlacement of(List<WantedSite> wanted, Map<String, ScannedMethod> methods) {
        HookPlacement placement = new HookPlacement(methods);
        List<WantedSite> guesses = new ArrayList<>();
        for (WantedSite site : wanted) {
            if (placement.exact(site)) {
                continue;
            }
            if (site.exactOnly()) {
                placement.refused.put(site.siteId(), Refusal.NOT_FOUND);
            } else {
                guesses.add(site);
            }
        }
        guesses.forEach(placement::guess);
        return placement;
    }

    /** Site ids by completion index; empty for methods without hooks. */
    Map<Integer, Integer> hooksOf(String methodKey) {
        return hooks.getOrDefault(methodKey, Map.of());
    }

    List<Hooked> hooked() {
        return hooked;
    }

    Map<Integer, Refusal> refused() {
        return refused;
    }

    /** How long the method will be with the hooks it has been given so far. */
    int lengthOf(String methodKey, ScannedMethod method) {
        return method.codeLength() + addedBytes.getOrDefault(methodKey, 0);
    }

    private boolean room(String methodKey, ScannedMethod method) {
        return lengthOf(methodKey, method) + HOOK_BYTES <= AllocationScan.MAX_CODE_LENGTH;
    }

    private boolean exact(WantedSite site) {
        ScannedMethod method = methods.get(site.methodKey());
        if (method != null) {
            for (AllocationInstruction instruction : method.instructions()) {
                if (instruction.index() == site.index() && instruction.mayMake(site.allocatedClass())) {
                    place(site, method, List.of(instruction));
                    return true;
                }
            }
        }
        return false;
    }

    private void guess(WantedSite site) {
        ScannedMethod method = methods.get(site.methodKey());
        List<AllocationInstruction> makers = method == null ? List.of()
                : method.instructions().stream().filter(i -> i.makes(site.allocatedClass())).toList();
        List<AllocationInstruction> onLine = makers.stream().filter(i -> i.line() >= 0 && i.line() == site.line()).toList();
        place(site, method, onLine.isEmpty() ? makers : onLine);
    }

    private void place(WantedSite site, ScannedMethod method, List<AllocationInstruction> instructions) {
        Refusal refusal = Refusal.NOT_FOUND;
        int line = Integer.MIN_VALUE;
        for (AllocationInstruction instruction : instructions) {
            if (!instruction.supported() || !room(site.methodKey(), method)) {
                refusal = Refusal.UNSUPPORTED;
            } else if (hooks.computeIfAbsent(site.methodKey(), key -> new HashMap<>()).putIfAbsent(instruction.completion(), site.siteId()) != null) {
                refusal = Refusal.TAKEN;
            } else {
                addedBytes.merge(site.methodKey(), HOOK_BYTES, Integer::sum);
                line = line == Integer.MIN_VALUE ? instruction.line() : line;
            }
        }
        if (line == Integer.MIN_VALUE) {
            refused.put(site.siteId(), refusal);
        } else {
            hooked.add(new Hooked(site.siteId(), line));
        }
    }
}
