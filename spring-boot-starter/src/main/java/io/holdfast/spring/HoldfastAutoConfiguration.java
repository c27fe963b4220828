package io.holdfast.spring;

import io.holdfast.Holdfast;
import io.holdfast.ReportListener;
import io.holdfast.core.LeakListener;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.NativeDetector;

/**
 * Holdfast with the application: starts when it is ready, stops with its context. Backs off with {@code holdfast.enabled=false}. A bean of type
 * {@link Holdfast} takes its place. Beans of type {@link LeakListener} and {@link ReportListener} are told.
 */
@AutoConfiguration
@ConditionalOnClass(Holdfast.class)
@ConditionalOnBooleanProperty(name = "holdfast.enabled", matchIfMissing = true)
@EnableConfigurationProperties(HoldfastProperties.class)
public final class HoldfastAutoConfiguration {
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingBean(Holdfast.class)
    static class OfTheContext {
        @Bean
        HoldfastLifecycle holdfastLifecycle(HoldfastProperties properties, ObjectProvider<LeakListener> leakListeners,
                ObjectProvider<ReportListener> reportListeners) {
            return new HoldfastLifecycle(properties, () -> leakListeners.orderedStream().toList(), () -> reportListeners.orderedStream().toList(),
                    NativeDetector::inNativeImage);
        }
    }

    /** Asked for by whoever shows something, and only then. */
    @Bean
    @ConditionalOnMissingBean(RunningHoldfast.class)
    RunningHoldfast holdfastOfTheApplication(ObjectProvider<Holdfast> bean) {
        return () -> Optional.ofNullable(bean.getIfAvailable());
    }
}
