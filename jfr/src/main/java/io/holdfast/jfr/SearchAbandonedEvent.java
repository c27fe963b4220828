package io.holdfast.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

@Name("holdfast.SearchAbandoned")
@Label("Search Abandoned")
@Description("A search for reference chains that was given up; written once")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class SearchAbandonedEvent extends SearchEndedEvent {
    @Label("Reason")
    @Description("frontier_cap, ttl, no_progress, candidates_stuck or root_enum_error")
    String reason;

    static SearchAbandonedEvent of(EndedSearch ended, String settings, Texts texts) {
        SearchAbandonedEvent event = new SearchAbandonedEvent();
        event.fill(ended, settings, texts);
        event.reason = texts.of(ended.summary().reason().word());
        return event;
    }
}
