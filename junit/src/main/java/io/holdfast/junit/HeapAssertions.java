package io.holdfast.junit;

import io.holdfast.core.Ticker;
import java.util.Map;

/** Entry in the style of AssertJ, without the library: {@code assertThatHeap().after(() -> redeploy()).classLoaderOf(plugin).isCollectable()}. */
public final class HeapAssertions {
    private HeapAssertions() { }

    /** Needs no extension; what is found is not published to the test run then, but the same settings hold, as system properties. */
    public static HeapAssert assertThatHeap() {
        return new HeapAssert(new LeakAsserts(Settings.ofSystemProperties(), Publisher.NONE, Map.of(), Ticker.system()), () -> { });
    }
}
