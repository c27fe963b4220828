package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.HoldfastOptions;
import io.holdfast.core.ParsedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class HoldfastBuilderTest {
    @Test
    void nothingSetIsTheFullLeakFinder() {
        ParsedOptions parsed = Holdfast.builder().parsed();
        assertThat(parsed.problems()).isEmpty();
        assertThat(parsed.given()).isEmpty();
        assertThat(parsed.options()).isEqualTo(HoldfastOptions.defaults());
    }

    @Test
    void everyMethodSetsItsOption() {
        HoldfastOptions options = Holdfast.builder().options("report=weaker.json,jfr=a.jfr").report(Path.of("a,b:c=d.json")).html(Path.of("x.html"))
                .sites(Path.of("sites.txt")).log(false).stackLocals(false).tokens(false).confirm(true).enabled(false).memory("1m:l:0.5")
                .delay(Duration.ofMillis(1_500)).parsed().options();
        assertThat(options.report()).isEqualTo(Path.of("a,b:c=d.json"));
        assertThat(options.jfr()).isEqualTo(Path.of("a.jfr"));
        assertThat(options.html()).isEqualTo(Path.of("x.html"));
        assertThat(options.sites()).isEqualTo(Path.of("sites.txt"));
        assertThat(options.logText()).isFalse();
        assertThat(options.stackLocals()).isFalse();
        assertThat(options.tokens()).isFalse();
        assertThat(options.confirm()).isEqualTo(HoldfastOptions.Confirm.UNREACHED);
        assertThat(options.enabled()).isFalse();
        assertThat(options.memory().intervalBytes()).isEqualTo(1L << 20);
        assertThat(options.delaySeconds()).isEqualTo(2);
    }

    @Test
    void limitsOfTheWalkLeaveTheFullLeakFinderOn() {
        HoldfastOptions options = Holdfast.builder().walk(w -> w.hops(64).budget(2_000).firstPassBudget(0).ttl(Duration.ofMinutes(5)).frontierCap(200_000)
                .sliceTarget(Duration.ofMillis(2)).cpuShare(0.03)).parsed().options();
        assertThat(options.generations()).isTrue();
        assertThat(options.referenceChains()).isTrue();
        assertThat(options.whyNothingIsFound()).isEmpty();
        assertThat(options.chains()).isEqualTo(new HoldfastOptions.ReferenceChains(OptionalInt.of(64), OptionalInt.of(2_000), OptionalLong.of(300_000),
                OptionalInt.of(200_000), OptionalLong.of(2), OptionalInt.of(3), OptionalInt.of(0)));
    }

    @Test
    void whatIsNamedIsActiveAndNothingElse() {
        HoldfastOptions options = Holdfast.builder().generations(true).walk(w -> w.hops(64)).parsed().options();
        assertThat(options.generations()).isTrue();
        assertThat(options.referenceChains()).isFalse();
        assertThat(options.chains().hops()).hasValue(64);
    }

    @Test
    void allMistakesAreThrownAtOnceAndNothingIsStarted() {
        HoldfastBuilder builder = Holdfast.builder().memory("lots").delay(Duration.ofSeconds(-1)).walk(w -> w.hops(-3).cpuShare(0.015));
        assertThat(builder.problems()).hasSize(4);
        assertThatThrownBy(builder::start).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("delay PT-1S").hasMessageContaining("hops -3")
                .hasMessageContaining("cpuShare 0.015").hasMessageContaining("memory=lots");
        assertThat(Holdfast.startedBy()).isEmpty();
    }

    @Test
    void optionsByNameAreThoseOfTheAgent() {
        assertThat(Holdfast.builder().option("StackLocals", "false").problems()).isEmpty();
        assertThat(Holdfast.builder().option("stacklocals", "false").parsed().options().stackLocals()).isFalse();
        assertThat(Holdfast.builder().option("stacklocal", "false").problems()).singleElement().asString().contains("Did you mean 'stacklocals'?");
        assertThat(Holdfast.builder().option("colour", "red").problems()).containsExactly("Unknown option 'colour'");
    }

    @Test
    void whoComesSecondGetsNothingToClose() {
        SingleInstance first = SingleInstance.claim("com.acme.Main", Fixtures.NOON);
        try {
            assertThat(Holdfast.builder().startIfNotRunning()).isEmpty();
            assertThat(Holdfast.startedBy()).hasValueSatisfying(who -> assertThat(who).contains("com.acme.Main"));
        } finally {
            first.release();
        }
    }
}
