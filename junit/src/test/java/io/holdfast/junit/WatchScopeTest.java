package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchScopeTest {
    private final WatchScope scope = new WatchScope(1L, List.of(StringBuilder.class));

    @Test
    void followsOnWhenWhatFilledItHasDied() {
        WeakReference<Object> last = new WeakReference<>(fill());
        ForcedCollections forced = new ForcedCollections(Collector.ofThisJvm(), io.holdfast.core.Ticker.system(), () -> { });
        assertThat(forced.disprove(() -> last.refersTo(null), 0)).isEqualTo(ForcedCollections.Verdict.GONE);
        List<Object> kept = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            kept.add(new StringBuilder());
            scope.made(kept.get(i), 1L);
        }
        assertThat(scope.own()).anyMatch(reference -> reference.refersTo(kept.get(kept.size() - 1)));
        assertThat(scope.dropped()).isPositive();
    }

    /** As many as it follows and a few more, all alive until it returns. */
    private Object fill() {
        List<Object> many = new ArrayList<>();
        for (int i = 0; i < WatchScope.MAX_INSTANCES + 10; i++) {
            many.add(new StringBuilder(0));
            scope.made(many.get(i), 1L);
        }
        assertThat(scope.dropped()).isEqualTo(10);
        return many.get(0);
    }
}
