package io.holdfast.examples.sessions;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** Names the threads as a web server would. */
final class RequestThreads implements ThreadFactory {
    private final AtomicInteger count = new AtomicInteger();

    @Override
    public Thread newThread(Runnable work) {
        return new Thread(work, "http-" + count.incrementAndGet());
    }
}
