package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything of the page for users, in JVMs of their own, with each JUnit that is supported. */
class JUnitVersionsTest {
    @TempDir
    Path scratch;

    @ParameterizedTest
    @ValueSource(strings = {"5.12", "5.14", "6"})
    void worksWithEachVersion(String version) throws Exception {
        ForkedTests.Result result = new ForkedTests(scratch, version).run("CollectableScenario", "WatchScenario").asNamed();
        assertThat(result.outcomes()).hasSize(22);
        assertThat(result.of("failListener")).contains("com.acme.shop.Session was expected to be collectable but is strongly reachable", "after 3 full collections",
                "GC Root: static field", "com.acme.shop.EventBus.LISTENERS", "static, java.util.ArrayList, 1 element", "[0]", "com.acme.shop.Session$1", "this$0",
                "likely cause: Session$1 was put behind EventBus.LISTENERS", "An inner class (com.acme.shop.Session$1) keeps its outer object",
                "leak id f8c8c7d4 (not in the baseline)", "access level trusted");
        assertThat(result.of("failSoft")).contains("is softly reachable", "(soft reference)", "allowSoft()");
        assertThat(result.of("failThreadLocal")).contains("GC Root: thread local of thread \"main\"", "ThreadLocal.remove()");
        assertThat(result.of("failFieldOfTheTest")).contains("GC Root: the instance of the test class", "ofTheTest");
        assertThat(result.of("failSubclassOfAnotherThread")).contains("com.acme.shop.WatchScenario$SpecialSession: an instance made by this test",
                "com.acme.shop.EventBus.BY_NAME");
        assertThat(result.of("errorOfItsOwn")).contains("the test's own failure");
    }

    @Test
    void watchesConstructorsWithAnAgent() throws Exception {
        ForkedTests.Result result = new ForkedTests(scratch, "6").flags("-XX:+EnableDynamicAgentLoading").run("WatchScenario", "holdfast.junit.attach=true")
                .asNamed();
        assertThat(result.of("failOneOfMany")).contains("com.acme.shop.EventBus.LISTENERS", "access level self-attached");
    }

    @Test
    void aThreadOfAPoolWorksForTheTestThatRuns() throws Exception {
        new ForkedTests(scratch, "5.14").flags("-XX:+EnableDynamicAgentLoading").run("SharedPoolScenario", "holdfast.junit.attach=true").asNamed();
    }

    @Test
    void whatWasThereIsNotTakenForNewWhereItCouldNotBeCounted() throws Exception {
        assertThat(new ForkedTests(scratch, "6").run("LargeHeapScenario").asNamed().of("abortSinceNobodyKnowsWhatWasThere")).contains("too large to be counted");
    }

    @Test
    void growthAndClassLoaders() throws Exception {
        ForkedTests.Result result = new ForkedTests(scratch, "5.14").run("GrowthScenario", "LoaderScenario").asNamed();
        assertThat(result.outcomes()).hasSize(14);
        assertThat(result.of("failListeners")).contains("+10 instances of com.acme.shop.Session in 10 repetitions (+2 +2 +2 +2 +2)",
                "com.acme.shop.EventBus.LISTENERS", "leak id f8c8c7d4");
        assertThat(result.of("failSameItemAgain")).contains("+20 references from java.lang.Object[] in 20 repetitions (+4 +4 +4 +4 +4)",
                "com.acme.shop.GrowthScenario.CART");
        assertThat(result.of("failLocalOfTheTest")).contains("GC Root: what the test's lambda captured", "java.util.HashMap");
        assertThat(result.of("failObjectOfAClass")).contains("Class loader com.acme.shop.LoaderScenario$PluginLoader", "com.acme.shop.EventBus.last",
                "(class loader of its class)");
    }

    @Test
    void testsBesideEachOtherAreToldTheirOwnLeaks() throws Exception {
        String[] parallel = {"ParallelScenario", "junit.jupiter.execution.parallel.enabled=true", "junit.jupiter.execution.parallel.config.strategy=fixed",
            "junit.jupiter.execution.parallel.config.fixed.parallelism=4"};
        ForkedTests.Result without = new ForkedTests(scratch, "6").run(parallel);
        assertThat(without.outcomes()).as(without.output()).hasSize(24);
        without.outcomes().forEach((test, outcome) -> {
            // without the hook instances cannot be told apart: then no verdict, never a wrong one
            assertThat(outcome).as(test).doesNotStartWith(test.startsWith("pass") ? "FAILED" : "SUCCESSFUL");
            assertThat(outcome.startsWith("ABORTED") && test.contains("Asserted")).as(test + outcome).isFalse();
        });
        String[] attached = Stream.concat(Stream.of(parallel), Stream.of("holdfast.junit.attach=true"))
                .toArray(String[]::new);
        assertThat(new ForkedTests(scratch, "5.12").flags("-XX:+EnableDynamicAgentLoading").run(attached).asNamed().outcomes()).hasSize(24);
    }
}
