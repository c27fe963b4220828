package io.holdfast.jfr;

import io.holdfast.core.AllocationEvidence;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Leak;
import io.holdfast.core.LiveEstimate;
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

    @Label("Sequence")
    @Description("Order in which Holdfast wrote its events; a copy in a later chunk has a higher number")
    long sequence;

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
    String allocationSite;

    @Label("Allocating Threads")
    String allocationThreads;

    @Label("Allocation Stack")
    String allocationStack;

    @Label("Chains")
    @Description("Reference chains found, see holdfast.ReferenceChain")
    int chains;

    @Label("Hints")
    String hints;

    @Label("Trace")
    @Description("The leak as text")
    String trace;

    static LeakCandidateEvent of(Leak leak, String trace) {
        LeakCandidateEvent event = new LeakCandidateEvent();
        event.leakId = leak.id();
        event.owner = EventText.name(leak.className());
        event.sampledClasses = EventText.joined(", ", leak.sampledClasses());
        event.verdict = leak.state().word();
        event.outcome = leak.outcome();
        event.chains = leak.chains().size();
        event.hints = EventText.joined("\n", leak.hints());
        event.trace = trace;
        event.elements = -1;
        Leak.Growth growth = leak.growth();
        if (growth != null) {
            event.holder = EventText.name(growth.holder());
            event.containerClass = EventText.name(growth.containerClass());
            event.share = growth.share();
            event.elements = growth.elements();
            event.elementsGrowth = growth.elementsGrowth();
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
            event.distinctAges = EventText.joined(" ", trend.distinctAges());
            event.folds = trend.folds();
            event.firstSeen = trend.firstSeen() == null ? 0 : trend.firstSeen().toEpochMilli();
        }
        if (!leak.allocation().isEmpty()) {
            AllocationEvidence evidence = leak.allocation().get(0);
            event.allocationSite = EventText.name(evidence.site());
            event.allocationThreads = EventText.joined(", ", evidence.threads());
            event.allocationStack = EventText.joined("\n", evidence.stack());
        }
        return event;
    }
}
