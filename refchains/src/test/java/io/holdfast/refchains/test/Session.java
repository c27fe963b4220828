package io.holdfast.refchains.test;

import java.util.function.Supplier;

/** What leaks in tests. */
public class Session {
    public static Object shared;
    public final byte[] buffer;
    public final String user;
    public Session next;

    public Session(int number) {
        buffer = new byte[16];
        user = "user-" + number;
    }

    /** A lambda that captures the object. */
    public static Supplier<Object> capturing(Object object) {
        return () -> object;
    }

    /** A task that captures the object. */
    public static Runnable touching(Object object) {
        return object::hashCode;
    }
}
