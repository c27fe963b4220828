package io.holdfast.spring;

import java.util.List;

/** Properties below {@code holdfast} that cannot be understood. */
final class InvalidHoldfastPropertiesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> problems;

    InvalidHoldfastPropertiesException(List<String> problems) {
        super("Properties below 'holdfast' are not valid: " + String.join("; ", problems));
        this.problems = List.copyOf(problems);
    }

    List<String> problems() {
        return problems;
    }
}
