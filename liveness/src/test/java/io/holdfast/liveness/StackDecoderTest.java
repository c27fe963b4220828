package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StackDecoderTest {
    @Test
    void our_own_frames_on_top_are_left_out_and_only_there() {
        Throwable stack = stack("io.holdfast.agent.Hook", "java.lang.HoldfastHook", "io.holdfast.liveness.LivenessTracker$1",
                "com.acme.Login", "io.holdfast.agent.Hook", "com.acme.Main");
        assertThat(StackDecoder.decode(stack)).containsExactly("com.acme.Login.run(Login.java:1)", "io.holdfast.agent.Hook.run(Hook.java:1)",
                "com.acme.Main.run(Main.java:1)");
    }

    @Test
    void programs_in_our_name_space_keep_their_frames() {
        assertThat(StackDecoder.decode(stack("io.holdfast.examples.SessionLeak", "io.holdfast.HoldfastDemo", "java.lang.Thread"))).hasSize(3);
    }

    @Test
    void a_deep_stack_is_cut_at_the_bottom() {
        String[] deep = IntStream.range(0, 500).mapToObj(i -> "com.acme.Frame" + i).toArray(String[]::new);
        List<String> frames = StackDecoder.decode(stack(deep));
        assertThat(frames).hasSize(64).first().asString().startsWith("com.acme.Frame0.");
    }

    @Test
    void a_site_keeps_three_distinct_stacks_and_stays_recent() {
        SiteStacks stacks = new SiteStacks();
        Random random = new Random(5);
        for (int i = 0; i < 3; i++) {
            assertThat(stacks.wanted(random)).isTrue();
            stacks.add(List.of("first"), random);
        }
        assertThat(stacks.all()).containsExactly(List.of("first"));
        stacks.add(List.of(), random);
        for (int i = 0; i < 200; i++) {
            stacks.add(List.of("later " + i), random);
            assertThat(stacks.all()).hasSizeLessThanOrEqualTo(3).doesNotHaveDuplicates().contains(List.of("later " + i));
        }
        long wanted = IntStream.range(0, 8_000).filter(i -> stacks.wanted(random)).count();
        assertThat(wanted).isBetween(800L, 1_200L);
    }

    private static Throwable stack(String... classNames) {
        Throwable stack = new Throwable();
        stack.setStackTrace(Arrays.stream(classNames).map(name -> new StackTraceElement("app", "module", "1", name, "run",
                name.substring(name.lastIndexOf('.') + 1) + ".java", 1)).toArray(StackTraceElement[]::new));
        return stack;
    }
}
