package io.holdfast.refchains.test;

/** Static fields in which tests hang their graphs; emptied after each test. */
public final class Registry {
    public static Object active;
    public static Object other;

    private Registry() { }
}
