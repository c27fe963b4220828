package io.holdfast.refchains.test;

import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.ThreadFactory;

/** What a program gives to the JDK's executors and futures. */
public final class Errand implements Runnable, Callable<Object> {
    private final int[] content = new int[3];

    @Override
    public void run() { }

    @Override
    public Object call() {
        return content;
    }

    /** Shared by all tasks of an executor. */
    public static ThreadFactory threads() {
        return new Threads();
    }

    /** Neither of the JDK nor what is put into something of it. */
    public static TimerTask timed() {
        return new Timed();
    }

    private static final class Threads implements ThreadFactory {
        @Override
        public Thread newThread(Runnable work) {
            return new Thread(work);
        }
    }

    private static final class Timed extends TimerTask {
        @Override
        public void run() { }
    }
}
