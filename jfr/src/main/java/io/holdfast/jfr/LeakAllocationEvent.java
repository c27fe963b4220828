package io.holdfast.jfr;

import io.holdfast.core.AllocationEvidence;
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

@Name("holdfast.LeakAllocation")
@Label("Leak Allocation")
@Description("Where instances of a leak are allocated, written again into every chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class LeakAllocationEvent extends Event {
    @LeakId
    @Label("Leak Id")
    String leakId;

    @Label("As Of")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long asOf;

    @Label("Sequence")
    long sequence;

    @Label("Number")
    @Description("Place among the leak's sites, most instances first")
    int number;

    @Label("Allocated At")
    String site;

    @Label("Allocating Threads")
    String threads;

    @Label("Tracked Instances")
    int tracked;

    @Label("Stack")
    @Description("One allocation stack, one frame a line, innermost first")
    String stack;

    static LeakAllocationEvent of(Leak leak, int number, AllocationEvidence evidence, Texts texts) {
        LeakAllocationEvent event = new LeakAllocationEvent();
        event.leakId = texts.of(leak.id());
        event.number = number;
        event.site = texts.name(evidence.site());
        event.threads = texts.of(TextList.LINE.write(evidence.threads()));
        event.tracked = evidence.tracked();
        event.stack = texts.of(TextList.LINES.write(evidence.stack()));
        return event;
    }
}
