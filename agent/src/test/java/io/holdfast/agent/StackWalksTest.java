package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.LiveVariables;
import io.holdfast.core.Counters;
import io.holdfast.core.StackLocal;
import io.holdfast.core.StackLocals;
import io.holdfast.core.TrustedLookup;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** From the request to the confirmed local, on a virtual clock. */
class StackWalksTest {
    private final VirtualTicker ticker = new VirtualTicker();
    private final Counters counters = new Counters();
    private final StackWalks walks = StackWalks.open(TrustedLookup.fromUnsafe().orElseThrow(), ticker, counters);
    private final long self = Thread.currentThread().getId();

    private void hit() {
        walks.requests().hit(self, "main");
    }

    @Test
    void nobodyLooksUnlessWanted() {
        hit();
        walks.want(Set.of(self));
        walks.want(Set.of());
        hit();
        assertThat(counters.get(StackWalks.LOOKS)).isZero();
    }

    private static Set<Long> others(int count) {
        return LongStream.rangeClosed(1, count).map(i -> -i).boxed().collect(Collectors.toSet());
    }

    @Test
    void othersThatComeByLookAsLongAsThereArePlaces() {
        walks.want(others(StackLocals.MAX_THREADS - 1));
        walks.requests().hit(1_000, "one that holds what others make");
        walks.requests().hit(1_001, "too late");
        assertThat(counters.get(StackWalks.LOOKS)).isOne();
        walks.want(others(StackLocals.MAX_THREADS));
        ticker.advance(1);
        walks.requests().hit(1_000, "its place is taken");
        assertThat(counters.get(StackWalks.LOOKS)).isOne();
        walks.requests().hit(StackWalks.mainThread(TrustedLookup.fromUnsafe().orElseThrow()), "main always has one");
        assertThat(counters.get(StackWalks.LOOKS)).isEqualTo(2);
    }

    @Test
    void thatManyAreAskedAgainByNameTakesNobodysPlaceOrPace() {
        walks.want(Set.of(-1L));
        walks.requests().hit(1_000, "came by");
        walks.want(Set.of(-2L));
        walks.requests().hit(1_000, "has just looked");
        assertThat(counters.get(StackWalks.LOOKS)).isOne();
    }

    @Test
    void mainIsTheThreadThatRunsMain() {
        Thread main = Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().equals("main")).findFirst().orElseThrow();
        assertThat(StackWalks.mainThread(TrustedLookup.fromUnsafe().orElseThrow())).isEqualTo(main.getId());
    }

    @Test
    void whoCameByLongAgoLosesItsPlace() {
        walks.want(others(1));
        for (int i = 1; i < StackLocals.MAX_THREADS; i++) {
            walks.requests().hit(1_000 + i, "of a request");
        }
        walks.requests().hit(2_000, "no place");
        assertThat(counters.get(StackWalks.LOOKS)).isEqualTo(StackLocals.MAX_THREADS - 1);
        ticker.advance(60);
        walks.want(others(2));
        walks.requests().hit(2_000, "a place");
        assertThat(counters.get(StackWalks.LOOKS)).isEqualTo(StackLocals.MAX_THREADS);
    }

    @Test
    void othersHaveThreeSecondsToComeBy() {
        walks.want(Set.of(self));
        for (int i = 0; i < 3; i++) {
            hit();
            assertThat(walks.settled()).isFalse();
            ticker.advance(1);
        }
        assertThat(walks.settled()).isTrue();
    }

    @Test
    void aThreadLooksAtMostTwiceASecond() {
        walks.want(Set.of(self));
        for (int i = 0; i < 1_000; i++) {
            hit();
            ticker.advance(0.01);
        }
        assertThat(counters.get(StackWalks.LOOKS)).isBetween(19L, 20L);
    }

    @Test
    void askingForTheSameThreadAgainDoesNotMakeItLookMoreOften() {
        for (int i = 0; i < 100; i++) {
            walks.want(Set.of(self, (long) -i));
            hit();
        }
        assertThat(counters.get(StackWalks.LOOKS)).isOne();
    }

    @Test
    void settledWhenEachHasLookedTwiceOrAfterTenSeconds() {
        assertThat(walks.settled()).isTrue();
        walks.want(Set.of(self, -1L));
        LiveVariables.run(this::hit);
        assertThat(walks.settled()).isFalse();
        ticker.advance(1);
        LiveVariables.run(this::hit);
        assertThat(walks.settled()).as("the other thread has not looked").isFalse();
        walks.want(Set.of(self));
        assertThat(walks.settled()).as("others have not had the time to come by").isFalse();
        ticker.advance(2);
        assertThat(walks.settled()).isTrue();
        walks.want(Set.of(self, -2L));
        assertThat(walks.settled()).isFalse();
        ticker.advance(10);
        assertThat(walks.settled()).isTrue();
    }

    @Test
    void aLocalOfARunningMethodIsConfirmedByItsName() {
        walks.want(Set.of(self));
        int[] calls = new int[1];
        LiveVariables.run(() -> {
            if (++calls[0] == 2) {
                for (int i = 0; i < 2; i++) {
                    ticker.advance(1);
                    hit();
                    walks.settled();
                }
                List<StackLocal> confirmed = walks.confirmed();
                assertThat(confirmed).anySatisfy(local -> {
                    assertThat(local.variable()).isEqualTo("leak");
                    assertThat(local.className()).isEqualTo(LiveVariables.class.getName());
                    assertThat(local.frame()).startsWith(LiveVariables.class.getName() + ".run(LiveVariables.java:");
                    assertThat(local.object()).isInstanceOf(List.class);
                });
            }
        });
        assertThat(calls[0]).isEqualTo(2);
    }

    @Test
    void looksOfALongSearchAreTakenInWheneverTheThreadsAreWantedAgain() {
        LiveVariables.run(() -> {
            for (int i = 0; i < 6; i++) {
                walks.want(Set.of(self));
                hit();
                ticker.advance(3);
            }
            assertThat(walks.settled()).isTrue();
            assertThat(walks.confirmed()).isNotEmpty();
        });
    }

    @Test
    void aLookTakenMeanwhileKeepsALocalCurrent() {
        walks.want(Set.of(self));
        LiveVariables.run(() -> {
            for (int i = 0; i < 2; i++) {
                ticker.advance(1);
                hit();
                walks.settled();
            }
            StackLocal local = walks.confirmed().get(0);
            ticker.advance(9);
            hit();
            ticker.advance(9);
            assertThat(local.current()).isTrue();
            ticker.advance(9);
            assertThat(local.current()).isFalse();
        });
    }

    @Test
    void aFaultSwitchesLookingOffAndNothingEscapes() {
        LiveFrames broken = LiveFrames.open(TrustedLookup.fromUnsafe().orElseThrow(), type -> {
            throw new IllegalStateException("broken");
        });
        StackRequests requests = new StackRequests(broken, 1, ticker, counters.counter("looks"), counters.counter("nanos"), counters.counter("faults"));
        StackWalks failing = new StackWalks(requests, new VariableNames(type -> null, counters), ticker, counters);
        failing.want(Set.of(self));
        requests.hit(self, "main");
        assertThat(failing.settled()).isTrue();
        ticker.advance(1);
        failing.want(Set.of(self, -1L));
        requests.hit(self, "main");
        assertThat(counters.get("faults")).isOne();
        assertThat(failing.confirmed()).isEmpty();
    }
}
