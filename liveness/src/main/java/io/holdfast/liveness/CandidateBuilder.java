package io.holdfast.liveness;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.AllocationSite;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.CandidateTrend.Evidence;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.TrackedInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Turns suspicions into candidates with instances, origins and estimates. One pass over the table for all of them. */
final class CandidateBuilder {
    static final int MAX_EVIDENCE = 8;
    static final int MAX_THREADS = 8;
    /** Rows whose threads are counted per candidate. */
    private static final int ROWS_FOR_THREADS = 2_048;
    /** Size of an object that nobody measured. */
    static final long UNMEASURED_BYTES = 32;
    /** Younger objects are likely to be in use still. */
    private static final long YOUNG_ROW_NANOS = 1_000_000_000L;
    private static final double SECONDS_PER_HOUR = 3_600;

    private final TrackingTable table;
    private final ThreadNames threadNames;
    private final SiteCatalogue catalogue;
    private final Sites sites;

    CandidateBuilder(TrackingTable table, ThreadNames threadNames, SiteCatalogue catalogue, Sites sites) {
        this.table = table;
        this.threadNames = threadNames;
        this.catalogue = catalogue;
        this.sites = sites;
    }

    /** Suspicions whose instances have all died since the fold are left out. */
    List<LeakCandidate> build(List<Suspicion> suspicions, FoldPoint fold, long nanos) {
        List<Rows> rows = new ArrayList<>();
        for (Suspicion suspicion : suspicions) {
            suspicion.type.place = rows.size();
            rows.add(new Rows());
        }
        for (int row = 0; row < table.size(); row++) {
            SiteClass origin = table.origin(row);
            int place = origin.type.place;
            if (place >= 0 && oldEnough(suspicions.get(place), row, fold, nanos) && suspicions.get(place).includes(origin, table.threadId(row))
                    && !table.dead(row)) {
                rows.get(place).add(row);
            }
        }
        List<LeakCandidate> candidates = new ArrayList<>();
        for (Suspicion suspicion : suspicions) {
            Rows found = rows.get(suspicion.type.place);
            suspicion.type.place = -1;
            if (found.count > 0) {
                candidates.add(candidate(suspicion, found, fold, nanos));
            }
        }
        return List.copyOf(candidates);
    }

    /** What no collection has judged tells nothing by being there; but the walk can tell whether it is reachable, and then it is the newest cohort. */
    private boolean oldEnough(Suspicion suspicion, int row, FoldPoint fold, long nanos) {
        return fold.age(table.allocationEpoch(row)) >= 1
                || suspicion.evidence() == Evidence.COHORTS && nanos - table.allocationNanos(row) >= YOUNG_ROW_NANOS;
    }

    private LeakCandidate candidate(Suspicion suspicion, Rows rows, FoldPoint fold, long nanos) {
        ClassHistory history = suspicion.type.history;
        CandidateTrend trend = new CandidateTrend(suspicion.evidence(), history == null ? List.of() : history.ring().toList(),
                history == null ? 0 : history.growth(), history == null ? 0 : history.folds(),
                history == null ? suspicion.firstSeen : history.firstSeen);
        List<TrackedInstance> instances = new ArrayList<>();
        for (int row : InstanceSpread.pick(rows.rows, rows.count, table::allocationEpoch, LeakCandidate.MAX_INSTANCES)) {
            instances.add(new TrackedInstance(table.sequence(row), table.reference(row), table.origin(row).site.siteId, table.threadId(row),
                    table.allocationEpoch(row), (int) Math.min(Integer.MAX_VALUE, fold.age(table.allocationEpoch(row))),
                    fold.proves(table.disproving(row)), table.allocationNanos(row)));
        }
        List<OriginTally> origins = origins(rows);
        return new LeakCandidate(suspicion.id, suspicion.type.name, trend, instances, evidence(origins),
                estimate(rows.count, origins, fold, nanos));
    }

    private List<OriginTally> origins(Rows rows) {
        List<OriginTally> origins = new ArrayList<>();
        int step = Math.max(1, rows.count / ROWS_FOR_THREADS);
        for (int i = 0; i < rows.count; i++) {
            int row = rows.rows[i];
            SiteClass origin = table.origin(row);
            if (origin.tally == null) {
                origin.tally = new OriginTally(origin);
                origins.add(origin.tally);
            }
            origin.tally.tracked++;
            origin.tally.weight += table.weight(row);
            if (i % step == 0) {
                origin.tally.threads.computeIfAbsent(table.threadId(row), key -> new int[1])[0]++;
            }
        }
        origins.forEach(tally -> tally.origin.tally = null);
        return origins;
    }

