package io.holdfast.refchains.test;

import org.example.library.Wrapper;

/** Has something of a library's that refers back to it, and is in one of two states. */
public final class Order {
    /** A state. */
    public enum State { OPEN, SHIPPED }

    private final Wrapper back = new Wrapper(this);
    private Object nothing;

    public Wrapper back() {
        return back;
    }

    /** Never set: an object without references would be a leaf. */
    public Object nothing() {
        return nothing;
    }
}
