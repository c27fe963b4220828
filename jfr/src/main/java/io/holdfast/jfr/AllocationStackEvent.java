package io.holdfast.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

@Name("holdfast.AllocationStack")
@Label("Allocation Stack")
@Description("A stack that holdfast.LiveObject events of the same chunk name; written once in each such chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
final class AllocationStackEvent extends Event {
    @StackId
    @Label("Stack Id")
    @Description("Equal for equal stacks, in all chunks")
    long stackId;

    @Label("Sequence")
    long sequence;

    @Label("Frames")
    int depth;

    @Label("Stack")
    @Description("One frame a line, innermost first")
    String stack;

    static AllocationStackEvent of(StackText text, Texts texts) {
        AllocationStackEvent event = new AllocationStackEvent();
        event.stackId = text.id();
        event.depth = text.depth();
        event.stack = texts.of(text.text());
        return event;
    }
}
