package io.holdfast.core;

import java.util.Objects;

/**
 * Where a chain starts.
 *
 * @param kind   kind of root
 * @param label  what people read, for example {@code static com.acme.Registry.ACTIVE} or {@code thread "http-1"}
 * @param thread name of the thread, or null where no thread is involved
 */
public record GcRoot(RootKind kind, String label, String thread) {
    public GcRoot {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(label, "label");
    }
}
