package io.holdfast.jfr;

import io.holdfast.core.LiveSample;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timestamp;
import jdk.jfr.Unsigned;

@Name("holdfast.LiveObject")
@Label("Live Object")
@Description("A sampled object that is alive, written again into every chunk until it dies; at most 1024 in a chunk")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class LiveObjectEvent extends Event {
    @Label("Sample")
    @Description("Number of the sample, never reused in one run")
    @Unsigned
    long sample;

    @Label("Sequence")
    long sequence;

    @Label("Object Class")
    Class<?> objectClass;

    @Label("Object Class Name")
    @Description("As reports write it; also when the class itself is no longer there")
    String className;

    @Label("Allocation Time")
    @Description("The event itself is written at the end of the chunk")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long allocationTime;

    @Label("Age")
    @Description("Collections survived")
    @Unsigned
    long age;

    @Label("Object Size")
    @Description("Of the object itself, 0 = unknown")
    @DataAmount
    long size;

    @Label("Sample Weight")
    @Description("Samples it stands for: itself and those left out before it")
    int weight;

    @Label("Allocating Thread Id")
    @Description("Java thread id")
    long threadId;

    @Label("Allocating Thread")
    @Description("Name at the allocation; the thread may have ended")
    String threadName;

    @Label("Allocated At")
    String allocationSite;

    @StackId
    @Label("Allocation Stack Id")
    @Description("See holdfast.AllocationStack; 0 = the stack was not kept")
    long stackId;

    static LiveObjectEvent of(LiveSample sample, long epoch, StackText stack, Texts texts) {
        LiveObjectEvent event = new LiveObjectEvent();
        event.sample = sample.sequence();
        event.objectClass = sample.type().get();
        event.className = texts.name(sample.className());
        event.allocationTime = sample.allocatedAt().toEpochMilli();
        event.age = Math.max(0, epoch - sample.allocationEpoch());
        event.size = sample.size();
        event.weight = sample.weight();
        event.threadId = sample.threadId();
        event.threadName = texts.name(sample.threadName());
        event.allocationSite = texts.name(sample.site());
        event.stackId = stack.id();
        return event;
    }
}
