package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.Holdfast;
import io.holdfast.micrometer.HoldfastMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which beans are there under which conditions. No application becomes ready here, so no Holdfast is started. */
class HoldfastAutoConfigurationTest {
    private static final String BOTH_HEALTH_APIS = "org.springframework.boot.health";

    /** Boot 3.5: without the health module, which is on our class path to be compiled against. */
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class, HoldfastActuatorAutoConfiguration.class, HoldfastMetricsAutoConfiguration.class))
            .withClassLoader(new FilteredClassLoader(BOTH_HEALTH_APIS))
            .withPropertyValues("management.endpoints.web.exposure.include=leaks");

    @Test
    void everythingThatIsWantedIsThere() {
        runner.run(context -> {
            assertThat(context).hasNotFailed().hasSingleBean(HoldfastLifecycle.class).hasSingleBean(LeaksEndpoint.class).hasSingleBean(LeaksWebExtension.class)
                    .hasSingleBean(HoldfastInfoContributor.class).hasSingleBean(ActuatorHealthIndicator.class).hasSingleBean(HoldfastMetrics.class)
                    .doesNotHaveBean(Holdfast.class);
            assertThat(context.getBean(RunningHoldfast.class).get()).isEmpty();
            assertThat(Holdfast.startedBy()).isEmpty();
        });
    }

    @Test
    void switchedOffNothingIsThere() {
        runner.withPropertyValues("holdfast.enabled=false").run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastLifecycle.class)
                .doesNotHaveBean(RunningHoldfast.class).doesNotHaveBean(LeaksEndpoint.class).doesNotHaveBean(HoldfastMetrics.class)
                .doesNotHaveBean("holdfastHealthIndicator"));
    }

    @Test
    void partsAreSwitchedOffOneByOne() {
        runner.withPropertyValues("holdfast.health.enabled=false", "holdfast.info.enabled=false", "holdfast.metrics.enabled=false",
                "management.endpoint.leaks.access=NONE").run(context -> assertThat(context).hasNotFailed().hasSingleBean(HoldfastLifecycle.class)
                        .doesNotHaveBean("holdfastHealthIndicator").doesNotHaveBean(HoldfastInfoContributor.class).doesNotHaveBean(HoldfastMetrics.class)
                        .doesNotHaveBean(LeaksEndpoint.class));
    }

    @Test
    void anEndpointThatIsNotExposedIsNotThere() {
        runner.withPropertyValues("management.endpoints.web.exposure.include=health")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(LeaksEndpoint.class).hasSingleBean(HoldfastLifecycle.class));
    }

    @Test
    void withoutActuator() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate", BOTH_HEALTH_APIS)).run(context -> assertThat(context).hasNotFailed()
                .hasSingleBean(HoldfastLifecycle.class).hasSingleBean(HoldfastMetrics.class).doesNotHaveBean("leaksEndpoint").doesNotHaveBean("holdfastHealthIndicator"));
    }

    @Test
    void withoutMicrometer() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer", BOTH_HEALTH_APIS)).run(context -> assertThat(context).hasNotFailed()
                .hasSingleBean(HoldfastLifecycle.class).hasSingleBean(LeaksEndpoint.class).doesNotHaveBean("holdfastMetrics"));
    }

    @Test
    void withoutEither() {
        runner.withClassLoader(new FilteredClassLoader("io.micrometer", "org.springframework.boot.actuate", BOTH_HEALTH_APIS))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(HoldfastLifecycle.class));
    }

    @Test
    void withTheHealthApiOfBootFour() {
        runner.withClassLoader(new FilteredClassLoader("org.springframework.boot.actuate.health")).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(ActuatorHealthIndicator.class).hasBean("holdfastHealthIndicator");
            assertThat(context.getBean("holdfastHealthIndicator")).isInstanceOf(ModuleHealthIndicator.class);
        });
    }

    @Test
    void aLeakIsNoReasonToBeDownAndNoHoldfastIsNone() {
        runner.run(context -> assertThat(context.getBean("holdfastHealthIndicator", HealthIndicator.class).health().getStatus().getCode()).isEqualTo("UP"));
    }

    @Test
    void metersAreABinderForTheRegistriesOfTheApplication() {
        runner.run(context -> {
            MeterRegistry registry = new SimpleMeterRegistry();
            context.getBean(MeterBinder.class).bindTo(registry);
            assertThat(registry.get("holdfast.leaks").gauges()).hasSize(4);
            context.close();
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    /** A handle that runs nothing is enough to see who makes way. */
    @Configuration(proxyBeanMethods = false)
    static class OwnHoldfast {
        @Bean
        Holdfast mine() {
            return Holdfast.start("enabled=false");
        }
    }

    @Test
    void aHoldfastOfTheApplicationTakesThePlaceOfOurs() {
        runner.withUserConfiguration(OwnHoldfast.class).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(HoldfastLifecycle.class).hasSingleBean(LeaksEndpoint.class).hasSingleBean(HoldfastMetrics.class);
            assertThat(context.getBean(RunningHoldfast.class).get()).contains(context.getBean(Holdfast.class));
        });
    }

    @Test
    void beansOfTheApplicationOfTheSameTypesTakeThePlaceOfOurs() {
        runner.withBean("mine", HoldfastMetrics.class, () -> new HoldfastMetrics(java.util.Optional::empty))
                .withBean("holdfastHealthIndicator", HealthIndicator.class, () -> () -> null)
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(HoldfastMetrics.class).doesNotHaveBean(ActuatorHealthIndicator.class));
    }
}
