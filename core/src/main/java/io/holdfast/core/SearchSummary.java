package io.holdfast.core;

import java.time.Instant;

/**
 * One search in figures.
 *
 * @param id                 number of the search, from 1
 * @param state              its state
 * @param reason             why it was abandoned, or {@link AbandonReason#NONE}
 * @param passes             passes run
 * @param visited            objects admitted
 * @param references         references read
 * @param startedAt          when it started
 * @param cpuNanos           CPU time of its passes
 * @param longestSliceNanos  longest uninterrupted slice
 * @param tableBytes         bytes of its tables
 */
public record SearchSummary(long id, SearchState state, AbandonReason reason, int passes, long visited, long references, Instant startedAt,
                            long cpuNanos, long longestSliceNanos, long tableBytes) { }
