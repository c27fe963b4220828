package io.holdfast.liveness;

import io.holdfast.core.Counters;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The histories of at most {@value #MAX_KLASS_POPULATION_ENTRIES} classes. A fold is: {@link #beginFold}, {@link #survivor} for every survivor
 * in the order of allocation epochs, {@link #endFold}.
 */
final class ClassHistories {
    static final int MAX_KLASS_POPULATION_ENTRIES = 256;
    static final String CLASSES_EVICTED = "liveness.classes.evicted";
    static final String CLASSES_IGNORED = "liveness.classes.ignored";
    static final String THREAD_TRENDS_EVICTED = "liveness.thread.trends.evicted";
    static final String THREADS_IGNORED = "liveness.threads.ignored";

    private final Counters counters;
    private final List<ClassHistory> entries = new ArrayList<>();
    private final List<ClassFold> scratch = new ArrayList<>();
    private int touched;
    private long foldNumber;

    ClassHistories(Counters counters) {
        this.counters = counters;
    }

    void beginFold() {
        foldNumber++;
        touched = 0;
    }

    void survivor(TrackedClass type, long threadId, long allocationEpoch) {
        if (type.foldNumber != foldNumber) {
            type.foldNumber = foldNumber;
            type.fold = newFold(type);
        }
        if (type.fold != null) {
            type.fold.survivor(threadId, allocationEpoch);
        }
    }

    void endFold(long epoch, Instant now) {
        // Known classes first: an eviction for a newcomer must not hit one that this fold is about to update.
        for (int i = 0; i < touched; i++) {
            ClassFold fold = scratch.get(i);
            if (fold.type.history != null) {
                push(fold, epoch);
            }
        }
        for (int i = 0; i < touched; i++) {
            ClassFold fold = scratch.get(i);
            if (fold.type.history == null) {
                insert(new ClassHistory(fold.type, now));
                push(fold, epoch);
            }
        }
        for (ClassHistory entry : entries) {
            // A class that had no place in the scratch is not told to have died.
            if (entry.type.foldNumber != foldNumber) {
                entry.pushNothing();
            }
        }
        for (int i = 0; i < touched; i++) {
            scratch.get(i).type.fold = null;
            scratch.get(i).type = null;
        }
    }

    /** In table order. */
    List<ClassHistory> entries() {
        return entries;
    }

    /** Histories by latest value, largest first. */
    List<ClassHistory> topByLatest(int max) {
        return entries.stream().filter(entry -> entry.ring().latest() > 0)
                .sorted(Comparator.comparingInt((ClassHistory entry) -> entry.ring().latest()).reversed()).limit(max).toList();
    }

    void clear() {
        entries.forEach(entry -> entry.type.history = null);
        entries.clear();
        scratch.clear();
        touched = 0;
    }

    private void push(ClassFold fold, long epoch) {
        counters.add(THREAD_TRENDS_EVICTED, fold.type.history.push(fold, epoch));
        counters.add(THREADS_IGNORED, fold.survivorsWithoutThread());
    }

    private ClassFold newFold(TrackedClass type) {
        if (touched == MAX_KLASS_POPULATION_ENTRIES) {
            counters.increment(CLASSES_IGNORED);
            return null;
        }
        if (touched == scratch.size()) {
            scratch.add(new ClassFold());
        }
        ClassFold fold = scratch.get(touched++);
        fold.reset(type);
        return fold;
    }

    private void insert(ClassHistory newcomer) {
        newcomer.type.history = newcomer;
        if (entries.size() < MAX_KLASS_POPULATION_ENTRIES) {
            entries.add(newcomer);
            return;
        }
        int oldest = 0;
        for (int i = 1; i < entries.size(); i++) {
            if (entries.get(i).lastUpdatedEpoch() < entries.get(oldest).lastUpdatedEpoch()) {
                oldest = i;
            }
        }
        entries.get(oldest).type.history = null;
        entries.set(oldest, newcomer);
        counters.increment(CLASSES_EVICTED);
    }
}
