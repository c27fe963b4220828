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
    @SearchId
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

    @Label("CPU Remainder")
    @Description("CPU time of the pass beyond its slices")
    @Timespan(Timespan.NANOSECONDS)
    long cpuRemainder;

    @Label("Budget")
    @Description("Objects the pass might newly admit")
    int budget;

    @Label("Slice Target")
    @Description("Slice length aimed at; 0 = no limit")
    @Timespan(Timespan.NANOSECONDS)
    long sliceTarget;

    @Label("Cadence")
    @Description("Time between passes in force before the pass")
    @Timespan(Timespan.NANOSECONDS)
    long cadence;

    @Label("Candidates")
    @Description("Candidates without a chain when the pass began")
    int candidates;

    @Label("Candidates Resolved")
    @Description("How many of them had a chain when it ended, or lost their slot with the end of the search")
    int resolved;

    @Label("Back-off")
    @Description("Back-off after the pass, 1 to 16")
    int backOff;

    @Label("CPU Debt")
    @Description("CPU time not paid off after the pass")
    @Timespan(Timespan.NANOSECONDS)
    long cpuDebt;

    @Label("Ramp")
    @Description("Whether the heap was projected to be exhausted within half an hour")
    boolean ramp;

    @Label("Search State")
    @Description("State of the search after the pass: running, completed or abandoned")
    String state;

    @Label("Reason")
    @Description("Why the search was abandoned, or none")
    String reason;

    @Label("Drops")
    @Description("Everything that Holdfast has had to drop so far: the sum of its counters of that kind")
    long drops;
}
