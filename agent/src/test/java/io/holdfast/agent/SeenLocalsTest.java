package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;
import io.holdfast.core.StackLocal;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class SeenLocalsTest {
    private final VirtualTicker ticker = new VirtualTicker();
    private final Counters counters = new Counters();
    private final SeenLocals seen = new SeenLocals(ticker, new VariableNames(type -> null, counters), counters, () -> { });

    private static CapturedFrame frame(String method, int depth, Object... objects) {
        int[] slots = new int[objects.length];
        @SuppressWarnings({"unchecked", "rawtypes"})
        WeakReference<Object>[] references = new WeakReference[objects.length];
        for (int i = 0; i < objects.length; i++) {
            slots[i] = i;
            references[i] = new WeakReference<>(objects[i]);
        }
        return new CapturedFrame(new WeakReference<>(SeenLocalsTest.class), new StackTraceElement("com.acme.Main", method, "Main.java", 12), "()V", 3, depth,
                slots, references);
    }

    private void look(CapturedFrame... frames) {
        seen.add(new CapturedStack(1, new WeakReference<>(Thread.currentThread()), "main", ticker.nanos(), List.of(frames), frames.length, 0));
    }

    @Test
    void oneLookIsNoProof() {
        Object held = new Object();
        look(frame("run", 0, held));
        assertThat(seen.confirmed()).isEmpty();
        ticker.advance(1);
        look(frame("run", 0, held));
        assertThat(seen.confirmed()).singleElement().satisfies(local -> {
            assertThat(local.object()).isSameAs(held);
            assertThat(local.frame()).isEqualTo("com.acme.Main.run(Main.java:12)");
            assertThat(local.threadName()).isEqualTo("main");
            assertThat(local.variable()).isNull();
        });
    }

    @Test
    void theSameFrameTwiceInOneLookIsOneLook() {
        Object held = new Object();
        look(frame("run", 0, held), frame("run", 1, held));
        assertThat(seen.confirmed()).isEmpty();
    }

    @Test
    void twoObjectsInOneVariableAreTwoAndNeitherIsConfirmed() {
        Object first = new Object();
        Object second = new Object();
        look(frame("run", 0, first));
        ticker.advance(1);
        look(frame("run", 0, second));
        assertThat(seen.confirmed()).isEmpty();
        assertThat(List.of(first, second)).doesNotContainNull();
    }

    @Test
    void whatHasNotBeenSeenForTenSecondsMayHaveEnded() {
        Object held = new Object();
        look(frame("run", 0, held));
        ticker.advance(1);
        look(frame("run", 0, held));
        StackLocal local = seen.confirmed().get(0);
        ticker.advance(10.5);
        assertThat(local.current()).isFalse();
        assertThat(seen.confirmed()).isEmpty();
        look(frame("run", 0, held));
        assertThat(local.current()).isTrue();
        assertThat(seen.confirmed()).containsExactly(local);
    }

    @Test
    void outermostFramesComeFirst() {
        Object inner = new Object();
        Object outer = new Object();
        for (int i = 0; i < 2; i++) {
            ticker.advance(1);
            look(frame("inner", 0, inner), frame("outer", 1, outer));
        }
        assertThat(seen.confirmed()).extracting(StackLocal::methodName).containsExactly("outer", "inner");
    }

    @Test
    void aThreadThatHasEndedHoldsNothing() throws InterruptedException {
        Thread thread = new Thread(() -> { });
        thread.start();
        thread.join();
        Object held = new Object();
        for (int i = 0; i < 2; i++) {
            ticker.advance(1);
            seen.add(new CapturedStack(2, new WeakReference<>(thread), "gone", ticker.nanos(), List.of(frame("run", 0, held)), 1, 0));
        }
        assertThat(seen.confirmed()).isEmpty();
    }

    @Test
    void nothingIsKeptAlive() throws InterruptedException {
        WeakReference<Object> held = lookTwiceAtAnObject();
        for (int i = 0; i < 500 && held.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(held.get()).isNull();
        seen.forgetOld();
        assertThat(seen.size()).isZero();
    }

    private WeakReference<Object> lookTwiceAtAnObject() {
        Object held = new Object();
        look(frame("run", 0, held));
        ticker.advance(1);
        look(frame("run", 0, held));
        assertThat(seen.confirmed()).hasSize(1);
        return new WeakReference<>(held);
    }

    @Test
    void memoryIsBoundedAndWhatIsLeftOutIsCounted() {
        List<Object> all = new ArrayList<>();
        for (int i = 0; i < SeenLocals.MAX + 100; i++) {
            all.add(new Object());
            look(frame("run", 0, all.get(i)));
        }
        assertThat(seen.size()).isEqualTo(SeenLocals.MAX);
        assertThat(counters.get(SeenLocals.DROPPED)).isEqualTo(100);
        ticker.advance(1);
        look(frame("run", 0, new Object[] {all.get(SeenLocals.MAX + 1)}));
        assertThat(seen.size()).as("old ones that were seen once give way").isEqualTo(1);
    }

    /** Against the plain rule: confirmed = seen in two looks, the last of them at most ten seconds ago. */
    @Property(tries = 200)
    void confirmedIsWhatTheRuleSays(@ForAll @Size(min = 1, max = 40) List<@IntRange(min = 0, max = 255) Integer> looks) {
        VirtualTicker clock = new VirtualTicker();
        SeenLocals locals = new SeenLocals(clock, new VariableNames(type -> null, counters), counters, () -> { });
        List<Object> objects = List.of(new Object(), new Object(), new Object(), new Object());
        int[] times = new int[objects.size()];
        long[] last = new long[objects.size()];
        for (int look : looks) {
            clock.advance(1 + (look >> 4) / 2.0);
            List<CapturedFrame> frames = new ArrayList<>();
            for (int i = 0; i < objects.size(); i++) {
                if ((look >> i & 1) != 0) {
                    frames.add(frame("m" + i, i, objects.get(i)));
                    times[i]++;
                    last[i] = clock.nanos();
                }
            }
            locals.add(new CapturedStack(1, new WeakReference<>(Thread.currentThread()), "main", clock.nanos(), frames, objects.size(), 0));
            Set<Object> expected = new HashSet<>();
            for (int i = 0; i < objects.size(); i++) {
                if (times[i] > 1 && clock.nanos() - last[i] <= 10_000_000_000L) {
                    expected.add(objects.get(i));
                }
            }
            assertThat(locals.confirmed()).extracting(StackLocal::object).containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
