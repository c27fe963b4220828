package io.holdfast.jfr;

import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveEstimate;
import io.holdfast.core.ReferenceChain;
import java.util.Locale;
import java.util.stream.Collectors;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;

@Name("holdfast.LeakCandidate")
@Label("Leak")
@Description("A leak known to Holdfast, written again into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class LeakCandidateEvent extends Event {
    @LeakId
    @Label("Leak Id")
    @Description("Equal for the same leak in every run, JDK and collector")
    String leakId;

    @Label("As Of")
    @Description("Names one state of knowledge: events with this value belong together")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long asOf;

    @Label("Sequence")
    @Description("Order in which Holdfast wrote its events; a copy in a later chunk has a higher number")
    long sequence;

    @Label("Rank")
    @Description("Place among the leaks known, 0 = the worst")
    int rank;

    @Label("Owner")
    @Description("Class of the elements that pile up")
    String owner;

    @Label("Sampled Classes")
    String sampledClasses;

    @Label("Held By")
    @Description("Field behind which the population grows")
    String holder;

    @Label("Container Class")
    String containerClass;

    @Label("Verdict")
    String verdict;

    @Label("Outcome")
    @Description("chain, unreached, searching, or why the search ended without a chain")
    String outcome;

    @Label("Confidence")
    @Description("Share of the sought instances that chains which were read again lead to")
    @Percentage
    double confidence;

    @Label("Share")
    @Description("Share of the sought instances below the holder")
    @Percentage
    double share;

    @Label("Growth per Hour")
    @DataAmount
    long growthPerHour;

    @Label("Survivors")
    @Description("Tracked instances alive")
    int survivors;

    @Label("Estimated Instances")
    long estimatedInstances;

    @Label("Estimated Size")
    @DataAmount
    long estimatedBytes;

    @Label("Elements")
    @Description("Elements of the container at the last look, -1 when unknown")
    long elements;

    @Label("Elements Gained")
    long elementsGrowth;

    @Label("Elements per Hour")
    double elementsPerHour;

    @Label("Evidence")
    @Description("Rule that suspected it: trend, cohorts or watched")
    String evidence;

    @Label("Trend Growth")
    @Description("Fitted growth of the number of distinct ages over the window")
    double trendGrowth;

    @Label("Distinct Ages")
    @Description("Distinct ages among surviving instances, one value a fold, oldest first")
    String distinctAges;

    @Label("Folds")
    @Description("Folds of the class history so far")
    int folds;

    @Label("First Seen")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long firstSeen;

    @Label("Allocated At")
    @Description("The site with the most instances, see holdfast.LeakAllocation")
    String allocationSite;

    @Label("Allocation Sites")
    int allocationSites;

    @Label("Chains")
    @Description("Reference chains found, see holdfast.ReferenceChain")
    int chains;

    @Label("Confirmed")
    @Description("Whether the VM was asked about it, see holdfast.LeakConfirmation")
    boolean confirmed;

    @Label("Hints")
    String hints;

    @Label("Trace")
    @Description("The leak as text")
    String trace;

    static LeakCandidateEvent of(Leak leak, int rank, String trace, Texts texts) {
        LeakCandidateEvent event = new LeakCandidateEvent();
        event.leakId = texts.of(leak.id());
        event.rank = rank;
        event.owner = texts.name(leak.className());
        event.sampledClasses = texts.of(TextList.LINE.write(leak.sampledClasses()));
        event.verdict = texts.of(leak.state().word());
        event.outcome = texts.of(leak.outcome());
        event.chains = leak.chains().size();
        event.confirmed = leak.confirmation() != null;
        event.hints = texts.of(TextList.LINES.write(leak.hints()));
        event.trace = texts.of(trace);
        event.confidence = Math.min(1, leak.chains().stream().mapToDouble(ReferenceChain::share).sum());
        event.elements = -1;
        Leak.Growth growth = leak.growth();
        if (growth != null) {
            event.holder = texts.name(growth.holder());
            event.containerClass = texts.name(growth.containerClass());
            event.share = growth.share();
            event.elements = growth.elements();
            event.elementsGrowth = growth.elementsGrowth();
            event.elementsPerHour = growth.elementsPerHour();
        }
        LiveEstimate live = leak.live();
        if (live != null) {
            event.growthPerHour = live.bytesPerHour();
            event.survivors = live.tracked();
            event.estimatedInstances = live.estimatedInstances();
            event.estimatedBytes = live.estimatedBytes();
        }
        CandidateTrend trend = leak.trend();
        if (trend != null) {
            event.evidence = texts.of(trend.evidence().name().toLowerCase(Locale.ROOT));
            event.trendGrowth = trend.growth();
            event.distinctAges = texts.of(trend.distinctAges().stream().map(String::valueOf).collect(Collectors.joining(" ")));
            event.folds = trend.folds();
            event.firstSeen = trend.firstSeen() == null ? 0 : trend.firstSeen().toEpochMilli();
        }
        event.allocationSites = leak.allocation().size();
        event.allocationSite = texts.of(leak.allocation().isEmpty() ? null : EventText.name(leak.allocation().get(0).site()));
        return event;
    }
}
