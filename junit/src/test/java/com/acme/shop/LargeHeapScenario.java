package com.acme.shop;

import io.holdfast.junit.LeakCheck;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** More objects than a count of the heap has room for; but not any more once the test has run. */
@LeakCheck(watch = Session.class)
class LargeHeapScenario {
    private static List<Object> ballast = new ArrayList<>();

    @BeforeAll
    static void fill() {
        EventBus.BY_NAME.put("old", new Session());
        for (int i = 0; i < 1_500_000; i++) {
            ballast.add(new Object());
        }
    }

    @Test
    void abortSinceNobodyKnowsWhatWasThere() {
        ballast = null;
    }
}
