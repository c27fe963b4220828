package io.holdfast.agent;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which threads are inside a callback, by id: exact, without a ThreadLocal (whose first use allocates, in code that may be the one sampled). A thread looks for
 * itself in a few slots and takes a free one; where all are taken by others it is turned away. No thread is kept alive.
 */
final class ThreadsInside {
    static final int NESTED = -1;
    static final int CROWDED = -2;
    private static final int SLOTS = 1_024;
    private static final int PROBES = 8;

    private final AtomicLongArray ids = new AtomicLongArray(SLOTS);

    /** The slot to {@link #leave}, {@link #NESTED} or {@link #CROWDED}. */
    int enter(long threadId) {
        int home = (int) (threadId * 0x9E37_79B9_7F4A_7C15L >>> 54);
        int free = CROWDED;
        for (int i = 0; i < PROBES; i++) {
            int slot = home + i & SLOTS - 1;
            long id = ids.get(slot);
            if (id == threadId) {
                return NESTED;
            }
            if (id == 0 && free < 0) {
                free = slot;
            }
        }
        if (free >= 0 && ids.compareAndSet(free, 0, threadId)) {
            return free;
        }
        // Somebody took it meanwhile: nobody but this thread enters its id, so looking for another free slot is enough.
        for (int i = 0; i < PROBES; i++) {
            int slot = home + i & SLOTS - 1;
            if (ids.get(slot) == 0 && ids.compareAndSet(slot, 0, threadId)) {
                return slot;
            }
        }
        return CROWDED;
    }

    void leave(int slot) {
        ids.set(slot, 0);
    }
}
