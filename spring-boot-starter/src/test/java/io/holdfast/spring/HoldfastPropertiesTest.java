package io.holdfast.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.HoldfastBuilder;
import io.holdfast.core.HoldfastOptions;
import io.holdfast.core.ParsedOptions;
import io.holdfast.spring.HoldfastProperties.Confirm;
import io.holdfast.spring.HoldfastProperties.FailOn;
import io.holdfast.spring.HoldfastProperties.LogForm;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class HoldfastPropertiesTest {
    private static HoldfastProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("holdfast", Bindable.of(HoldfastProperties.class));
    }

    @Test
    void withoutAnyPropertyEverythingIsAsWithoutOptions() {
        HoldfastProperties properties = bind(Map.of());
        assertThat(properties).isEqualTo(new HoldfastProperties(true, null, null, null, null, null, null, null, null, null, null, null, null, null,
                null, new HoldfastProperties.Walk(null, null, null, null, null, null, null), new HoldfastProperties.Health(true, FailOn.NEVER),
                new HoldfastProperties.Info(true), new HoldfastProperties.Metrics(true)));
        assertThat(properties.toBuilder().problems()).isEmpty();
    }

    @Test
    void everyPropertyInKebabForm() {
        HoldfastProperties properties = bind(Map.ofEntries(Map.entry("holdfast.enabled", "false"), Map.entry("holdfast.options", "log=off"),
                Map.entry("holdfast.memory", "512k:al:0.1"), Map.entry("holdfast.generations", "true"), Map.entry("holdfast.reference-chains", "true:hops=9"),
                Map.entry("holdfast.log", "off"), Map.entry("holdfast.report", "/tmp/a,b.json"), Map.entry("holdfast.html", "a.html"),
                Map.entry("holdfast.jfr", "a.jfr"), Map.entry("holdfast.delay", "2m"), Map.entry("holdfast.stack-locals", "false"),
                Map.entry("holdfast.tokens", "false"), Map.entry("holdfast.all-sites", "true"), Map.entry("holdfast.sites", "sites.txt"), Map.entry("holdfast.confirm", "jfr"),
                Map.entry("holdfast.walk.hops", "64"), Map.entry("holdfast.walk.budget", "2000"), Map.entry("holdfast.walk.first-pass-budget", "0"),
                Map.entry("holdfast.walk.ttl", "5m"), Map.entry("holdfast.walk.frontier-cap", "200000"), Map.entry("holdfast.walk.slice-target", "2"),
                Map.entry("holdfast.walk.cpu-share", "0.02"), Map.entry("holdfast.health.enabled", "false"), Map.entry("holdfast.health.fail-on", "confirmed"),
                Map.entry("holdfast.info.enabled", "false"), Map.entry("holdfast.metrics.enabled", "false")));
        assertThat(properties).isEqualTo(new HoldfastProperties(false, "log=off", "512k:al:0.1", true, "true:hops=9", LogForm.OFF, "/tmp/a,b.json", "a.html", "a.jfr",
                Duration.ofMinutes(2), false, false, true, "sites.txt", Confirm.JFR,
                new HoldfastProperties.Walk(64, 2_000, 0, Duration.ofMinutes(5), 200_000, Duration.ofMillis(2), 0.02),
                new HoldfastProperties.Health(false, FailOn.CONFIRMED), new HoldfastProperties.Info(false), new HoldfastProperties.Metrics(false)));
        assertThat(properties.toBuilder().problems()).isEmpty();
    }

    /** {@code -Dholdfast.stacklocals=false -Dholdfast.delay=10}, as without Spring. */
    @Test
    void theSystemPropertiesOfHoldfastMeanTheSameHere() {
        HoldfastProperties properties = bind(Map.of("holdfast.stacklocals", "false", "holdfast.delay", "10", "holdfast.referencechains", "true:hops=3"));
        assertThat(properties.stackLocals()).isFalse();
        assertThat(properties.delay()).isEqualTo(Duration.ofSeconds(10));
        assertThat(properties.referenceChains()).isEqualTo("true:hops=3");
    }

    /** {@code -Dholdfast.confirm=jfr:all} must not keep the application from starting. */
    @Test
    void explainedLeaksMayBeAskedAboutToo() {
        HoldfastProperties properties = bind(Map.of("holdfast.confirm", "jfr:all"));
        assertThat(properties.confirm()).isEqualTo(Confirm.JFR_ALL);
        assertThat(properties.toBuilder().problems()).isEmpty();
        assertThat(options(properties).confirm()).isEqualTo(HoldfastOptions.Confirm.ALL);
    }

    /** What is not set must not be stronger than what is. */
    @Test
    void optionsAreWeakerThanWhatIsSetAndStrongerThanDefaults() {
        HoldfastProperties properties = bind(Map.of("holdfast.options", "confirm=jfr,delay=30,tokens=false,stacklocals=false,log=off,allsites=true",
                "holdfast.delay", "5s"));
        HoldfastOptions options = options(properties);
        assertThat(options.delaySeconds()).isEqualTo(5);
        assertThat(options.confirm()).isEqualTo(HoldfastOptions.Confirm.UNREACHED);
        assertThat(options.tokens()).isFalse();
        assertThat(options.stackLocals()).isFalse();
        assertThat(options.logText()).isFalse();
        assertThat(options.allSites()).isTrue();
    }

    /** What would be in force; the method is not for users. */
    private static HoldfastOptions options(HoldfastProperties properties) {
        try {
            Method parsed = HoldfastBuilder.class.getDeclaredMethod("parsed");
            parsed.setAccessible(true);
            return ((ParsedOptions) parsed.invoke(properties.toBuilder())).options();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void allBadPropertiesAreNamedAtOnceInsteadOfAStackTrace() {
        new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(HoldfastAutoConfiguration.class))
                .withPropertyValues("holdfast.walk.hops=-1", "holdfast.memory=lots", "holdfast.delay=-5s").run(context -> {
                    assertThat(context).hasFailed();
                    FailureAnalysis analysis = new InvalidHoldfastPropertiesFailureAnalyzer().analyze(context.getStartupFailure());
                    assertThat(analysis.getDescription()).contains("hops -1: allowed 1 to 200000").contains("memory=lots").contains("delay PT-5S");
                    assertThat(analysis.getAction()).contains("holdfast.enabled=false");
                });
    }
}
