package com.acme.shop;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs the test classes named, and prints what became of each test. Arguments with a {@code =} are configuration parameters. */
final class RunTests {
    private RunTests() { }

    public static void main(String[] arguments) {
        Map<String, String> parameters = Stream.of(arguments).filter(a -> a.contains("=")).map(a -> a.split("=", 2))
                .collect(Collectors.toMap(pair -> pair[0], pair -> pair[1]));
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(Stream.of(arguments).filter(a -> !a.contains("=")).map(name -> selectClass("com.acme.shop." + name)).toList())
                .configurationParameters(parameters).build();
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    print(test, result);
                }
            }
        });
        System.exit(0);
    }

    private static synchronized void print(TestIdentifier test, TestExecutionResult result) {
        System.out.println("#" + result.getStatus() + " " + test.getLegacyReportingName().replaceAll("\\(.*", "") + " " + test.getDisplayName());
        result.getThrowable().ifPresent(t -> System.out.println(t.getClass().getName() + ": " + t.getMessage()));
    }
}
