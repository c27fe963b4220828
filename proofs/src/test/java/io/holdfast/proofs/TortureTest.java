package io.holdfast.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A few seconds of {@link Torture} under every collector; {@code proofs/torture} does it for hours. */
@EnabledIfSystemProperty(named = "holdfast.torture", matches = "true", disabledReason = "a command of its own: proofs/torture, or mvn verify -Dholdfast.torture=true")
class TortureTest {
    private static final String SECONDS = "4";

    @TempDir
    Path scratch;

    static Stream<List<String>> collectors() {
        List<List<String>> flags = new ArrayList<>();
        for (String collector : List.of("G1", "Parallel", "Serial", "Z", "Shenandoah")) {
            flags.add(List.of("-Xmx96m", "-XX:+Use" + collector + "GC"));
        }
        if (Runtime.version().feature() >= 25) {
            flags.add(List.of("-Xmx96m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders"));
            flags.add(List.of("-Xmx96m", "-XX:+UseShenandoahGC", "-XX:ShenandoahGCMode=generational"));
        }
        return flags.stream();
    }

    @ParameterizedTest
    @MethodSource("collectors")
    void theProgramComputesTheSameNothingIsKeptAliveAndWhatIsHeldIsFound(List<String> flags) throws Exception {
        Assumptions.assumeTrue(ForkedJvm.starts(flags), "this JVM has no such collector");
        long seed = System.nanoTime();
        ForkedJvm.Result result = new ForkedJvm(flags).run(scratch, Torture.class, SECONDS, Long.toString(seed));
        assertThat(result.status()).as("seed %d%n%s", seed, result.output()).isZero();
        assertThat(result.output()).contains("survived ");
    }
}
