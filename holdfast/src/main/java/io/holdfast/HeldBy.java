package io.holdfast;

import io.holdfast.core.Leak;
import java.util.List;
import java.util.Objects;

/**
 * What holds some objects that should be gone. Immutable; holds none of them.
 *
 * @param leak           the findings as a leak: its id, which the profiler would give the same leak; chains; place where they are kept
 * @param softly         whether only soft references hold them
 * @param objectsWalked  objects the search entered into its table
 * @param cpuNanos       CPU time of the search
 * @param elapsedNanos   its wall-clock time
 * @param accessLevel    {@code agent}, {@code self-attached}, {@code trusted} or {@code plain}
 * @param closedPackages packages that could not be read, as {@code --add-opens} takes them
 */
public record HeldBy(Leak leak, boolean softly, long objectsWalked, long cpuNanos, long elapsedNanos, String accessLevel, List<String> closedPackages) {
    public HeldBy {
        Objects.requireNonNull(leak, "leak");
        closedPackages = List.copyOf(closedPackages);
    }

    /** Whether a chain from a root was found. */
    public boolean explained() {
        return !leak.chains().isEmpty();
    }
}
