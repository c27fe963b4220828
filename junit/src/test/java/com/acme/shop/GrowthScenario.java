package com.acme.shop;

import io.holdfast.junit.HoldfastExtension;
import io.holdfast.junit.LeakAsserts;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@ExtendWith(HoldfastExtension.class)
@Execution(ExecutionMode.SAME_THREAD)
class GrowthScenario {
    private static final Map<Integer, Object> CACHE = new HashMap<>();
    private static final List<Object> CART = new ArrayList<>();
    private final List<Object> own = new ArrayList<>();
    private int number;

    @AfterEach
    void clear() {
        EventBus.LISTENERS.clear();
        EventBus.BY_NAME.clear();
        CACHE.clear();
        CART.clear();
    }

    @Test
    void passAddAndRemove(LeakAsserts leaks) {
        leaks.repeating(20).warmup(3).assertNoGrowth(() -> {
            CART.add(new Session());
            CART.clear();
        });
    }

    @Test
    void passBoundedCache(LeakAsserts leaks) {
        leaks.repeating(20).warmup(0).assertNoGrowth(() -> {
            number++;
            CACHE.put(number % 8, new Session());
        });
    }

    @Test
    void passOneLeftover(LeakAsserts leaks) {
        leaks.repeating(12).assertNoGrowth(() -> {
            if (number++ == 6) {
                CART.add(new Session());
            }
        });
    }

    @Test
    void failListeners(LeakAsserts leaks) {
        leaks.repeating(10).assertNoGrowth(() -> EventBus.LISTENERS.add(new Session().listener));
    }

    @Test
    void failSameItemAgain(LeakAsserts leaks) {
        Session item = new Session();
        leaks.repeating(20).warmup(3).assertNoGrowth(() -> CART.add(item));
    }

    @Test
    void failFieldOfTheTest(LeakAsserts leaks) {
        leaks.repeating(6).assertNoGrowth(() -> own.add(new Session()));
    }

    @Test
    void failLocalOfTheTest(LeakAsserts leaks) {
        Map<Integer, Object> local = new HashMap<>();
        leaks.repeating(6).assertNoGrowth(() -> local.put(number++, new Session()));
    }

    @Test
    void abortSomebodyElseGrows(LeakAsserts leaks) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(100);
        Thread other = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                EventBus.BY_NAME.put("other" + number++, new Session());
                begun.countDown();
                try {
                    Thread.sleep(1);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        other.start();
        begun.await();
        try {
            leaks.repeating(6).assertNoGrowth(() -> CART.add(null));
        } finally {
            other.interrupt();
            other.join();
        }
    }

    @Test
    void errorTooFew(LeakAsserts leaks) {
        leaks.repeating(2);
    }
}
