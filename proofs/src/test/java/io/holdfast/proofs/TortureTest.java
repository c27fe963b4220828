package io.holdfast.proofs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A second of {@link Torture} under every collector, with {@code -Dholdfast.torture=true} four and under more kinds of them; {@code proofs/torture} does it
 * for hours.
 */
class TortureTest {
    private static final boolean LONG = Boolean.getBoolean("holdfast.torture");
    private static final String SECONDS = LONG ? "4" : "1";

    @TempDir
    Path scratch;

    static Stream<List<String>> collectors() {
        List<List<String>> flags = new ArrayList<>();
        boolean compact = Runtime.version().feature() >= 25;
        for (String collector : List.of("Parallel", "Serial", "Z", "Shenandoah")) {
            flags.add(List.of("-Xmx96m", "-XX:+Use" + collector + "GC"));
        }
        flags.add(compact ? List.of("-Xmx96m", "-XX:+UseG1GC", "-XX:+UseCompactObjectHeaders") : List.of("-Xmx96m", "-XX:+UseG1GC"));
        if (LONG && compact) {
            flags.add(List.of("-Xmx96m", "-XX:+UseG1GC"));
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
