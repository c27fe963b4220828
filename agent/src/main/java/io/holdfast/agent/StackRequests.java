package io.holdfast.agent;

import io.holdfast.core.StackLocals;
import io.holdfast.core.Ticker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

/**
 * Whom the Holdfast thread wants to look at its frames, and what they have seen. A thread looks at most twice a second, and so seldom that looking takes
 * less than 0.5 % of its time; one look a thread waits here to be taken, a newer one takes its place.
 *
 * <p>{@link #hit} runs on application threads inside the hook: no lock, bounded work, lets nothing escape. The rest belongs to the Holdfast thread.
 */
final class StackRequests {
    static final long SPACING_NANOS = 500_000_000L;
    static final int REST_FACTOR = 200;

    private final LiveFrames frames;
    private final Ticker ticker;
    private final LongAdder looks;
    private final LongAdder lookNanos;
    private final LongAdder faults;
    private volatile Wanted wanted;
    private volatile Throwable fault;

    /** Position i of each array belongs to one thread. */
    private static final class Wanted {
        final long[] threadIds;
        /** Written by the thread itself only. */
        final long[] dueNanos;
        final AtomicReferenceArray<CapturedStack> seen;

        Wanted(long[] threadIds, long nowNanos) {
            this.threadIds = threadIds;
            this.dueNanos = new long[threadIds.length];
            this.seen = new AtomicReferenceArray<>(threadIds.length);
            Arrays.fill(dueNanos, nowNanos);
        }

        int position(long threadId) {
            for (int i = 0; i < threadIds.length; i++) {
                if (threadIds[i] == threadId) {
                    return i;
                }
            }
            return -1;
        }
    }

    StackRequests(LiveFrames frames, Ticker ticker, LongAdder looks, LongAdder lookNanos, LongAdder faults) {
        this.frames = frames;
        this.ticker = ticker;
        this.looks = looks;
        this.lookNanos = lookNanos;
        this.faults = faults;
    }

    /** Called at a sample, on the thread that allocates. */
    void hit(long threadId, String threadName) {
        Wanted now = wanted;
        int position = now == null ? -1 : now.position(threadId);
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

    /** Asks these threads and no others; those that were asked before keep their pace. Does nothing after a fault. */
    void want(Set<Long> threadIds) {
        Wanted before = wanted;
        if (threadIds.isEmpty() || fault != null) {
            wanted = null;
            return;
        }
        long[] ids = threadIds.stream().mapToLong(Long::longValue).limit(StackLocals.MAX_THREADS).toArray();
        Wanted next = new Wanted(ids, ticker.nanos());
        for (int i = 0; i < ids.length && before != null; i++) {
            int position = before.position(ids[i]);
            if (position >= 0) {
                next.dueNanos[i] = before.dueNanos[position];
                next.seen.set(i, before.seen.get(position));
            }
        }
        wanted = next;
        if (fault != null) {
            wanted = null; // a thread failed meanwhile
        }
    }

    /** What was seen since the last call. */
    List<CapturedStack> take() {
        List<CapturedStack> taken = new ArrayList<>();
        Wanted now = wanted;
        for (int i = 0; now != null && i < now.threadIds.length; i++) {
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
