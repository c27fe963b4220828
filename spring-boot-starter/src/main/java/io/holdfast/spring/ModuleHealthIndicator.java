package io.holdfast.spring;

import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** Health of Boot 4. Loaded only there. */
final class ModuleHealthIndicator implements HealthIndicator {
    private final RunningHoldfast holdfast;
    private final HoldfastProperties.FailOn failOn;

    ModuleHealthIndicator(RunningHoldfast holdfast, HoldfastProperties.FailOn failOn) {
        this.holdfast = holdfast;
        this.failOn = failOn;
    }

    @Override
    public Health health() {
        HoldfastHealth now = HoldfastHealth.of(holdfast, failOn);
        return (now.down() ? Health.down() : Health.up()).withDetails(now.details()).build();
    }
}
