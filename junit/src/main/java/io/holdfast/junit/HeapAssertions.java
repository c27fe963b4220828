package io.holdfast.junit;

import io.holdfast.core.Ticker;
import java.util.Map;

/** Entry in the style of AssertJ, without the library: {@code assertThatHeap().after(() -> redeploy()).classLoaderOf(plugin).isCollectable()}. */
public final class HeapAssertions {
    private HeapAssertions() { }

    /**
     * In a test with {@link HoldfastExtension} the same as its {@link LeakAsserts}. Works without the extension too: then settings are read from system
     * properties only, and what is found is not in the report of the run.
     */
    public static HeapAssert assertThatHeap() {
        return new HeapAssert(CurrentTest.asserts().orElseGet(() -> new LeakAsserts(Settings.ofSystemProperties(), Publisher.NONE, Map.of(), Ticker.system())),
                () -> { });
    }
}
