package io.holdfast.refchains;

import io.holdfast.core.Counters;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;

/**
 * Entries of which something is known to have changed: those that got a root while the walk had them below something else, and those below which an object died
 * before it was walked. First in, first out, each once, at most {@value #CAP} and {@value #PER_CLASS} of a class; what is more is counted and left to the laps.
 * Not thread-safe.
 */
final class AtRisk {
    static final int CAP = 1_024;
    static final int PER_CLASS = 64;
    static final String DROPPED = "refchains.rotation.at_risk.dropped";

    private final VisitedTable table;
    private final LongAdder dropped;
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();
    private final Set<Integer> queued = new HashSet<>();
    private final Map<Integer, Integer> byClass = new HashMap<>();

    AtRisk(VisitedTable table, Counters counters) {
        this.table = table;
        this.dropped = counters.counter(DROPPED);
    }

    void add(int entry) {
        if (queued.contains(entry)) {
            return;
        }
        int classId = table.classId(entry);
        if (queue.size() == CAP || byClass.getOrDefault(classId, 0) == PER_CLASS) {
            dropped.increment();
            return;
        }
        queue.add(entry);
        queued.add(entry);
        byClass.merge(classId, 1, Integer::sum);
    }

    boolean isEmpty() {
        return queue.isEmpty();
    }

    /** Takes the first out. There must be one. */
    int remove() {
        int entry = queue.remove();
        queued.remove(entry);
        byClass.computeIfPresent(table.classId(entry), (id, count) -> count == 1 ? null : count - 1);
        return entry;
    }
}
