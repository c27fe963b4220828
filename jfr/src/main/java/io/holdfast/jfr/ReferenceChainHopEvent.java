package io.holdfast.jfr;

import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;

@Name("holdfast.ReferenceChainHop")
@Label("Reference Chain Hop")
@Description("One reference of a holdfast.ReferenceChain, for tools; written again into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class ReferenceChainHopEvent extends Event {
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
    int chain;

    @Label("Index")
    @Description("Position in the chain; 0 leaves the root")
    int index;

    @Label("Holder Class")
    @Description("Run-time class of the referring object")
    String holderClass;

    @Label("Declaring Class")
    @Description("Class that declares the field; none for array elements")
    String declaringClass;

    @Label("Edge Kind")
    String edgeKind;

    @Label("Field")
    String field;

    @Label("Array Index")
    @Description("-1 = no element of an array")
    int arrayIndex;

    @Label("Local")
    @Description("Name of the local variable, or of the field that holds the thread-local")
    String local;

    @Label("Target Class")
    String targetClass;

    @Label("Suspect")
    @Description("Whether this is the field behind which the population grows")
    boolean suspect;

    @Label("Container Size")
    @Description("Elements behind the suspect field at the last look, -1 when unknown or not suspect")
    long containerSize;

    @Label("Total Hops")
    int totalHops;

    static ReferenceChainHopEvent of(Leak leak, int chain, int index, Hop hop, int totalHops, Texts texts) {
        ReferenceChainHopEvent event = new ReferenceChainHopEvent();
        event.leakId = texts.of(leak.id());
        event.chain = chain;
        event.index = index;
        event.holderClass = texts.name(hop.holder());
        event.declaringClass = texts.name(hop.declaringClass());
        event.edgeKind = texts.of(hop.kind().word());
        event.field = texts.name(hop.field());
        event.arrayIndex = hop.index();
        event.local = texts.name(hop.local());
        event.targetClass = texts.name(hop.target());
        event.suspect = leak.growth() != null && leak.growth().holder().equals(hop.declaringClass() + "#" + hop.field());
        event.containerSize = event.suspect ? leak.growth().elements() : -1;
        event.totalHops = totalHops;
        return event;
    }
}
