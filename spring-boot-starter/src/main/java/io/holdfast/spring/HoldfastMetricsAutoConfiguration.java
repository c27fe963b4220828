package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.micrometer.HoldfastMetrics;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters, where the application has Micrometer. They are a {@link MeterBinder}, which every line of Boot binds to its registries. */
@AutoConfiguration(after = HoldfastAutoConfiguration.class, afterName = {
    "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
    "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
})
@ConditionalOnClass({MeterBinder.class, HoldfastMetrics.class})
@ConditionalOnBean(RunningHoldfast.class)
@ConditionalOnBooleanProperty(name = "holdfast.metrics.enabled", matchIfMissing = true)
public final class HoldfastMetricsAutoConfiguration {
    /** A Holdfast of the application is there already; one of the context comes later and hands its reports on. */
    @Bean
    @ConditionalOnMissingBean
    HoldfastMetrics holdfastMetrics(RunningHoldfast running, ObjectProvider<Holdfast> bean) {
        Holdfast ofTheApplication = bean.getIfAvailable();
        return ofTheApplication != null ? new HoldfastMetrics(ofTheApplication) : new HoldfastMetrics(running::get);
    }
}
