package io.holdfast.refchains;

import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.Ticker;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToLongFunction;

/*
 * The second source of suspicion
 *
 * Sampled allocations do not show every leak: a site of 0.03 % of the bytes is named after minutes, one that everybody uses drowns what leaks in what does
 * not, and classes without a hook are not sampled at all. But whatever leaks becomes more, and walks come by it. So each walk notes how many elements the
 * containers have, and one that came everywhere how many objects there are of each class, those included that lead nowhere. What was larger at each of several looks becomes a candidate:
 * some of it is sought like sampled instances, and the ledger follows the place this leads to like any other. Growth over a few looks accuses caches that
 * fill and registries that swing; the verdict is not passed here.
 */
/**
 * Populations that grow from walk to walk, as leak candidates, and when a walk should be made for this alone. What is known are numbers and weak references,
 * at most 1.1 MB. Holdfast thread only.
 */
public final class GrowthSurvey implements WalkObserver {
    static final String DROPPED = "refchains.populations.dropped";

    private final Ticker ticker;
    private final ContainerCounts containers;
    private final ContainerElements elements;
    private final ClassCounts classes = new ClassCounts(GrowthSuspects.MAX_INSTANCES);
    /** Apart from each other: thousands of containers must not leave the classes, which are counted when a search ends, without a place. */
    private final PopulationSizes known = new PopulationSizes();
    private final PopulationSizes knownClasses = new PopulationSizes();
    private final GrowthSuspects suspects;
    private final SurveySchedule schedule;
    private final LongAdder dropped;

    /** {@code sizes}: bytes of one object, without what hangs on it. */
    public GrowthSurvey(HeapAccess access, ToLongFunction<Object> sizes, GcEpochs epochs, Ticker ticker, Counters counters) {
        this(access.reader(), sizes, epochs, ticker, counters);
    }

    GrowthSurvey(HeapReader reader, ToLongFunction<Object> sizes, GcEpochs epochs, Ticker ticker, Counters counters) {
        this.ticker = ticker;
        containers = new ContainerCounts(reader);
        elements = new ContainerElements(reader);
        suspects = new GrowthSuspects(sizes, epochs, ticker, counters);
        schedule = new SurveySchedule(ticker.nanos());
        dropped = counters.counter(DROPPED);
    }

    /** Whether a walk is wanted although nobody is suspected. */
    public boolean due(long nowNanos) {
        return schedule.due(nowNanos);
    }

    /** Whether there is a candidate that does not rest. */
    public boolean any(long nowNanos) {
        return suspects.any(nowNanos);
    }

    /** At most {@code max} of those that do not rest, what has gained most first. Their numbers are negative. */
    public List<LeakCandidate> candidates(int max, long nowNanos) {
        return suspects.candidates(max, nowNanos);
    }

    /** A chain is known. Unknown numbers are ignored. */
    public void explained(long candidateId) {
        suspects.rest(candidateId, GrowthSuspects.REST_IF_EXPLAINED_NANOS);
    }

    /** The search did not bring an explanation. Unknown numbers are ignored. */
    public void mute(long candidateId) {
        suspects.rest(candidateId, GrowthSuspects.REST_IF_MUTED_NANOS);
    }

    @Override
    public void searchBegins() {
        known.nextSearch();
        knownClasses.nextSearch();
        suspects.nextSearch();
        classes.begin();
    }

    @Override
    public void admitted(Object object, ClassPlan plan, int hash, int holderId, boolean first) {
        if (first || !plan.counted()) {
            classes.met(object, plan.id());
        }
        long count = containers.of(object, plan, holderId);
        if (count < 0 || count > Integer.MAX_VALUE) {
            return;
        }
        long nowNanos = ticker.nanos();
        PopulationSizes.Growth growth = known.note((long) hash << 32 | plan.id(), (int) count, nowNanos);
        if (growth == null) {
            countDropped(count);
            return;
        }
        if (growth.growing()) {
            // Asked first: of thousands that grow the elements of a few are needed.
            if (suspects.takes(growth)) {
                suspects.grows(growth, elements.of(object, growth.size(), GrowthSuspects.MAX_INSTANCES), nowNanos);
            }
        } else {
            suspects.doesNotGrow(growth);
        }
    }

    @Override
    public void passedOver(Object object, ClassPlan plan) {
        classes.met(object, plan.id());
    }

    @Override
    public boolean countsItself(int classId) {
        return containers.counted(classId);
    }

    @Override
    public void searchEnded(boolean everywhere, long cpuNanos, long nowNanos) {
        for (int id = 0; everywhere && id < classes.ids(); id++) {
            if (classes.count(id) > 0) {
                noteClass(id, nowNanos);
            }
        }
        schedule.ended(cpuNanos, nowNanos);
    }

    /** What is large enough and has no place is not known. */
    private void countDropped(long size) {
        if (size >= PopulationSizes.MIN_SIZE) {
            dropped.increment();
        }
    }

    private void noteClass(int id, long nowNanos) {
        PopulationSizes.Growth growth = knownClasses.note(id, classes.count(id), nowNanos);
        if (growth == null) {
            countDropped(classes.count(id));
            return;
        }
        if (growth.growing()) {
            suspects.grows(growth, classes.picked(id), nowNanos);
        } else {
            suspects.doesNotGrow(growth);
        }
        if (growth.rises() > 0) {
            classes.pick(id);
        } else {
            classes.stopPicking(id);
        }
    }

    @Override
    public void clear() {
        known.clear();
        knownClasses.clear();
        classes.clear();
        suspects.clear();
    }
}
