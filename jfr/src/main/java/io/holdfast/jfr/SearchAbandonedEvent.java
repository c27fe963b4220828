package io.holdfast.jfr;

import io.holdfast.core.SearchSummary;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

@Name("holdfast.SearchAbandoned")
@Label("Search Abandoned")
@Description("A search for reference chains that was given up; written once")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class SearchAbandonedEvent extends Event {
    @Label("Search")
    @Description("Number of the search, from 1")
    long searchId;

    @Label("Sequence")
    long sequence;

    @Label("Reason")
    @Description("frontier_cap, ttl, no_progress, candidates_stuck or root_enum_error")
    String reason;

    @Label("Started")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long startedAt;

    @Label("Ended")
    @Description("The event itself is written at the end of the chunk")
    @Timestamp(Timestamp.MILLISECONDS_SINCE_EPOCH)
    long endedAt;

    @Label("Elapsed")
    @Timespan(Timespan.MILLISECONDS)
    long elapsed;

    @Label("Passes")
    int passes;

    @Label("Objects")
    @Description("Objects admitted to the search's table")
    long visited;

    @Label("References")
    @Description("References read")
    long references;

    @Label("CPU Time")
    @Timespan(Timespan.NANOSECONDS)
    long cpuTime;

    @Label("Longest Slice")
    @Timespan(Timespan.NANOSECONDS)
    long longestSlice;

    @Label("Table Size")
    @DataAmount
    long tableBytes;

    @Label("Settings")
    String settings;

    static SearchAbandonedEvent of(EndedSearch ended, String settings) {
        SearchSummary summary = ended.summary();
        SearchAbandonedEvent event = new SearchAbandonedEvent();
        event.searchId = summary.id();
        event.reason = summary.reason().word();
        event.startedAt = summary.startedAt().toEpochMilli();
        event.endedAt = ended.endedAt().toEpochMilli();
        event.elapsed = event.endedAt - event.startedAt;
        event.passes = summary.passes();
        event.visited = summary.visited();
        event.references = summary.references();
        event.cpuTime = summary.cpuNanos();
        event.longestSlice = summary.longestSliceNanos();
        event.tableBytes = summary.tableBytes();
        event.settings = settings;
        return event;
    }
}
