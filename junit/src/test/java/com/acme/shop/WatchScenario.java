package com.acme.shop;

import io.holdfast.junit.LeakCheck;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@LeakCheck(watch = Session.class)
@Execution(ExecutionMode.SAME_THREAD)
class WatchScenario {
    static class SpecialSession extends Session { }

    private Session kept;
    private Session before;

    @BeforeEach
    void make(TestInfo test) {
        before = test.getDisplayName().startsWith("passAfterEach") ? new Session() : null;
        EventBus.BY_NAME.put("before", before == null ? "" : before);
    }

    @AfterEach
    void unmake(TestInfo test) {
        EventBus.BY_NAME.remove("before");
        before = null;
    }

    @Test
    void passGone() {
        for (int i = 0; i < 20_000; i++) {
            new Session().listener.run();
        }
    }

    @Test
    void passAfterEachCleans() { }

    @Test
    void passHeldByTheTestAlone() {
        kept = new Session();
    }

    @Test
    void failOneOfMany() {
        for (int i = 0; i < 1_000; i++) {
            Session session = new Session();
            if (i == 500) {
                EventBus.LISTENERS.add(session.listener);
            }
        }
    }

    @Test
    void failSubclassOfAnotherThread() throws InterruptedException {
        Thread thread = new Thread(() -> EventBus.BY_NAME.put("special", new SpecialSession()));
        thread.start();
        thread.join();
    }

    @Test
    void errorOfItsOwn() {
        EventBus.last = new Session();
        throw new IllegalStateException("the test's own failure");
    }

    @Nested
    class Inner {
        @Test
        void failToo() {
            EventBus.BY_NAME.put("inner", new Session());
        }

        @Test
        @LeakCheck
        void passNothingWatched() {
            EventBus.BY_NAME.put("unwatched", new Session());
        }
    }
}
