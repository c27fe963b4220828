package io.holdfast.core;

import java.util.Objects;

/**
 * An option that was not understood. The application starts all the same, and the option keeps its default.
 *
 * @param key     the key as written; sub-options as {@code referencechains:hops}
 * @param value   the value as written, empty when there was none
 * @param message the whole sentence for people: key, value, what is allowed, and the nearest match of an unknown key. One line, at most a few
 *                hundred characters (except the answer to {@code help}, which is the table of options)
 */
public record OptionProblem(String key, String value, String message) {
    public OptionProblem {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        Objects.requireNonNull(message, "message");
    }
}
