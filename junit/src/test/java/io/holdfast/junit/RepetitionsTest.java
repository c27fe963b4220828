package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The short form of {@code proofs/junit-repetitions}: the right answer each time, whatever collects. */
class RepetitionsTest {
    private static final int REPETITIONS = 8;

    @TempDir
    Path scratch;

    static Stream<String> collectors() {
        return Stream.of("-XX:+UseG1GC", "-XX:+UseParallelGC", "-XX:+UseSerialGC", "-XX:+UseZGC", "-XX:+UseShenandoahGC");
    }

    @ParameterizedTest
    @MethodSource("collectors")
    void neverAWrongAnswer(String collector) throws Exception {
        ForkedTests.Result result = new ForkedTests(scratch, "5.12").flags("-Xmx96m", collector)
                .main("com.acme.shop.Repetitions", Integer.toString(REPETITIONS), "20261130");
        if (result.output().contains("not supported") || result.output().contains("Unrecognized VM option")) {
            return; // a JDK without that collector
        }
        assertThat(result.output()).contains("right: " + REPETITIONS + " passes and " + REPETITIONS + " failures");
        assertThat(result.status()).isZero();
    }
}
