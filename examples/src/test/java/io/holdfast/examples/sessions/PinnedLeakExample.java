package io.holdfast.examples.sessions;

import io.holdfast.junit.LeakAsserts;
import io.holdfast.junit.LeakCheck;
import org.junit.jupiter.api.Test;

/**
 * A leak that was found in production, pinned by a unit test: it fails as long as the bug is there, and says what holds the session. The leak's id is
 * the one that the profiler gave it. Not run by the build, since it fails; {@code examples/pin-a-leak} runs it.
 */
class PinnedLeakExample {
    private static final int BASKET_BYTES = 1_024;

    /** One object, made and let go of. */
    @Test
    @LeakCheck
    void aSessionIsCollectableAfterLogout(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            Session session = new Session("anna", BASKET_BYTES);
            SessionRegistry.login(session);
            SessionRegistry.logout(session);
            return session;
        });
    }

    /** All of them, whoever makes them. */
    @Test
    @LeakCheck(watch = Session.class)
    void visitsLeaveNoSessionBehind() {
        for (int i = 0; i < 100; i++) {
            Session session = new Session("visitor " + i, BASKET_BYTES);
            SessionRegistry.login(session);
            SessionRegistry.logout(session);
        }
    }

    /** Without naming a class. */
    @Test
    @LeakCheck
    void visitsDoNotAddUp(LeakAsserts leaks) {
        int[] visitor = new int[1];
        leaks.repeating(10).assertNoGrowth(() -> {
            Session session = new Session("user " + visitor[0]++, BASKET_BYTES);
            SessionRegistry.login(session);
            SessionRegistry.logout(session);
        });
    }

    /** What is fine passes. */
    @Test
    @LeakCheck
    void aSessionThatNeverLogsInIsCollectable(LeakAsserts leaks) {
        leaks.assertCollectable(() -> new Session("bert", BASKET_BYTES));
    }
}
