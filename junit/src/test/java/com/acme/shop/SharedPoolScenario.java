package com.acme.shop;

import io.holdfast.junit.LeakCheck;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** A pool that the first test starts and the second uses, as a service that all tests share does. */
@LeakCheck(watch = Session.class)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SharedPoolScenario {
    private static final ExecutorService POOL = Executors.newSingleThreadExecutor();

    @Test
    @Order(1)
    void passStartsThePool() throws Exception {
        POOL.submit(() -> new Session().listener.run()).get();
    }

    @Test
    @Order(2)
    void failMadeByAThreadOfTheFirst() throws Exception {
        POOL.submit(() -> EventBus.BY_NAME.put("pooled", new Session())).get();
    }
}
