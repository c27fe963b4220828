package io.holdfast.refchains;

import io.holdfast.core.Accumulation;
import io.holdfast.core.ClassNames;
import io.holdfast.core.GrowthProbe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Threads that pile up: each started and never ended, each the root of its own objects. What grows is the number of live threads of that class
 * with that task, so all that hangs on them is one leak, named after the task, or the thread's own class if it has none.
 */
final class ThreadAccumulation {
    /** Threads that must hold the like before they are taken for many. */
    private static final int MIN_THREADS = 6;
    /** Where the task is, in JDKs that keep it in the thread itself and in those that keep it beside. */
    private static final String TARGET = "target";
    private static final String FIELD_HOLDER = "holder";
    private static final String TASK = "task";

    private final HeapReader reader;
    private final Roots roots;

    ThreadAccumulation(HeapReader reader, Roots roots) {
        this.reader = reader;
        this.roots = roots;
    }

    /** What threads have in common that pile up: names, for each may have got its task from a class loader of its own. */
    private record Kind(String threadClass, String taskClass) { }

    /**
     * Returns null unless most chains set out from threads of one kind, and from one of their own each, unless it is said that threads may hold
     * {@code several}.
     */
    Accumulation find(List<TracedChain> chains, int sought, boolean several) {
        Map<Kind, List<TracedChain>> groups = new HashMap<>();
        for (TracedChain chain : chains) {
            Object thread = chain.root.kind() == Link.ROOT_THREAD && chain.length > 0 ? chain.object(0) : null;
            if (thread != null) {
                groups.computeIfAbsent(kind(thread), k -> new ArrayList<>()).add(chain);
            }
        }
        for (Map.Entry<Kind, List<TracedChain>> group : groups.entrySet()) {
            List<TracedChain> like = group.getValue();
            Set<Long> threads = new HashSet<>();
            like.forEach(chain -> threads.add(chain.identity(0)));
            Object thread = like.get(0).object(0);
            if (thread != null && like.size() >= AccumulationFinder.KEPT * chains.size() && threads.size() >= MIN_THREADS
                    && (several || threads.size() * 2 >= like.size())) {
                return place(group.getKey(), thread, (double) like.size() / Math.max(1, sought));
            }
        }
        return null;
    }

    private Accumulation place(Kind kind, Object thread, double share) {
        Object task = task(thread);
        String threadClass = ClassNames.of(thread.getClass());
        String owner = task == null ? threadClass : ClassNames.of(task.getClass());
        String holder = Thread.class.getName() + (task == null ? "" : reader.offsetOf(Thread.class, TARGET) >= 0 ? "#" + TARGET
                : "$FieldHolder#" + TASK);
        return new Accumulation(holder, threadClass, owner, Math.min(1, share), "thread > " + owner, () -> count(kind));
    }

    private Kind kind(Object thread) {
        Object task = task(thread);
        return new Kind(reader.plan(thread).className(), task == null ? "" : reader.plan(task).stableName());
    }

    /** What the thread was given to run; null if its own class says that. */
    private Object task(Object thread) {
        long target = reader.offsetOf(Thread.class, TARGET);
        if (target >= 0) {
            return reader.reference(thread, target);
        }
        long beside = reader.offsetOf(Thread.class, FIELD_HOLDER);
        Object fields = beside < 0 ? null : reader.reference(thread, beside);
        long task = fields == null ? ClassPlan.NO_OFFSET : reader.offsetOf(fields.getClass(), TASK);
        return task < 0 ? null : reader.reference(fields, task);
    }

    private long count(Kind kind) {
        long count = 0;
        for (Thread thread : roots.threads()) {
            count += kind(thread).equals(kind) ? 1 : 0;
        }
        return count == 0 ? GrowthProbe.GONE : count;
    }
}
