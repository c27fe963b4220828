package io.holdfast.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.Registered;
import jdk.jfr.StackTrace;

@Name("holdfast.SearchCompleted")
@Label("Search Completed")
@Description("A search for reference chains that came to its end; written once")
@Category({"Holdfast", "Leak"})
@StackTrace(false)
@Registered(false)
@Period("endChunk")
final class SearchCompletedEvent extends SearchEndedEvent {
    static SearchCompletedEvent of(EndedSearch ended, String settings, Texts texts) {
        SearchCompletedEvent event = new SearchCompletedEvent();
        event.fill(ended, settings, texts);
        return event;
    }
}
