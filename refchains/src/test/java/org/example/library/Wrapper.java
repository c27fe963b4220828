package org.example.library;

/** What a library makes around an object of the program. */
public final class Wrapper implements Runnable {
    private final Object wrapped;

    public Wrapper(Object wrapped) {
        this.wrapped = wrapped;
    }

    @Override
    public void run() {
        wrapped.hashCode();
    }
}
