package io.holdfast.refchains.test;

import java.util.concurrent.CountDownLatch;

/** A thread that keeps a value in a thread-local until it is closed. */
public final class Pooled extends Thread implements AutoCloseable {
    private static final ThreadLocal<Object> LOCAL = new ThreadLocal<>();

    private final CountDownLatch ready = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private Object initial;

    private Pooled(String name, Object value) {
        super(name);
        initial = value;
        setDaemon(true);
    }

    public static Pooled holding(String name, Object value) {
        Pooled thread = new Pooled(name, value);
        thread.start();
        thread.awaitReady();
        return thread;
    }

    private void awaitReady() {
        try {
            ready.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void run() {
        LOCAL.set(initial);
        initial = null;
        ready.countDown();
        try {
            end.await();
        } catch (InterruptedException e) {
            interrupt();
        }
    }

    @Override
    public void close() {
        end.countDown();
        try {
            join();
        } catch (InterruptedException e) {
            currentThread().interrupt();
        }
    }
}