    private List<AllocationEvidence> evidence(List<OriginTally> origins) {
        return origins.stream()
                .sorted(Comparator.comparingInt((OriginTally tally) -> -tally.tracked).thenComparingInt(tally -> tally.origin.site.siteId))
                .limit(MAX_EVIDENCE)
                .map(tally -> new AllocationEvidence(frame(tally.origin.site), names(tally.threads), tally.tracked, stack(tally.origin)))
                .toList();
    }

    private static List<String> stack(SiteClass origin) {
        CallContext context = origin.context;
        if (context.frame.isEmpty()) {
            return context.stack().isEmpty() ? origin.site.stacks.any() : context.stack();
        }
        // Without a stack of its own the caller at least: the site's other stacks are those of other callers.
        return context.stack().isEmpty() ? List.of(context.frame) : context.stack();
    }

    /** Where a site is, or what its objects were watched as. */
    String frame(SiteHistory site) {
        if (site.label != null) {
            return site.label.isEmpty() ? "watched" : "watched as " + site.label;
        }
        AllocationSite known = site.siteId < catalogue.siteCount() ? catalogue.site(site.siteId) : null;
        return known == null ? "unknown site" : known.toFrame();
    }

    private List<String> names(Map<Long, int[]> threads) {
        return threads.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<Long, int[]> entry) -> -entry.getValue()[0]).thenComparingLong(Map.Entry::getKey))
                .map(entry -> threadNames.of(entry.getKey())).distinct().limit(MAX_THREADS).toList();
    }

    /**
     * What a site allocates a second, times the share that survives, times how long it has been followed. Rough: the rate is an estimate already,
     * and a site's past is taken to be like its present. Without a rate only what is tracked counts. The error is that of the rate and of the share,
     * which are independent; those of several origins add up in squares.
     */
    private LiveEstimate estimate(int tracked, List<OriginTally> origins, FoldPoint fold, long nanos) {
        double instances = 0;
        double bytes = 0;
        double perHour = 0;
        double variance = 0;
        for (OriginTally tally : origins) {
            SiteClass origin = tally.origin;
            long weight = tally.weight;
            long size = origin.meanBytes() > 0 ? origin.meanBytes() : UNMEASURED_BYTES;
            double rate = rate(origin, weight, fold);
            double seconds = Math.max(0, (nanos - origin.site.firstNanos) / 1e9);
            double alive = Math.max(weight, rate * seconds / size);
            instances += alive;
            bytes += alive * size;
            perHour += rate * SECONDS_PER_HOUR;
            double error = rate > 0 ? relativeError(origin, weight, fold) : Double.NaN;
            variance += alive * size * error * alive * size * error;
        }
        return new LiveEstimate(tracked, Math.round(instances), Math.round(bytes), Math.round(perHour), Math.sqrt(variance) / bytes);
    }

    /** Of the bytes a second that survive: Poisson in the scouted weights, binomial in the samples that outlived a collection. */
    private double relativeError(SiteClass origin, long weight, FoldPoint fold) {
        double ofRate = catalogue.relativeErrorOfRate(origin.site.siteId);
        double judged = Math.max(1, origin.admitted - origin.cohortsAdmitted.admittedBetween(fold.epoch(), Long.MAX_VALUE));
        // One more of either fate, so that four of four do not pass for certainty.
        double share = (Math.min(weight, judged) + 1) / (judged + 2);
        double ofShare = Math.sqrt((1 - share) / (share * (judged + 2)));
        double siteAdmitted = Math.max(1, origin.site.admitted());
        double part = Math.min(1, origin.admitted / siteAdmitted);
        double ofPart = part > 0 ? Math.sqrt((1 - part) / (part * siteAdmitted)) : 0;
        return Math.sqrt(ofRate * ofRate + ofShare * ofShare + ofPart * ofPart);
    }

    /** Bytes a second that survive. */
    private double rate(SiteClass origin, long weight, FoldPoint fold) {
        if (origin.site.siteId < 0 || origin.site.siteId >= catalogue.siteCount()) {
            return 0;
        }
        long unjudged = origin.cohortsAdmitted.admittedBetween(fold.epoch(), Long.MAX_VALUE);
        double share = Math.min(1, (double) weight / Math.max(1, origin.admitted - unjudged));
        double part = Math.min(1, (double) origin.admitted / Math.max(1, origin.site.admitted()));
        return Math.max(0, catalogue.bytesPerSecond(origin.site.siteId)) * part * share;
    }

    private static final class Rows {
        private int[] rows = new int[64];
        private int count;

        void add(int row) {
            if (count == rows.length) {
                rows = Arrays.copyOf(rows, count * 2);
            }
            rows[count++] = row;
        }
    }
}
