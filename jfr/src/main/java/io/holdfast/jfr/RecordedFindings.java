package io.holdfast.jfr;

import io.holdfast.core.Leak;
import io.holdfast.core.SearchSummary;
import java.time.Instant;
import java.util.List;

/**
 * What a recording says about leaks: the newest state in it. Times are to the millisecond.
 *
 * @param asOf     when that was the state
 * @param status   the run of Holdfast that wrote it
 * @param leaks    leaks, worst first
 * @param searches searches of that run whose end is in the recording, oldest first, at most 16
 * @param gaps     what is missing in the recording, one sentence each; empty when it is complete
 */
public record RecordedFindings(Instant asOf, RunStatus status, List<Leak> leaks, List<SearchSummary> searches, List<String> gaps) {
    public RecordedFindings {
        leaks = List.copyOf(leaks);
        searches = List.copyOf(searches);
        gaps = List.copyOf(gaps);
    }
}
