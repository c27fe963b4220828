package io.holdfast;

import io.holdfast.core.Accumulation;
import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.GrowthProbe;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.TrackedInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;

/**
 * One accumulation point under suspicion: the candidates that lead to it, and its size over time. Holdfast thread only.
 */
final class Suspect {
    private static final int MAX_CHAINS = 8;
    private static final int MIN_KEPT = 8;
    private static final double MIN_KEPT_SHARE = 0.9;
    private static final int MAX_SITES = 8;
    /** Looks in a row at which the way to the container was broken: it may just be replaced. */
    private static final int MAX_LOST = 5;
    private static final Comparator<LeakCandidate> STRONGEST = Comparator
            .comparing((LeakCandidate c) -> c.trend().evidence() == CandidateTrend.Evidence.TREND)
            .thenComparingDouble(c -> c.trend().growth())
            .thenComparingInt(c -> c.instances().size());

    private static final double HOUR_NANOS = 3_600e9;

    /** A class comes back under another number when it was forgotten meanwhile. */
    private static final int MAX_CANDIDATES = 64;

    private final Map<Long, LeakCandidate> candidates = newest();
    private final Map<Long, SearchFinding> findings = newest();
    private GrowthSeries series = new GrowthSeries();
    private FormerHeight height = new FormerHeight();
    private Accumulation accumulation;
    private GrowthProbe probe;
    private long lastProbeNanos;
    private boolean probed;
    private String followedSignature;
    private int lost;
    private boolean uncounted;
    private Kept firstKept;
    private Kept lastKept;
    private long reportedNanos;
    private LeakState state;
    /** The suspect around this one, if it is an inner place; else null. */
    private final Suspect outer;
    /** Where the containers of this one branch off, if these may be what becomes more; else null. */
    private Suspect branching;
    private boolean ledTo;

