package io.holdfast.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

@Name("holdfast.SearchPass")
@Label("Search Pass")
@Description("One pass of a search for reference chains and what it cost")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
final class SearchPassEvent extends Event {
    @Label("Search")
    long searchId;

    @Label("Sequence")
    long sequence;

    @Label("Pass")
    int pass;

    @Label("Root Enumeration")
    boolean rootEnumeration;

    @Label("Truncated")
    @Description("Whether a budget or deadline cut the pass short")
    boolean truncated;

    @Label("Walk Time")
    @Description("Wall time inside walker slices")
    @Timespan(Timespan.NANOSECONDS)
    long walkTime;

    @Label("CPU Time")
    @Timespan(Timespan.NANOSECONDS)
    long cpuTime;

    @Label("Stopped Time")
    @Description("Wall time of calls that stop application threads")
    @Timespan(Timespan.NANOSECONDS)
    long stoppedTime;

    @Label("Longest Slice")
    @Timespan(Timespan.NANOSECONDS)
    long longestSlice;

    @Label("Objects Admitted")
    long admitted;

    @Label("References Read")
    long references;

    @Label("Objects in Table")
    long visited;

    @Label("Table Size")
    @DataAmount
    long tableBytes;
}
