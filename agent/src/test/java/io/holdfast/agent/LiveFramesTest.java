package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;

import fixtures.LiveVariables;
import io.holdfast.core.Counters;
import io.holdfast.core.TrustedLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Looks at frames of this very thread, and names their variables from the class file. */
class LiveFramesTest {
    private final LiveFrames frames = LiveFrames.open(TrustedLookup.fromUnsafe().orElseThrow(), LiveVariables.class::equals);
    private final Counters counters = new Counters();
    private final VariableNames names = new VariableNames(new ClassFiles(), counters);
    private final List<CapturedStack> stacks = new ArrayList<>();
    private volatile Object lastUsed;

    private void look() {
        stacks.add(frames.capture(1, Thread.currentThread(), "test", 0));
    }

    private Map<String, Object> variables(CapturedStack stack) {
        Map<String, Object> named = new TreeMap<>();
        for (CapturedFrame frame : stack.frames()) {
            for (int i = 0; i < frame.slots().length; i++) {
                named.put(frame.element().getMethodName() + "." + names.find(LiveVariables.class, frame.element().getMethodName(), frame.descriptor(),
                        frame.slots()[i], frame.index(), frame.element().getLineNumber()).name(), frame.objects()[i].get());
            }
        }
        return named;
    }

    @Test
    void localsAreSeenWithTheirNamesAlsoWhereOneSlotHasTwo() {
        Runnable look = this::look;
        LiveVariables.run(look);
        assertThat(variables(stacks.get(0))).containsKeys("call.into", "run.early").doesNotContainKey("run.leak");
        assertThat(variables(stacks.get(1))).containsKeys("call.into", "run.leak").doesNotContainKey("run.early");
        assertThat((List<?>) variables(stacks.get(1)).get("run.leak")).hasSize(1);
    }

    @Test
    void theReceiverAndSlotsBehindALongAreSeen() {
        LiveVariables receiver = new LiveVariables();
        List<Object> after = new ArrayList<>();
        receiver.instance(this::look, 7L, after);
        assertThat(variables(stacks.get(0))).containsEntry("instance.this", receiver).containsEntry("instance.after", after);
    }

    @Test
    void deepStacksAreCutAndTheOutermostLocalsKept() {
        List<Object> held = new ArrayList<>();
        deep(0, held);
        CapturedStack last = stacks.get(0);
        assertThat(last.depth()).isEqualTo(LiveFrames.MAX_FRAMES);
        assertThat(last.frames().stream().mapToInt(frame -> frame.slots().length).sum()).isLessThanOrEqualTo(LiveFrames.MAX_LOCALS);
        assertThat(last.dropped()).isPositive();
        assertThat(last.frames().get(last.frames().size() - 1).depth()).isGreaterThan(LiveFrames.MAX_FRAMES / 2);
    }

    private void deep(int depth, Object held) {
        LiveFrames own = frames.wanting(LiveFramesTest.class::equals);
        if (depth < 1_000) {
            deep(depth + 1, held);
            // Used after the call: a compiled frame no longer has a variable that nobody reads again.
            lastUsed = List.of(held, own);
        } else {
            stacks.add(own.capture(1, Thread.currentThread(), "test", 0));
        }
    }

    @Test
    void whereTheStackEndsALookFailsAndTheProgramGoesOn() throws InterruptedException {
        int[] looks = new int[2];
        boolean[] overflowed = new boolean[1];
        Thread thread = new Thread(null, () -> {
            try {
                LiveVariables.deep(0, this, () -> {
                    try {
                        frames.capture(1, Thread.currentThread(), "test", 0);
                        looks[0]++;
                    } catch (StackOverflowError expected) {
                        looks[1]++;
                    }
                });
            } catch (StackOverflowError expected) {
                overflowed[0] = true;
            }
        }, "deep", 256 << 10);
        thread.start();
        thread.join();
        assertThat(overflowed[0]).isTrue();
        assertThat(looks[0]).isPositive();
        look();
        assertThat(stacks).isNotEmpty();
    }

    /** Of a frame that runs the version of its method from before a hook was set the VM tells no line. */
    @Test
    void withoutALineTheIndexTellsNameAndLine() {
        LiveVariables.run(this::look);
        CapturedFrame frame = stacks.get(1).frames().get(1);
        assertThat(frame.element().getMethodName()).isEqualTo("run");
        VariableNames.Found found = names.find(LiveVariables.class, "run", frame.descriptor(), frame.slots()[frame.slots().length - 1], frame.index(), -1);
        assertThat(found).isEqualTo(new VariableNames.Found("leak", frame.element().getLineNumber(), "LiveVariables.java"));
        assertThat(names.find(LiveVariables.class, "run", frame.descriptor(), frame.slots()[0], frame.index() + 1, -1).name()).isNull();
    }

    @Test
    void aClassWithoutAFileHasNoNames() {
        VariableNames none = new VariableNames(type -> null, counters);
        assertThat(none.find(LiveVariables.class, "run", "(Ljava/lang/Runnable;)I", 0, 0, 1)).isEqualTo(VariableNames.Found.NOTHING);
        assertThat(counters.get(VariableNames.UNREADABLE)).isOne();
        VariableNames broken = new VariableNames(type -> new byte[] {1, 2, 3}, counters);
        assertThat(broken.find(LiveVariables.class, "run", "(Ljava/lang/Runnable;)I", 0, 0, 1)).isEqualTo(VariableNames.Found.NOTHING);
        assertThat(counters.get(VariableNames.UNREADABLE)).isEqualTo(2);
    }
}
