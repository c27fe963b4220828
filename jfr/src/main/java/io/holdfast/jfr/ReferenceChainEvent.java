package io.holdfast.jfr;

import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Percentage;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;

@Name("holdfast.ReferenceChain")
@Label("Reference Chain")
@Description("References that lead from a GC root to a leaking object, written again into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class ReferenceChainEvent extends Event {
    @LeakId
    @Label("Leak Id")
    String leakId;

    @Label("As Of")
    @Description("Names one state of knowledge: events with this value belong together")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long asOf;

    @Label("Sequence")
    long sequence;

    @Label("Chain")
    @Description("Number of the chain within its leak, most instances first")
    int chain;

    @Label("Root Kind")
    String rootKind;

    @Label("Root")
    String root;

    @Label("Root Thread")
    String rootThread;

    @Label("Target Class")
    String targetClass;

    @Label("Hops")
    @Description("Hops in the trace and in holdfast.ReferenceChainHop")
    int hops;

    @Label("Total Hops")
    @Description("Length before anything was left out")
    int totalHops;

    @Label("Truncated")
    @Description("Whether hops in the middle were left out")
    boolean truncated;

    @Label("Instances")
    int instances;

    @Label("Share")
    @Percentage
    double share;

    @Label("Validated")
    @Description("When every hop was last read again")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long validatedAt;

    @Label("Signature")
    String signature;

    @Label("Trace")
    @Description("The chain from its root, one line a hop")
    String trace;

    static ReferenceChainEvent of(Leak leak, int number, ReferenceChain chain, ChainText text, Texts texts) {
        ReferenceChainEvent event = new ReferenceChainEvent();
        event.leakId = texts.of(leak.id());
        event.chain = number;
        event.rootKind = texts.of(chain.root().kind().word());
        event.root = texts.name(chain.root().label());
        event.rootThread = texts.name(chain.root().thread());
        event.targetClass = texts.name(chain.leafClass());
        event.hops = text.hops();
        event.totalHops = Math.max(chain.totalHops(), chain.edges().size());
        event.truncated = chain.truncated() || text.hops() < chain.edges().size();
        event.instances = chain.instances();
        event.share = chain.share();
        event.validatedAt = chain.validatedAt().toEpochMilli();
        event.signature = texts.of(text.signature());
        event.trace = texts.of(text.trace());
        return event;
    }
}
