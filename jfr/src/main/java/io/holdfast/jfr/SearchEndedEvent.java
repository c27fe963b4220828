package io.holdfast.jfr;

import io.holdfast.core.SearchSummary;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Timespan;
import jdk.jfr.Timestamp;

/** What the two events of an ended search have in common; no event type of its own. */
abstract class SearchEndedEvent extends Event {
    @SearchId
    @Label("Search")
    @Description("Number of the search, from 1")
    long searchId;

    @Label("Sequence")
    long sequence;

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

    final void fill(EndedSearch ended, String inForce, Texts texts) {
        SearchSummary summary = ended.summary();
        searchId = summary.id();
        startedAt = summary.startedAt().toEpochMilli();
        endedAt = ended.endedAt().toEpochMilli();
        elapsed = endedAt - startedAt;
        passes = summary.passes();
        visited = summary.visited();
        references = summary.references();
        cpuTime = summary.cpuNanos();
        longestSlice = summary.longestSliceNanos();
        tableBytes = summary.tableBytes();
        settings = texts.of(inForce);
    }
}
