package io.holdfast.spring;

import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** Health of Boot 3.5. Loaded only there. */
final class ActuatorHealthIndicator implements HealthIndicator {
    private final RunningHoldfast holdfast;
    private final HoldfastProperties.FailOn failOn;

    ActuatorHealthIndicator(RunningHoldfast holdfast, HoldfastProperties.FailOn failOn) {
        this.holdfast = holdfast;
        this.failOn = failOn;
    }

    @Override
    public Health health() {
        HoldfastHealth now = HoldfastHealth.of(holdfast, failOn);
        return (now.down() ? Health.down() : Health.up()).withDetails(now.details()).build();
    }
}
