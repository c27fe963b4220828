package io.holdfast.refchains;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToLongFunction;

/** Populations that grow, as leak candidates. Some of their objects are sought, held weakly. Not thread-safe. */
final class GrowthSuspects {
    static final int MAX_SUSPECTS = 16;
    /** Objects sought of one population. */
    static final int MAX_INSTANCES = 16;
    /** Once the place is known it is followed by reading its size; objects are sought again to see whether the old ones are still there. */
    static final long REST_IF_EXPLAINED_NANOS = 60_000_000_000L;
    static final long REST_IF_MUTED_NANOS = 120_000_000_000L;
    static final String DROPPED = "refchains.growing.dropped";
    /** Numbers from here downward: liveness counts from 1, the queue of finalisation is -1. */
    private static final long FIRST_ID = -2;

    private final ToLongFunction<Object> sizes;
    private final GcEpochs epochs;
    private final Ticker ticker;
    private final Counters counters;
    private final Map<PopulationSizes.Growth, Suspect> suspects = new HashMap<>();
    private long ids = FIRST_ID;
    private long sequence;
    private long search;

    /** What is sought of one population. */
    private static final class Suspect {
        final long id;
        final Instant since;
        List<TrackedInstance> instances = List.of();
        String className;
        long bytesEach;
        long restsUntilNanos;
        long seenInSearch;

        Suspect(long id, Instant since, long nowNanos) {
            this.id = id;
            this.since = since;
            this.restsUntilNanos = nowNanos;
        }
    }

    GrowthSuspects(ToLongFunction<Object> sizes, GcEpochs epochs, Ticker ticker, Counters counters) {
        this.sizes = sizes;
        this.epochs = epochs;
        this.ticker = ticker;
        this.counters = counters;
    }

    /** A search begins. What was not seen in several is gone. */
    void nextSearch() {
        search++;
        suspects.values().removeIf(suspect -> search - suspect.seenInSearch > PopulationSizes.FORGOTTEN_AFTER);
    }

    boolean any(long nowNanos) {
        return suspects.values().stream().anyMatch(suspect -> awake(suspect, nowNanos));
    }

    List<LeakCandidate> candidates(int max, long nowNanos) {
        return suspects.entrySet().stream().filter(entry -> awake(entry.getValue(), nowNanos))
                .sorted(Comparator.comparingLong(entry -> -weight(entry.getValue(), entry.getKey()))).limit(max)
                .map(entry -> describe(entry.getValue(), entry.getKey())).toList();
    }

    /** What leaks brings nodes, arrays and strings of the JDK with it, as many as there are of it: those lead to the same place, and say less. */
    private static long weight(Suspect suspect, PopulationSizes.Growth growth) {
        return growth.gained() * (suspect.className.startsWith("java.") ? 1L : 2L);
    }

    /** A population that grows was met, with some of its objects. */
    void grows(PopulationSizes.Growth growth, List<Object> found, long nowNanos) {
        Suspect suspect = suspects.get(growth);
        if (suspect == null) {
            if (found.isEmpty() || !takes(growth)) {
                return;
            }
            makeRoom();
            suspect = new Suspect(ids--, ticker.now(), nowNanos);
            suspects.put(growth, suspect);
        }
        suspect.seenInSearch = search;
        seek(suspect, found, nowNanos);
    }

    void doesNotGrow(PopulationSizes.Growth growth) {
        suspects.remove(growth);
    }

    void rest(long id, long nanos) {
        for (Suspect suspect : suspects.values()) {
            if (suspect.id == id) {
                suspect.restsUntilNanos = ticker.nanos() + nanos;
            }
        }
    }

    void clear() {
        suspects.clear();
    }

    /** Whether there is a place for it, if need be that of the one that has gained least; else it is counted as dropped. */
    boolean takes(PopulationSizes.Growth growth) {
        if (suspects.size() < MAX_SUSPECTS || suspects.containsKey(growth) || least().gained() < growth.gained()) {
            return true;
        }
        counters.increment(DROPPED);
        return false;
    }

    private void makeRoom() {
        if (suspects.size() >= MAX_SUSPECTS) {
            suspects.remove(least());
        }
    }

    private PopulationSizes.Growth least() {
        return suspects.keySet().stream().min(Comparator.comparingInt(PopulationSizes.Growth::gained)).orElseThrow();
    }

    /** Half of what is sought stays the same from look to look, as long as it lives: what is still there after minutes has not been taken out. */
    private void seek(Suspect suspect, List<Object> found, long nowNanos) {
        List<TrackedInstance> instances = new ArrayList<>(MAX_INSTANCES);
        for (TrackedInstance old : suspect.instances) {
            if (instances.size() < MAX_INSTANCES / 2 && !old.reference().refersTo(null)) {
                instances.add(old);
            }
        }
        for (int i = found.size() - 1; i >= 0 && instances.size() < MAX_INSTANCES; i--) {
            Object object = found.get(i);
            if (instances.stream().noneMatch(instance -> refersTo(instance.reference(), object))) {
                instances.add(new TrackedInstance(--sequence, new WeakReference<>(object), AllocationSample.WATCHED, TrackedInstance.UNKNOWN_THREAD, epochs.epoch(), 0, false, nowNanos));
            }
        }
        suspect.instances = List.copyOf(instances);
        found.stream().findFirst().ifPresent(object -> {
            suspect.className = ClassNames.of(object.getClass());
            suspect.bytesEach = sizes.applyAsLong(object);
        });
    }

    /** Not {@code get()}: while a collector marks beside the program, that keeps alive what it returns. */
    @SuppressWarnings("unchecked")
    private static boolean refersTo(WeakReference<?> reference, Object object) {
        return ((WeakReference<Object>) reference).refersTo(object);
    }

    private static boolean awake(Suspect suspect, long nowNanos) {
        return nowNanos - suspect.restsUntilNanos >= 0 && !suspect.instances.isEmpty();
    }

    private static LeakCandidate describe(Suspect suspect, PopulationSizes.Growth growth) {
        CandidateTrend trend = new CandidateTrend(CandidateTrend.Evidence.GROWTH, List.of(), growth.perHour(), growth.rises(), suspect.since);
        LiveEstimate live = new LiveEstimate(suspect.instances.size(), growth.size(), growth.size() * suspect.bytesEach,
                Math.round(growth.perHour() * suspect.bytesEach));
        return new LeakCandidate(suspect.id, suspect.className, trend, suspect.instances, List.of(), live);
    }
}
