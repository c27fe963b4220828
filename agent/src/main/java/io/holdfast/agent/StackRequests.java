package io.holdfast.agent;

import io.holdfast.core.StackLocals;
import io.holdfast.core.Ticker;
import io.holdfast.core.TrackedInstance;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whom the Holdfast thread wants to look at its frames, and what they have seen: threads named by it, and as places are left those that come by first, for what
 * one thread makes is often held by another, which waits for it. A thread looks at most twice a second, and so seldom that looking takes less than 0.5 % of its
 * time; one look a thread waits here to be taken, a newer one takes its place.
 *
 * <p>{@link #hit} runs on application threads inside the hook: no lock, bounded work, lets nothing escape. The rest belongs to the Holdfast thread.
 */
final class StackRequests {
    static final long SPACING_NANOS = 500_000_000L;
    static final int REST_FACTOR = 200;
    /** One more than may be named: the main thread, whose locals often hold what the program is made of, must not find the places taken. */
    static final int PLACES = StackLocals.MAX_THREADS + 1;
    /** For so long after it may look again a thread that came by keeps its place: threads of a request are gone by then. */
    private static final long KEEPS_PLACE_NANOS = 5_000_000_000L;
    private static final long FREE = TrackedInstance.UNKNOWN_THREAD;

    private final LiveFrames frames;
    private final long mainThread;
    private final Ticker ticker;
    private final LongAdder looks;
    private final LongAdder lookNanos;
    private final LongAdder faults;
    private volatile Wanted wanted;
    private volatile Throwable fault;

    /** Position i of each array belongs to one thread. */
    private static final class Wanted {
        private static final int MAIN = PLACES - 1;
        /** {@link #FREE} where nobody has taken the place yet. */
        final AtomicLongArray threadIds = new AtomicLongArray(PLACES);
        /** Once it is published, written by the thread itself only. */
        final long[] dueNanos = new long[PLACES];
        final AtomicReferenceArray<CapturedStack> seen = new AtomicReferenceArray<>(PLACES);

        Wanted(Set<Long> named, long mainThread, long nowNanos) {
            int place = 0;
            for (long threadId : named) {
                if (place < MAIN && threadId != FREE) {
                    threadIds.setPlain(place++, threadId);
                }
            }
            if (position(mainThread) < 0) {
                threadIds.setPlain(MAIN, mainThread);
            }
            Arrays.fill(dueNanos, nowNanos);
        }

        /** Those asked before keep their pace, and those that have come by of late their places while there are some. */
        void takeOver(Wanted before, long nowNanos) {
            for (int i = 0; i < PLACES; i++) {
                long threadId = before.threadIds.get(i);
                boolean ofLate = nowNanos - before.dueNanos[i] < KEEPS_PLACE_NANOS;
                int position = threadId == FREE ? -1 : ofLate ? placeOf(threadId) : position(threadId);
                if (position >= 0) {
                    dueNanos[position] = before.dueNanos[i];
                    seen.setPlain(position, before.seen.get(i));
                }
            }
        }

        int position(long threadId) {
            for (int i = 0; i < PLACES; i++) {
                if (threadIds.get(i) == threadId) {
                    return i;
                }
            }
            return -1;
        }

        /** The thread's place, a free one if it has none; -1 if all are taken. */
        int placeOf(long threadId) {
            int position = position(threadId);
            for (int i = 0; position < 0 && i < MAIN; i++) {
                if (threadIds.compareAndSet(i, FREE, threadId)) {
                    position = i;
                }
            }
            return position;
        }

        boolean full() {
            for (int i = 0; i < MAIN; i++) {
                if (threadIds.get(i) == FREE) {
                    return false;
                }
            }
            return true;
        }
    }

    /** @param mainThread number of the thread that runs {@code main} */
    StackRequests(LiveFrames frames, long mainThread, Ticker ticker, LongAdder looks, LongAdder lookNanos, LongAdder faults) {
        this.frames = frames;
        this.mainThread = mainThread;
        this.ticker = ticker;
        this.looks = looks;
        this.lookNanos = lookNanos;
        this.faults = faults;
    }

    /** Called at a sample, on the thread that allocates. */
    void hit(long threadId, String threadName) {
        Wanted now = wanted;
        if (now == null || threadId == FREE) {
            return;
        }
        int position = now.placeOf(threadId);
        if (position < 0) {
            return;
        }
        long start = ticker.nanos();
        if (start - now.dueNanos[position] < 0) {
            return;
        }
        now.dueNanos[position] = start + SPACING_NANOS;
        try {
            now.seen.set(position, frames.capture(threadId, Thread.currentThread(), threadName, start));
        } catch (InternalError | RuntimeException | LinkageError failed) {
            faults.increment();
            fault = failed;
            wanted = null;
            return;
        } catch (VirtualMachineError noRoom) {
            // The thread's stack or the heap is nearly full: the application's matter, and no fault of the walk.
            faults.increment();
        }
        long took = ticker.nanos() - start;
        looks.increment();
        lookNanos.add(took);
        now.dueNanos[position] = start + Math.max(SPACING_NANOS, took * REST_FACTOR);
    }

    /**
     * Asks these threads, and others that come by while there are places, {@value StackLocals#MAX_THREADS} in all and the main thread; those that were asked before keep
     * their pace. Nobody is asked for an empty set, or after a fault.
     */
    void want(Set<Long> threadIds) {
        Wanted before = wanted;
        if (threadIds.isEmpty() || fault != null) {
            wanted = null;
            return;
        }
        long nowNanos = ticker.nanos();
        Wanted next = new Wanted(threadIds, mainThread, nowNanos);
        if (before != null) {
            next.takeOver(before, nowNanos);
        }
        wanted = next;
        if (fault != null) {
            wanted = null; // a thread failed meanwhile
        }
    }

    /** Whether nobody else will be asked. */
    boolean full() {
        Wanted now = wanted;
        return now == null || now.full();
    }

    /** What was seen since the last call. */
    List<CapturedStack> take() {
        List<CapturedStack> taken = new ArrayList<>();
        Wanted now = wanted;
        for (int i = 0; now != null && i < PLACES; i++) {
            CapturedStack seen = now.seen.getAndSet(i, null);
            if (seen != null) {
                taken.add(seen);
            }
        }
        return taken;
    }

    /** Why nobody is asked any more; null while all is well. */
    Throwable fault() {
        return fault;
    }
}
