package io.holdfast.refchains.test;

import java.util.concurrent.CountDownLatch;

/** Task of a thread that waits for the end of the test. */
public final class Waiting implements Runnable {
    public final Session session;
    private final CountDownLatch end;

    public Waiting(Session session, CountDownLatch end) {
        this.session = session;
        this.end = end;
    }

    @Override
    public void run() {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
