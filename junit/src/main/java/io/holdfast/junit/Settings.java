package io.holdfast.junit;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * What can be set, by JUnit's configuration parameters or by system properties, which these fall back to.
 *
 * @param attach         whether an agent may be attached when none was given
 * @param baseline       file with the ids of known leaks
 * @param updateBaseline whether new leaks are added to it instead of failing the test
 * @param searchLimit    how long one search for a chain may take
 */
record Settings(boolean attach, Path baseline, boolean updateBaseline, Duration searchLimit) {
    static final String ATTACH = "holdfast.junit.attach";
    static final String REPORT = "holdfast.junit.report";
    static final String BASELINE = "holdfast.baseline";
    static final String BASELINE_UPDATE = "holdfast.baseline.update";
    static final String SEARCH_SECONDS = "holdfast.junit.search-seconds";
    private static final String DEFAULT_BASELINE = "src/test/holdfast-baseline.txt";
    private static final long DEFAULT_SEARCH_SECONDS = 30;

    static Settings of(Function<String, Optional<String>> parameters) {
        return new Settings(truth(parameters, ATTACH), Path.of(parameters.apply(BASELINE).orElse(DEFAULT_BASELINE)), truth(parameters, BASELINE_UPDATE),
                parameters.apply(SEARCH_SECONDS).map(Settings::seconds).orElse(Duration.ofSeconds(DEFAULT_SEARCH_SECONDS)));
    }

    static Settings ofSystemProperties() {
        return of(key -> Optional.ofNullable(System.getProperty(key)));
    }

    private static boolean truth(Function<String, Optional<String>> parameters, String key) {
        String value = parameters.apply(key).orElse("false").strip();
        if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
            return value.equalsIgnoreCase("true");
        }
        throw new IllegalArgumentException(key + "=" + value + ": allowed are true and false");
    }

    private static Duration seconds(String value) {
        try {
            long seconds = Long.parseLong(value.strip());
            if (seconds >= 1 && seconds <= 3_600) {
                return Duration.ofSeconds(seconds);
            }
        } catch (NumberFormatException e) {
            // said below
        }
        throw new IllegalArgumentException(SEARCH_SECONDS + "=" + value + ": allowed is a number of seconds, 1 to 3600");
    }
}
