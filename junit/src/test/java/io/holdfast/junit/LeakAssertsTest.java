package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

/** As surefire runs it, in the JVM of the build. */
class LeakAssertsTest {
    private static final List<Object> KEPT = new ArrayList<>();

    @Test
    @LeakCheck
    void passes(LeakAsserts leaks) {
        leaks.assertCollectable(Object::new);
    }

    @Test
    @LeakCheck
    void fails(LeakAsserts leaks) {
        assertThatThrownBy(() -> leaks.assertCollectable(() -> {
            Object kept = new StringBuilder("kept");
            KEPT.add(kept);
            return kept;
        })).isInstanceOf(AssertionFailedError.class).hasMessageContaining("LeakAssertsTest.KEPT").hasMessageContaining("java.lang.StringBuilder");
        KEPT.clear();
    }

    @Test
    @LeakCheck
    void executorsAreAwaitedBeforeEachLook(LeakAsserts leaks) {
        AtomicInteger asked = new AtomicInteger();
        Executor executor = task -> {
            asked.incrementAndGet();
            task.run();
        };
        leaks.awaiting(executor).assertCollectable(Object::new);
        assertThat(asked).hasPositiveValue();
    }

    @Test
    @LeakCheck
    void argumentsAreChecked(LeakAsserts leaks) {
        assertThatThrownBy(() -> leaks.within(java.time.Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> leaks.repeating(3).warmup(-1)).isInstanceOf(IllegalArgumentException.class);
    }
}
