package io.holdfast.jfr;

import io.holdfast.core.Leak;
import io.holdfast.core.LiveSample;
import java.time.Instant;
import java.util.List;
import java.util.Objects;

/**
 * All that is known at one moment and goes into every chunk. Immutable; holds nothing of the application but weak references.
 *
 * @param asOf        when this was put together
 * @param status      the run of Holdfast
 * @param leaks       leaks, worst first
 * @param liveSamples tracked objects that were alive, oldest first; at most {@value #MAX_LIVE_SAMPLES} are written
 */
public record Findings(Instant asOf, RunStatus status, List<Leak> leaks, List<LiveSample> liveSamples) {
    /** Tracked objects in one chunk at the most. */
    public static final int MAX_LIVE_SAMPLES = 1_024;

    public Findings {
        Objects.requireNonNull(asOf, "asOf");
        Objects.requireNonNull(status, "status");
        leaks = List.copyOf(leaks);
        liveSamples = List.copyOf(liveSamples);
    }
}
