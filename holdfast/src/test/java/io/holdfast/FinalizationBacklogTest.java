package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Accumulation;
import io.holdfast.core.Counters;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.Leak;
import io.holdfast.core.ReferenceChain;
import io.holdfast.core.RootKind;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.Ticker;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FinalizationBacklogTest {
    private static final long SECOND = 1_000_000_000L;

    private final List<Leak> told = new ArrayList<>();
    private final Counters counters = new Counters();
    private final LeakLedger ledger = new LeakLedger(LedgerSettings.defaults(1L << 30), 0, counters, new CandidateFeedback() {
        @Override
        public void mute(long candidateId) {
            throw new AssertionError("not a candidate of the liveness table: " + candidateId);
        }

        @Override
        public void explained(long candidateId) {
            assertThat(candidateId).isNegative();
        }
    }, told::add, id -> { });
    private long now;
    private long length;
    private final FinalizationBacklog backlog = new FinalizationBacklog(() -> length, this::newest, ledger, new Ticker() {
        @Override
        public long nanos() {
            return now;
        }

        @Override
        public Instant now() {
            return Fixtures.NOON;
        }
    });

    private Optional<SearchFinding> newest() {
        ReferenceChain chain = new ReferenceChain(new GcRoot(RootKind.FINALIZER_QUEUE, "objects waiting for finalisation", null),
                List.of(Hop.field("java.lang.ref.Finalizer", "java.lang.ref.Reference", "referent", "com.acme.Connection")), 1, false, 64, 1, Fixtures.NOON);
        return Optional.of(new SearchFinding(FinalizationBacklog.CANDIDATE, 0, SearchFinding.CHAIN, List.of(chain), 64, 64, 1, 1, true, true,
                new Accumulation("java.lang.ref.Finalizer#queue", "java.lang.ref.ReferenceQueue", "com.acme.Connection", 1, "s", () -> length)));
    }

    private void run(int seconds, long growthPerSecond) {
        for (int s = 0; s < seconds; s++) {
            now += SECOND;
            length = Math.max(0, length + growthPerSecond);
            backlog.follow(now);
            ledger.follow(now);
        }
    }

    @Test
    void aQueueThatGrowsIsALeak() {
        run(60, 100);
        assertThat(told).singleElement().satisfies(leak -> {
            assertThat(leak.className()).isEqualTo("com.acme.Connection");
            assertThat(leak.growth().holder()).isEqualTo("java.lang.ref.Finalizer#queue");
            assertThat(leak.chains().get(0).root().kind()).isEqualTo(RootKind.FINALIZER_QUEUE);
            assertThat(leak.hints()).singleElement().asString().contains("finalizer thread is blocked");
        });
    }

    @Test
    void aShortQueueIsNotLookedInto() {
        length = FinalizationBacklog.LONG - 1;
        run(60, 0);
        assertThat(ledger.suspects()).isZero();
    }

    @Test
    void aLongQueueThatIsWorkedOffIsFollowedAndNotReported() {
        for (int collection = 0; collection < 10; collection++) {
            length = 5_000;
            run(12, -400);
        }
        assertThat(ledger.suspects()).isOne();
        assertThat(told).isEmpty();
    }
}
