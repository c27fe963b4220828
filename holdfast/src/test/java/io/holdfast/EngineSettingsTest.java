package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.HoldfastOptions;
import io.holdfast.core.OptionsParser;
import io.holdfast.scheduler.SchedulerSettings;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EngineSettingsTest {
    private static final long HEAP = 1L << 30;

    private static HoldfastOptions options(String text) {
        return new OptionsParser().parse(text).options();
    }

    private static EngineSettings of(String options) {
        return new EngineSettings(options(options), HEAP, 4);
    }

    @Test
    void whatIsNotSetComesFromTheHeapAndTheProcessors() {
        SchedulerSettings defaults = SchedulerSettings.defaults(HEAP, 4);
        SchedulerSettings settings = of("").scheduler();
        assertThat(settings.painBudget()).isEqualTo(defaults.painBudget());
        assertThat(settings.budget()).isEqualTo(defaults.budget());
        assertThat(settings.startPauseTargetNanos()).isEqualTo(Duration.ofMillis(20).toNanos());
        assertThat(settings.startAllowanceNanos()).isEqualTo(Duration.ofSeconds(4).toNanos());
        assertThat(of("").search("com.acme").programPackage()).isEqualTo("com.acme");
    }

    @Test
    void whatIsSetHolds() {
        EngineSettings settings = of("generations=true,referencechains=true:hops=17:budget=1234:ttl=60000:framecap=5678:pausetarget=3:painbudget=2:firstpassbudget=777");
        assertThat(settings.scheduler().budget()).isEqualTo(1_234);
        assertThat(settings.scheduler().firstPassBudget()).isEqualTo(777);
        assertThat(settings.scheduler().painBudget()).isEqualTo(0.02);
        assertThat(settings.scheduler().pauseTargetNanos()).isEqualTo(3_000_000);
        assertThat(settings.scheduler().startPauseTargetNanos()).as("asked for, so from the start on").isZero();
        assertThat(settings.search("").hops()).isEqualTo(17);
        assertThat(settings.search("").frontierCap()).isEqualTo(5_678);
        assertThat(settings.search("").ttlNanos()).isEqualTo(Duration.ofMinutes(1).toNanos());
    }

    @Test
    void nothingIsFoundWithoutASignal() {
        assertThat(EngineSettings.findsLeaks(HoldfastOptions.defaults())).isTrue();
        assertThat(EngineSettings.findsLeaks(options("referencechains=true"))).isFalse();
        assertThat(of("").liveness().signal()).isTrue();
        assertThat(of("generations=true").liveness().signal()).isFalse();
    }
}
