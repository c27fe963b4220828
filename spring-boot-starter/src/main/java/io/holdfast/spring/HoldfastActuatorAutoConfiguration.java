package io.holdfast.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Endpoint, info and health, where the application has Actuator. What moved between the lines of Boot is in classes of its own. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class)
@ConditionalOnClass({ConditionalOnAvailableEndpoint.class, EndpointWebExtension.class})
@ConditionalOnBean(RunningHoldfast.class)
public final class HoldfastActuatorAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(endpoint = LeaksEndpoint.class)
    static class OfTheEndpoint {
        @Bean
        @ConditionalOnMissingBean
        LeaksEndpoint leaksEndpoint(RunningHoldfast holdfast) {
            return new LeaksEndpoint(holdfast);
        }

        @Bean
        @ConditionalOnMissingBean
        LeaksWebExtension leaksWebExtension(RunningHoldfast holdfast) {
            return new LeaksWebExtension(holdfast);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(InfoContributor.class)
    @ConditionalOnBooleanProperty(name = "holdfast.info.enabled", matchIfMissing = true)
    static class OfInfo {
        @Bean
        @ConditionalOnMissingBean
        HoldfastInfoContributor holdfastInfoContributor(RunningHoldfast holdfast) {
            return new HoldfastInfoContributor(holdfast);
        }
    }

    /** Boot 3.5. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
    @ConditionalOnBooleanProperty(name = "holdfast.health.enabled", matchIfMissing = true)
    static class OfHealthInActuator {
        @Bean
        @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
        ActuatorHealthIndicator holdfastHealthIndicator(RunningHoldfast holdfast, HoldfastProperties properties) {
            return new ActuatorHealthIndicator(holdfast, properties.health().failOn());
        }
    }

    /** Boot 4, where health is a module. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
    @ConditionalOnBooleanProperty(name = "holdfast.health.enabled", matchIfMissing = true)
    static class OfHealthModule {
        @Bean
        @ConditionalOnMissingBean(name = "holdfastHealthIndicator")
        ModuleHealthIndicator holdfastHealthIndicator(RunningHoldfast holdfast, HoldfastProperties properties) {
            return new ModuleHealthIndicator(holdfast, properties.health().failOn());
        }
    }
}
