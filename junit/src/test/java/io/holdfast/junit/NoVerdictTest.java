package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Ticker;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where no verdict can be had the test is aborted with the reason: it neither passes nor fails by chance. */
class NoVerdictTest {
    @TempDir
    Path scratch;

    @Test
    void explicitCollectionsSwitchedOff() throws Exception {
        assertAllAborted("-XX:+DisableExplicitGC", "-XX:+DisableExplicitGC switches off");
    }

    @Test
    void epsilon() throws Exception {
        ForkedTests tests = new ForkedTests(scratch, "5.14").flags("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC", "-Xmx256m");
        assertThat(tests.run("LoaderScenario").of("passUndeployed")).startsWith("ABORTED").contains("Epsilon");
    }

    @Test
    void aDebuggerMayKeepObjectsAliveButCannotMakeThemGo() throws Exception {
        ForkedTests.Result result = new ForkedTests(scratch, "5.14").flags("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0")
                .run("LoaderScenario");
        assertThat(result.of("failObjectOfAClass")).startsWith("ABORTED").contains("a debugger can attach", "com.acme.shop.EventBus.last");
        assertThat(result.of("passUndeployed")).startsWith("SUCCESSFUL");
    }

    private void assertAllAborted(String flag, String reason) throws Exception {
        ForkedTests.Result result = new ForkedTests(scratch, "5.14").flags(flag).run("LoaderScenario", "CollectableScenario");
        result.outcomes().forEach((test, outcome) -> {
            if (!test.startsWith("error")) {
                assertThat(outcome).as(test).startsWith("ABORTED").contains(reason);
            }
        });
    }

    @Test
    void flags() {
        assertThat(collector(Map.of("UseG1GC", "true"), List.of()).whyNot()).isEmpty();
        assertThat(collector(Map.of("UseG1GC", "true", "ExplicitGCInvokesConcurrent", "true"), List.of()).whyNot()).hasValueSatisfying(
                why -> assertThat(why).contains("-XX:+ExplicitGCInvokesConcurrent"));
        assertThat(collector(Map.of("UseShenandoahGC", "true", "ExplicitGCInvokesConcurrent", "true"), List.of()).whyNot()).isEmpty();
        assertThat(collector(Map.of("ClassUnloading", "false"), List.of()).whyNoUnloading()).isPresent();
        assertThat(collector(Map.of(), List.of()).whyNoUnloading()).isEmpty();
        assertThat(collector(Map.of(), List.of("-Xmx1g", "-agentlib:jdwp=transport=dt_socket")).whyAliveProvesNothing()).isPresent();
        assertThat(collector(Map.of(), List.of("-Xmx1g")).whyAliveProvesNothing()).isEmpty();
    }

    private static Collector collector(Map<String, String> flags, List<String> arguments) {
        return new Collector(name -> flags.getOrDefault(name, ""), List.of("some collector"), arguments);
    }

    @Test
    void aJvmThatDoesNotCollectIsNoticedByTheCanaries() {
        int[] asked = new int[2];
        UnheardCollections forced = new UnheardCollections(asked);
        assertThat(forced.run()).isEqualTo(ForcedCollections.Verdict.UNPROVEN);
        assertThat(asked[0]).isPositive().isEqualTo(asked[1]); // the second road is tried each time
    }

    /** Collections that are asked for and do not happen, on a clock that runs by itself. */
    private static final class UnheardCollections {
        private final ForcedCollections forced;

        UnheardCollections(int[] asked) {
            long[] now = new long[1];
            forced = new ForcedCollections(() -> asked[0]++, () -> asked[1]++, new Ticker() {
                @Override
                public long nanos() {
                    return now[0] += 1_000_000_000L;
                }

                @Override
                public Instant now() {
                    return Instant.EPOCH;
                }
            }, () -> { });
        }

        ForcedCollections.Verdict run() {
            return forced.disprove(() -> false, 0);
        }
    }
}
