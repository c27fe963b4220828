package io.holdfast.agent;

import java.util.Objects;

/**
 * The static method that instrumented code calls: {@code void (Object instance, int siteId)}.
 *
 * @param owner internal name of its class
 * @param name  its name
 */
record HookMethod(String owner, String name) {
    static final String DESCRIPTOR = "(Ljava/lang/Object;I)V";

    HookMethod {
        Objects.requireNonNull(owner, "owner");
        Objects.requireNonNull(name, "name");
    }
}
