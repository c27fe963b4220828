package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code Holdfast.findChain} in a real program. */
class FindChainTest {
    @TempDir
    Path scratch;

    @Test
    void answersForWhatAStaticHoldsAndForWhatNothingVisibleHolds() throws Exception {
        ForkedJvm.Result result = new ForkedJvm().run(scratch, Programs.FindsChains.class);
        assertThat(result.status()).as(result.output()).isZero();
        assertThat(result.output()).containsPattern("held static io.holdfast.examples.Programs\\$FindsChains.HELD \\[java.util.concurrent.ConcurrentHashMap, "
                + "java.util.concurrent.ConcurrentHashMap\\$Node\\[\\], java.util.concurrent.ConcurrentHashMap\\$Node, "
                + "java.util.ImmutableCollections\\$List12, java.lang.StringBuilder\\]");
        assertThat(result.output()).contains("local unreached", "timeout timeout", "busy another search", "kept held local").doesNotContain("\tat ");
    }
}
