package io.holdfast.jfr;

import io.holdfast.core.Counters;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchSummary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;

/** The event types while they are known to Flight Recorder. */
final class RegisteredEvents implements AutoCloseable {
    /** Names of all event types, in the order of writing. */
    static final List<String> NAMES = List.of("holdfast.SearchAbandoned", "holdfast.SearchCompleted", "holdfast.Status", "holdfast.LeakCandidate",
            "holdfast.LeakAllocation", "holdfast.AllocationVolume",
            "holdfast.LeakConfirmation", "holdfast.ReferenceChain", "holdfast.ReferenceChainHop", "holdfast.LiveObject", "holdfast.AllocationStack",
            "holdfast.SearchPass", "holdfast.HeapProjection");

    private final List<Class<? extends Event>> types = new ArrayList<>();
    private final List<Runnable> hooks = new ArrayList<>();
    private final ChunkStamps stamps;
    private volatile Projection projection;

    /** When the hook of that type is called. */
    static String period(String name) {
        return name.equals("holdfast.HeapProjection") ? "beginChunk" : "endChunk";
    }

    private RegisteredEvents(ChunkStamps stamps) {
        this.stamps = stamps;
    }

    static RegisteredEvents register(ChunkStamps stamps) {
        if (!FlightRecorder.isAvailable()) {
            throw new IllegalStateException("Flight Recorder is not available in this JVM");
        }
        RegisteredEvents registered = new RegisteredEvents(stamps);
        try {
            WarmUp.run();
            registered.add();
            return registered;
        } catch (Throwable e) {
            registered.remove();
            throw e;
        }
    }

    private void add() {
        // Order of writing at the end of a chunk: what happened first, then what is known.
        Map<Class<? extends Event>, Runnable> periodic = new LinkedHashMap<>();
        periodic.put(SearchAbandonedEvent.class, stamps::abandonedSearches);
        periodic.put(SearchCompletedEvent.class, stamps::completedSearches);
        periodic.put(StatusEvent.class, stamps::status);
        periodic.put(LeakCandidateEvent.class, stamps::leaks);
        periodic.put(LeakAllocationEvent.class, stamps::allocations);
        periodic.put(LeakConfirmationEvent.class, stamps::confirmations);
        periodic.put(ReferenceChainEvent.class, stamps::chains);
        periodic.put(ReferenceChainHopEvent.class, stamps::hops);
        periodic.put(AllocationVolumeEvent.class, stamps::volumes);
        periodic.put(LiveObjectEvent.class, stamps::liveObjects);
        register(AllocationStackEvent.class);
        // At the beginning of a chunk; all others at the end of one.
        periodic.put(HeapProjectionEvent.class, this::chunkBegun);
        periodic.forEach((type, hook) -> {
            register(type);
            FlightRecorder.addPeriodicEvent(type, hook);
            hooks.add(hook);
        });
        register(SearchPassEvent.class);
    }

    private void register(Class<? extends Event> type) {
        FlightRecorder.register(type);
        types.add(type);
    }

    ChunkStamps stamps() {
        return stamps;
    }

    void pass(PassReport report, SearchSummary summary, PassConditions conditions, Counters counters, long sequence) {
        SearchPassEvent event = new SearchPassEvent();
        if (event.shouldCommit()) {
            event.searchId = summary.id();
            event.sequence = sequence;
            event.pass = summary.passes();
            event.rootEnumeration = report.rootEnumeration();
            event.truncated = report.truncated();
            event.walkTime = report.walkNanos();
            event.cpuTime = report.cpuNanos();
            event.stoppedTime = report.stoppedNanos();
            event.longestSlice = report.longestSliceNanos();
            event.admitted = report.admitted();
            event.references = report.references();
            event.visited = summary.visited();
            event.tableBytes = summary.tableBytes();
            event.cpuRemainder = Math.max(0, report.cpuNanos() - report.walkNanos());
            event.budget = conditions.budget();
            event.sliceTarget = conditions.sliceNanos();
            event.cadence = conditions.cadenceNanos();
            event.candidates = conditions.candidates();
            event.resolved = conditions.resolved();
            event.backOff = conditions.multiplier();
            event.cpuDebt = conditions.cpuDebtNanos();
            event.ramp = conditions.ramp();
            event.state = summary.state().name().toLowerCase(Locale.ROOT);
            event.reason = summary.reason().word();
            event.drops = drops(counters);
            event.commit();
        }
    }

    private static long drops(Counters counters) {
        return counters.snapshot().entrySet().stream().filter(counter -> counter.getKey().endsWith(".dropped")).mapToLong(Map.Entry::getValue).sum();
    }

    void projection(double secondsToExhaustion, long floorBytes, long epoch) {
        Projection made = new Projection(secondsToExhaustion, floorBytes, epoch);
        projection = made;
        write(made);
    }

    private void chunkBegun() {
        stamps.chunkBegun();
        Projection last = projection;
        if (last != null) {
            write(last);
        }
    }

    private void write(Projection made) {
        HeapProjectionEvent event = new HeapProjectionEvent();
        if (event.shouldCommit()) {
            event.sequence = stamps.nextSequence();
            event.secondsToExhaustion = made.secondsToExhaustion();
            event.floorBytes = made.floorBytes();
            event.epoch = made.epoch();
            event.commit();
        }
    }

    private record Projection(double secondsToExhaustion, long floorBytes, long epoch) { }

    /** Writes everything into the current chunk for the last time, then makes Flight Recorder forget the types. */
    @Override
    public void close() {
        stamps.all();
        remove();
    }

    private void remove() {
        hooks.forEach(FlightRecorder::removePeriodicEvent);
        types.forEach(FlightRecorder::unregister);
    }
}
