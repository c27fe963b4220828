package io.holdfast.junit;

import java.lang.ref.WeakReference;
import java.util.Optional;

/**
 * The assertions of the test that runs on this thread, for {@link HeapAssertions}, which is given no parameter. There only while the test runs, and held
 * weakly: they lead to the instance of the test, and a thread-local is a root that would show up in chains. JUnit's store holds them meanwhile.
 */
final class CurrentTest {
    private static final ThreadLocal<WeakReference<LeakAsserts>> ASSERTS = new ThreadLocal<>();

    private CurrentTest() { }

    static void begins(LeakAsserts asserts) {
        ASSERTS.set(new WeakReference<>(asserts));
    }

    static void ends() {
        ASSERTS.remove();
    }

    static Optional<LeakAsserts> asserts() {
        return Optional.ofNullable(ASSERTS.get()).map(WeakReference::get);
    }
}
