package io.holdfast.agent;

import java.util.List;
import java.util.Objects;

/**
 * How the hook is used.
 *
 * @param tokens   whether the token lane samples
 * @param allSites whether the interval lane, once it is wanted, counts at all allocating instructions of all classes that can carry hooks
 * @param sampled  the interval lane, or null
 * @param learned  sites of an earlier run, see {@link SiteFile}; they get their hooks when their class is loaded
 */
public record HookSettings(boolean tokens, boolean allSites, SampledAllocations sampled, List<LearnedSite> learned) {
    public HookSettings {
        learned = List.copyOf(Objects.requireNonNull(learned, "learned"));
    }

    /** The token lane alone. */
    public static HookSettings defaults() {
        return new HookSettings(true, false, null, List.of());
    }
}
