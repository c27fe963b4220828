package com.acme.scouted;

import java.util.concurrent.SynchronousQueue;

/** Objects that only a local variable of a thread holds, which waits for them and allocates nothing of its own. */
public final class Parked implements AutoCloseable {
    public static final String THREAD_NAME = "parked-keeper";
    private static final int ROOM = 200_000;
    private static final int AT_ONCE = 2_000;

    private final SynchronousQueue<Object> handed = new SynchronousQueue<>();
    private final Thread keeper = new Thread(() -> keep(handed), THREAD_NAME);
    private int size;

    /** One of them. */
    public static final class Entry {
        private final long[] content = new long[64];

        @Override
        public String toString() {
            return "entry of " + content.length;
        }
    }

    public Parked() {
        keeper.setDaemon(true);
        keeper.start();
    }

    private static void keep(SynchronousQueue<Object> handed) {
        Object[] kept = new Object[ROOM];
        try {
            for (int next = 0; next < ROOM; next++) {
                kept[next] = handed.take();
            }
        } catch (InterruptedException e) {
            kept[0] = null; // in use up to here
        }
    }

    /** Hands some more over, as long as there is room. */
    public void fill() throws InterruptedException {
        if (size + AT_ONCE >= ROOM) {
            return; // else the thread would end, and nobody would take what is handed over next
        }
        for (int i = 0; i < AT_ONCE; i++) {
            handed.put(new Entry());
            size++;
        }
    }

    /** The line above that allocates. */
    public String site() {
        return "com.acme.scouted.Parked.fill(Parked.java)";
    }

    public int size() {
        return size;
    }

    @Override
    public void close() {
        keeper.interrupt();
    }
}
