package io.holdfast.jfr;

import io.holdfast.core.SearchSummary;
import java.time.Instant;

/** A search and when it ended. */
record EndedSearch(SearchSummary summary, Instant endedAt) { }