    private static <V> Map<Long, V> newest() {
        return new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Long, V> eldest) {
                return size() > MAX_CANDIDATES;
            }
        };
    }

    /** When a search found nearly everything in place, and the cohorts it sought. */
    private record Kept(long nanos, long oldestEpoch, long newestEpoch, long oldestNanos) { }

    Suspect(Accumulation accumulation, Suspect outer) {
        this.accumulation = accumulation;
        this.probe = accumulation.probe();
        this.followedSignature = accumulation.signature();
        this.outer = outer;
    }

    void add(LeakCandidate candidate, SearchFinding finding, Accumulation place, long nowNanos) {
        SearchFinding known = findings.get(finding.candidateId());
        if (known == null || finding.severalCohorts() || !known.severalCohorts()) {
            findings.put(finding.candidateId(), finding);
        }
        candidates.remove(candidate.id()); // so that the newest is the last one
        candidates.put(candidate.id(), candidate);
        if (known == null || finding.reached() >= known.reached()) {
            accumulation = best(place);
        }
        // Two containers may be behind one field of two objects: where the one followed stands still, the other has its turn.
        boolean another = state == null && !place.signature().equals(followedSignature) && series.points() >= GrowthSeries.MIN_POINTS
                && !series.growsSteadily();
        if (probe == null || another) {
            probe = place.probe();
            followedSignature = place.signature();
            lost = 0;
            height = new FormerHeight(); // another container: what the one before has held says nothing
            if (state == null) {
                followAnew();
            }
        }
        if (keepsAll(finding) && !candidate.instances().isEmpty()) {
            LongSummaryStatistics epochs = candidate.instances().stream().mapToLong(TrackedInstance::allocationEpoch).summaryStatistics();
            long oldest = candidate.instances().stream().mapToLong(i -> i.allocationNanos() - nowNanos).min().orElse(0) + nowNanos;
            lastKept = new Kept(nowNanos, epochs.getMin(), epochs.getMax(), oldest);
            firstKept = firstKept == null || firstKept.oldestEpoch < lastKept.oldestEpoch ? lastKept : firstKept;
        }
    }

    /** Whether that place is the one that is looked at. */
    boolean follows(Accumulation place) {
        return followedSignature.equals(place.signature());
    }

    /** The suspect around this one, whose elements hold the containers this one follows; null if there is none. */
    Suspect outer() {
        return outer;
    }

    /** A search has found its instances piled up here, and not only below. */
    void ledTo() {
        ledTo = true;
    }

    boolean isLedTo() {
        return ledTo;
    }

    /** The place from which the containers of this one branch off; null if that is not known to be another one. */
    Suspect branching() {
        return branching;
    }

    /** Where places branch off each other in a ring, none would be the outermost: then the one named last is not taken. */
    void branching(Suspect from) {
        for (Suspect above = from; above != null; above = above.branching) {
            if (above == this) {
                branching = null;
                return;
            }
        }
        branching = from;
    }

    /** Whether one of the two is named after the collection's own storage, its array, and the other after what is stored there. */
    boolean sharesStorage(Accumulation other) {
        return accumulation.holder().equals(other.holder()) && accumulation.signature().equals(other.signature())
                && (isArray(accumulation) || isArray(other));
    }

    private static boolean isArray(Accumulation place) {
        return place.ownerClass().endsWith("[]");
    }

    /** The owner is named by the finding with most instances behind it; an array or a JDK class only if nothing better is known. */
    private Accumulation best(Accumulation newest) {
        if (isArray(newest) != isArray(accumulation)) {
            return isArray(newest) ? accumulation : newest;
        }
        boolean newestNamesJdk = newest.ownerClass().startsWith("java.");
        boolean currentNamesJdk = accumulation.ownerClass().startsWith("java.");
        return newestNamesJdk && !currentNamesJdk ? accumulation : newest;
    }

    /** Looks at the container if it is time. */
    void follow(long nowNanos, long intervalNanos) {
        if (probe == null || probed && nowNanos - lastProbeNanos < intervalNanos) {
            return;
        }
        probed = true;
        lastProbeNanos = nowNanos;
        long elements = probe.elements();
        uncounted = elements == GrowthProbe.UNKNOWN;
        if (elements >= 0) {
            lost = 0;
            boolean reported = state != null && state != LeakState.RESOLVED;
            if (height.saw(nowNanos, elements) && !reported) {
                followAnew(); // what comes now is another rise, and what was kept then is gone
            }
            series.add(nowNanos, elements);
        } else if (!uncounted && (outer != null || ++lost >= MAX_LOST)) {
            probe = null; // the path is gone; the next search brings another
        }
    }

    /** Whether the container is no longer there, as far as is known. */
    boolean gone() {
        return probe == null;
    }

    String holder() {
        return accumulation.holder();
    }

    /** Whether the container is too large for its elements to be counted. */
    boolean uncounted() {
        return uncounted;
    }

    /** Nanoseconds over which searches found nearly everything in place, the oldest cohort and ever newer ones; 0 if that happened once or never. */
    long keptNanos() {
        return firstKept == null || lastKept.newestEpoch <= firstKept.newestEpoch ? 0 : lastKept.nanos - firstKept.nanos;
    }

    /** Forgets what was seen so far: a verdict that was wrong needs evidence of its own the next time. */
    void followAnew() {
        series = new GrowthSeries();
        firstKept = null;
        lastKept = null;
    }

    /** Whether nothing but that it grew accuses this place: no sampled instance led here, or only some of one cohort. */
    boolean weaklyAccused() {
        return candidates.values().stream().allMatch(candidate -> switch (candidate.trend().evidence()) {
            case GROWTH -> true;
            case TREND, COHORTS -> !reachedSeveralCohorts(candidate.id());
            case WATCHED -> false;
        });
    }

    private boolean reachedSeveralCohorts(long candidateId) {
        SearchFinding finding = findings.get(candidateId);
        return finding != null && finding.severalCohorts();
    }

    /**
     * The rate, in elements an hour, at which walks saw the place grow of late, before it was followed; 0 if none did. Older ones do not count: what was once
     * filled in a hurry may leak slowly afterwards.
     */
    double growthPerHour() {
        return candidates.values().stream().filter(candidate -> candidate.trend().evidence() == CandidateTrend.Evidence.GROWTH)
                .mapToDouble(candidate -> candidate.trend().growth()).reduce((older, newer) -> newer).orElse(0);
    }

    /** Whether it is larger, or has grown for longer, than before it was last emptied. */
    boolean beyondFormerHeight(long nowNanos) {
        return height.surpassedBy(nowNanos, series.last());
    }

    /**
     * How long it takes, at the present rate, until the container is as full as it says it will ever be; {@link Long#MAX_VALUE} if it says nothing or is beyond
     * that, or grows too slowly to tell.
     */
    long nanosUntilFull() {
        long elements = series.last();
        long bound = bound();
        double perNano = series.perHour() / HOUR_NANOS;
        return bound == GrowthProbe.UNBOUNDED || perNano <= 0 ? Long.MAX_VALUE : (long) (Math.max(0, bound - elements) / perNano);
    }

    /** Whether it holds half of what it says it will ever hold. */
    boolean halfFull() {
        long bound = bound();
        return bound != GrowthProbe.UNBOUNDED && series.last() >= bound - series.last();
    }

    /** Bytes of its elements when it is full, without what hangs below the sampled objects; {@link Long#MAX_VALUE} if it does not say when that is. */
    long bytesWhenFull() {
        long bound = bound();
        return bound == GrowthProbe.UNBOUNDED ? Long.MAX_VALUE : (long) (bound * bytesPerElement());
    }

    private long bound() {
        return probe == null || series.last() < 0 ? GrowthProbe.UNBOUNDED : probe.bound();
    }

    boolean explains(long candidateId) {
        return findings.containsKey(candidateId);
    }

    GrowthSeries series() {
        return series;
    }

    LeakState state() {
        return state;
    }

    void state(LeakState next) {
        state = next;
    }

    long reportedNanos() {
        return reportedNanos;
    }

    void reported(long nowNanos) {
        reportedNanos = nowNanos;
    }

    /** Whether old and new cohorts were strongly reachable in one search. */
    boolean cohortsConfirmed() {
        return findings.values().stream().anyMatch(f -> f.severalCohorts() && f.oldestReached() && f.newestReached());
    }

    /**
     * Since when the container has lost nothing, in nanoseconds up to now: a search found nearly all instances it sought, of several cohorts, still in
     * place, which is as good as having followed it since the oldest of them was put there. 0 if no search did.
     */
    long keptFor(long nowNanos) {
        return lastKept == null ? 0 : nowNanos - lastKept.oldestNanos;
    }

    private static boolean keepsAll(SearchFinding f) {
        return f.sought() >= MIN_KEPT && f.reached() >= MIN_KEPT_SHARE * f.sought() && f.severalCohorts() && f.oldestReached() && f.newestReached();
    }

    String fingerprint() {
        return LeakFingerprint.of(accumulation);
    }

    Leak toLeak() {
        LeakCandidate strongest = candidates.values().stream().max(STRONGEST).orElseThrow();
        List<String> sampled = candidates.values().stream().map(LeakCandidate::className).distinct().toList();
        double perHour = Math.max(0, series.perHour());
        Leak.Growth growth = new Leak.Growth(accumulation.holder(), accumulation.containerClass(), series.last(), series.gained(), perHour,
                accumulation.share(), accumulation.timeField());
        List<ReferenceChain> chains = chains();
        return new Leak(fingerprint(), accumulation.ownerClass(), state, chains.isEmpty() ? SearchFinding.UNREACHED : SearchFinding.CHAIN, sampled,
                strongest.trend(), live(perHour), growth, allocation(), chains, LeakHints.of(accumulation, chains));
    }

    private LiveEstimate live(double perHour) {
        int tracked = 0;
        double relativeError = 0;
        for (LiveEstimate live : liveByClass()) {
            tracked += live.tracked();
            if (live.estimatedInstances() > 0) {
                relativeError = Math.max(relativeError, live.relativeError()); // NaN stays: what is unknown of one is unknown of the sum
            }
        }
        double bytesPerElement = bytesPerElement();
        long elements = Math.max(0, series.last());
        return new LiveEstimate(tracked, elements, (long) (elements * bytesPerElement), (long) (perHour * bytesPerElement),
                bytesPerElement > 0 ? relativeError : Double.NaN);
    }

    private double bytesPerElement() {
        return liveByClass().stream().filter(live -> live.estimatedInstances() > 0)
                .mapToDouble(live -> (double) live.estimatedBytes() / live.estimatedInstances()).sum();
    }

    private Collection<LiveEstimate> liveByClass() {
        Map<String, LiveEstimate> byClass = new LinkedHashMap<>();
        for (LeakCandidate candidate : candidates.values()) {
            byClass.put(candidate.className(), candidate.live()); // a class may have been a candidate before, under another number
        }
        return byClass.values();
    }

    /** Sites of the owner's own instances first, then the others', each candidate's most frequent first. */
    private List<AllocationEvidence> allocation() {
        Map<String, AllocationEvidence> bySite = new LinkedHashMap<>();
        List<LeakCandidate> ownerFirst = new ArrayList<>(candidates.values());
        ownerFirst.sort(Comparator.comparing(c -> !c.className().equals(accumulation.ownerClass())));
        for (LeakCandidate candidate : ownerFirst) {
            for (AllocationEvidence evidence : candidate.allocation()) {
                bySite.merge(evidence.site(), evidence, (a, b) -> a.tracked() >= b.tracked() ? a : b);
            }
        }
        return bySite.values().stream().limit(MAX_SITES).toList();
    }

    /** One chain a signature, those that end at the owner or lead through it first, then by instances. */
    private List<ReferenceChain> chains() {
        Map<String, ReferenceChain> bySignature = new LinkedHashMap<>();
        for (SearchFinding finding : findings.values()) {
            for (ReferenceChain chain : finding.chains()) {
                bySignature.merge(chain.signature(), chain, (a, b) -> a.instances() >= b.instances() ? a : b);
            }
        }
        List<ReferenceChain> chains = new ArrayList<>(bySignature.values());
        String owner = accumulation.ownerClass();
        chains.sort(Comparator.comparing((ReferenceChain c) -> !leadsThrough(c, owner))
                .thenComparing(Comparator.comparingInt(ReferenceChain::instances).reversed())
                .thenComparing(ReferenceChain::totalHops));
        return chains.size() > MAX_CHAINS ? List.copyOf(chains.subList(0, MAX_CHAINS)) : chains;
    }

    private static boolean leadsThrough(ReferenceChain chain, String owner) {
        return chain.edges().stream().anyMatch(e -> e.target().equals(owner));
    }

    @Override
    public String toString() {
        return accumulation.holder() + " of " + accumulation.ownerClass() + " " + series + (state == null ? "" : " " + state);
    }
}
