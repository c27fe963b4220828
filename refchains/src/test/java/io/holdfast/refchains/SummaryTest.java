package io.holdfast.refchains;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.PassLimits;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrustedLookup;
import io.holdfast.core.StackLocals;
import io.holdfast.refchains.test.Registry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The summary is asked for while the search is in the middle of something: by its own clock, as another thread may at any moment. */
class SummaryTest {
    private final List<SearchSummary> seen = new ArrayList<>();
    private IncrementalChainSearch search;
    private boolean asks;

    @AfterEach
    void empty() {
        Registry.active = null;
    }

    private final class AskingTicker implements Ticker {
        private long nanos;

        private void ask() {
            if (asks) {
                seen.add(search.summary());
            }
        }

        @Override
        public long nanos() {
            ask();
            return ++nanos;
        }

        @Override
        public Instant now() {
            ask();
            return Instant.EPOCH.plusNanos(nanos);
        }
    }

    @Test
    void isWholeWheneverItIsAskedFor() {
        Counters counters = new Counters();
        Ticker ticker = new AskingTicker();
        HeapReader reader = HeapAccess.open(TrustedLookup.fromUnsafe(), Optional.empty(), counters).reader();
        search = new IncrementalChainSearch(reader, FixedRoots.of(Registry.class), SearchSettings.defaults(0), ticker, counters, () -> 0, StackLocals.NONE, WalkObserver.NONE);
        Registry.active = new ArrayList<>(List.of(new ArrayList<>(), new ArrayList<>()));
        asks = true;
        for (int i = 0; i < 3; i++) {
            search.restart(i);
            while (search.state() == SearchState.RUNNING) {
                search.runPass(new PassLimits(1, 1, 1_000, true, false));
            }
            search.release();
        }
        asks = false;
        assertThat(seen.get(0)).as("in the middle of the first start there is none yet").isNull();
        List<SearchSummary> later = seen.stream().filter(s -> s != null).toList();
        assertThat(later).isNotEmpty().allSatisfy(s -> {
            assertThat(s.startedAt()).isNotNull();
            // Of one search and one moment: the numbers of the last one do not show under the number of the next.
            assertThat(s.visited() > 0).isEqualTo(s.passes() > 0);
        });
        assertThat(later).extracting(SearchSummary::id).isSorted().contains(1L, 2L, 3L);
        assertThat(search.summary().state()).isEqualTo(SearchState.COMPLETED);
    }
}
