package io.holdfast.agent;

import java.lang.instrument.Instrumentation;
import java.util.Objects;

/**
 * What {@link SelfAttach#attach} came to: exactly one of the two is there.
 *
 * @param instrumentation of this JVM, or null
 * @param reason          why there is none, as one line for people, or null
 */
public record AttachResult(Instrumentation instrumentation, String reason) {
    public AttachResult {
        if ((instrumentation == null) == (reason == null)) {
            throw new IllegalArgumentException("either an instrumentation or a reason");
        }
    }

    static AttachResult attached(Instrumentation instrumentation) {
        return new AttachResult(Objects.requireNonNull(instrumentation), null);
    }

    static AttachResult refused(String reason) {
        return new AttachResult(null, reason.replaceAll("\\s+", " ").strip());
    }

    /** Whether there is an instrumentation. */
    public boolean attached() {
        return instrumentation != null;
    }
}
