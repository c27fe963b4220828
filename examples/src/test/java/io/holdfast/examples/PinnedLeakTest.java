package io.holdfast.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** The example of {@code examples/pin-a-leak} fails where it should, with the holder and with the id that the profiler gives the same leak. */
class PinnedLeakTest {
    private static final String ID_IN_THE_README = "66c0df3b";

    @Test
    void failsWithTheHolderAndTheProfilersId() {
        Map<String, TestExecutionResult> results = new HashMap<>();
        LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass("io.holdfast.examples.sessions.PinnedLeakExample")).build(), new TestExecutionListener() {
                    @Override
                    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                        if (test.isTest()) {
                            results.put(test.getDisplayName().replaceAll("\\(.*", ""), result);
                        }
                    }
                });
        assertThat(results).hasSize(4);
        assertThat(results.get("aSessionThatNeverLogsInIsCollectable").getStatus()).isEqualTo(TestExecutionResult.Status.SUCCESSFUL);
        for (String test : new String[] {"aSessionIsCollectableAfterLogout", "visitsLeaveNoSessionBehind", "visitsDoNotAddUp"}) {
            assertThat(results.get(test).getStatus()).as(test).isEqualTo(TestExecutionResult.Status.FAILED);
            assertThat(results.get(test).getThrowable().orElseThrow()).as(test).hasMessageContaining("io.holdfast.examples.sessions.SessionRegistry.ACTIVE")
                    .hasMessageContaining("leak id " + ID_IN_THE_README);
        }
    }
}
