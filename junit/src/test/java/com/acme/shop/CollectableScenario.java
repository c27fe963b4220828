package com.acme.shop;

import static io.holdfast.junit.HeapAssertions.assertThatHeap;

import io.holdfast.junit.HoldfastExtension;
import io.holdfast.junit.LeakAsserts;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@ExtendWith(HoldfastExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
class CollectableScenario {
    private static SoftReference<Session> cached;
    private Session ofTheTest;

    @AfterEach
    void clear() {
        EventBus.LISTENERS.clear();
        EventBus.BY_NAME.clear();
        EventBus.CONTEXT.remove();
        EventBus.last = null;
        cached = null;
    }

    @Test
    void passGone(LeakAsserts leaks) {
        leaks.assertCollectable(Session::new);
    }

    @Test
    void passGoneByReference(LeakAsserts leaks) {
        leaks.assertCollectable(new WeakReference<>(new Session()));
    }

    @Test
    void passWhenTheExecutorHasRun(LeakAsserts leaks) throws InterruptedException {
        ExecutorService executor = Executors.newFixedThreadPool(2);
        try {
            CountDownLatch late = new CountDownLatch(1);
            executor.execute(() -> await(late));
            late.countDown();
            leaks.awaiting(executor).assertCollectable(() -> {
                Session session = new Session();
                executor.execute(() -> {
                    await(late);
                    session.listener.run();
                });
                return session;
            });
        } finally {
            executor.shutdownNow();
            executor.awaitTermination(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void passInTheStyleOfAssertj() {
        Object[] held = {new Session()};
        assertThatHeap().after(() -> held[0] = null).object(held[0]).isCollectable();
    }

    @Test
    void passSoftAllowed(LeakAsserts leaks) {
        leaks.allowSoft().assertCollectable(() -> {
            cached = new SoftReference<>(new Session());
            return cached.get();
        });
    }

    /** Such an object was once alive a moment longer than three collections. */
    @Test
    void passUsedByAThreadThatHasEnded(LeakAsserts leaks) {
        for (int i = 0; i < 5; i++) {
            leaks.assertCollectable(() -> {
                Session session = new Session();
                Thread thread = new Thread(session.listener);
                thread.start();
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return session;
            });
        }
    }

    @Test
    void failSoft(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            cached = new SoftReference<>(new Session());
            return cached.get();
        });
    }

    @Test
    void failListener(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            Session session = new Session();
            EventBus.LISTENERS.add(session.listener);
            return session;
        });
    }

    @Test
    void failMap(LeakAsserts leaks) {
        leaks.within(Duration.ofMillis(300)).assertCollectable(() -> {
            Session session = new Session();
            EventBus.BY_NAME.put("key", session);
            return session;
        });
    }

    @Test
    void failStatic(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            EventBus.last = new Session();
            return EventBus.last;
        });
    }

    @Test
    void failThreadLocal(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            Session session = new Session();
            EventBus.CONTEXT.set(session);
            return session;
        });
    }

    @Test
    void failFieldOfTheTest(LeakAsserts leaks) {
        leaks.assertCollectable(() -> {
            ofTheTest = new Session();
            return ofTheTest;
        });
    }

    @Test
    void failInTheStyleOfAssertj() {
        assertThatHeap().after(() -> EventBus.last = new Session()).after(() -> { }).object(kept()).isCollectable();
    }

    private static Object kept() {
        Session session = new Session();
        EventBus.LISTENERS.add(session.listener);
        return session;
    }

    @Test
    void errorNothingToAskAbout(LeakAsserts leaks) {
        leaks.assertCollectable(() -> null);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
