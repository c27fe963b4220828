package io.holdfast.junit;

import java.util.Optional;

/** The assertions of the test that runs on this thread, for {@link HeapAssertions}, which is given no parameter. There only while the test runs. */
final class CurrentTest {
    private static final ThreadLocal<LeakAsserts> ASSERTS = new ThreadLocal<>();

    private CurrentTest() { }

    static void begins(LeakAsserts asserts) {
        ASSERTS.set(asserts);
    }

    static void ends() {
        ASSERTS.remove();
    }

    static Optional<LeakAsserts> asserts() {
        return Optional.ofNullable(ASSERTS.get());
    }
}
