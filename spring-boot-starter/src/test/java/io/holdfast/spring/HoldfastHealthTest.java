package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.LeakReport;
import io.holdfast.core.CandidateTrend;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakState;
import io.holdfast.core.LiveEstimate;
import io.holdfast.spring.HoldfastProperties.FailOn;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.actuate.info.Info;

class HoldfastHealthTest {
    private static final Instant NOON = Instant.parse("2026-01-02T12:00:00Z");

    private static LeakReport report(LeakState... states) {
        List<Leak> leaks = Stream.of(states).map(state -> new Leak("4edcf1db", "com.acme.Session", state, "chain", List.of(),
                new CandidateTrend(CandidateTrend.Evidence.COHORTS, List.of(), 0, 0, NOON), LiveEstimate.NONE, null, List.of(), List.of(), List.of())).toList();
        return new LeakReport("0.1.0", NOON, NOON, 1, new LeakReport.Jvm("17", "G1", "agent"), true, leaks, List.of(), List.of(), -1, Map.of(),
                new LeakReport.Cost(0, 0, 0, 0, -1, 0), List.of(), null);
    }

    @ParameterizedTest
    @EnumSource(LeakState.class)
    void noLeakTakesTheApplicationDownUnlessItIsToldTo(LeakState state) {
        assertThat(HoldfastHealth.of(report(state), FailOn.NEVER).down()).isFalse();
        boolean moreThanASuspicion = state != LeakState.PROVISIONAL && state != LeakState.RESOLVED;
        assertThat(HoldfastHealth.of(report(state), FailOn.CONFIRMED).down()).isEqualTo(moreThanASuspicion);
    }

    @Test
    void detailsCountLeaksByState() {
        HoldfastHealth health = HoldfastHealth.of(report(LeakState.EXPLAINED, LeakState.EXPLAINED, LeakState.PROVISIONAL), FailOn.NEVER);
        assertThat(health.details()).isEqualTo(Map.of("verdict", "leaks", "leaks", Map.of("explained", 2, "provisional", 1), "accessLevel", "agent"));
        assertThat(HoldfastHealth.of(report(), FailOn.CONFIRMED).details()).containsEntry("verdict", "none");
    }

    static Stream<Throwable> faults() {
        return Stream.of(new IllegalStateException("Singleton bean creation not allowed"), new NoClassDefFoundError("io/holdfast/LeakReport"));
    }

    private static RunningHoldfast failing(Throwable fault) {
        return () -> {
            if (fault instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) fault;
        };
    }

    @ParameterizedTest
    @MethodSource("faults")
    void thatHoldfastCannotBeAskedIsNoFaultOfTheApplication(Throwable fault) {
        RunningHoldfast failing = failing(fault);
        Health health = new ActuatorHealthIndicator(failing, FailOn.CONFIRMED).health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsEntry("verdict", "unknown")
                .hasEntrySatisfying("problem", problem -> assertThat(problem.toString()).contains(fault.getMessage()));
        assertThat(new ModuleHealthIndicator(failing, FailOn.CONFIRMED).health().getDetails()).isEqualTo(health.getDetails());
        Info.Builder info = new Info.Builder();
        new HoldfastInfoContributor(failing).contribute(info);
        assertThat(info.build().getDetails()).isEmpty();
        WebEndpointResponse<String> response = new LeaksWebExtension(failing).leaks(null);
        assertThat(response.getStatus()).isEqualTo(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
        assertThat(response.getBody()).contains(fault.getMessage());
    }

    @Test
    void withoutHoldfastTheApplicationIsUp() {
        assertThat(HoldfastHealth.of(Optional::empty, FailOn.CONFIRMED)).isEqualTo(new HoldfastHealth(false, Map.of("verdict", "not running")));
    }
}
