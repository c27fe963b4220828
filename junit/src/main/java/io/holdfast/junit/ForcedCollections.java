package io.holdfast.junit;

import io.holdfast.core.Ticker;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Makes the JVM collect, and knows that it did. Two canaries prove each collection: one that died just before, young, and one that has survived the
 * collection before and died since, so that the generation it was promoted to must have been collected too. What is dead is gone after the first
 * collection, usually; what is still there after two proven ones is reachable. Nothing is timed: time only bounds how long a canary is waited for.
 *
 * <p>One at a time in the whole JVM, whichever class loader it comes from: collections are everybody's. One thread per instance.
 */
final class ForcedCollections {
    /** An object that outlives this many proven collections is alive. */
    private static final int PROVEN = 2;
    /** Collections without proof after which there is no verdict. */
    private static final int MAX_UNPROVEN = 5;
    private static final long CANARY_LIMIT_NANOS = 5_000_000_000L;
    private static final long POLL_NANOS = 2_000_000;
    private static final long GRACE_POLL_NANOS = 50_000_000;
    private static final long HANDLED_LIMIT_MILLIS = 5_000;

    private final Runnable collect;
    private final Runnable collectOtherwise;
    private final Ticker ticker;
    private final Runnable beforeEach;
    private final ReferenceQueue<Object> handled = new ReferenceQueue<>();
    private Object ageing;
    private int collections;
    private int proven;
    private boolean seen;

    enum Verdict { GONE, ALIVE, UNPROVEN }

    ForcedCollections(Collector collector, Ticker ticker, Runnable beforeEach) {
        this(collector::collect, collector::collectByCommand, ticker, beforeEach);
    }

    /**
     * @param collect          asks for a collection
     * @param collectOtherwise asks in another way, when the first one was not seen to help
     * @param beforeEach       run before each collection: waits for work that lets go of objects
     */
    ForcedCollections(Runnable collect, Runnable collectOtherwise, Ticker ticker, Runnable beforeEach) {
        this.collect = collect;
        this.collectOtherwise = collectOtherwise;
        this.ticker = ticker;
        this.beforeEach = beforeEach;
    }

    /** Interned, so it is one object for every class loader of this JVM. */
    static Object permit() {
        return "io.holdfast.junit: permit for forced collections".intern();
    }

    /** Whether the last collection was seen to take what was dead. */
    boolean seen() {
        return seen;
    }

    /** Collections asked for so far. */
    int collections() {
        return collections;
    }

    /**
     * Collects until {@code gone} says so or it is proven that it never will.
     *
     * @param gone       must not keep what it asks about alive ({@link Reference#refersTo})
     * @param graceNanos keep trying for that long before {@link Verdict#ALIVE}
     */
    Verdict disprove(BooleanSupplier gone, long graceNanos) {
        long start = ticker.nanos();
        int unproven = 0;
        while (true) {
            beforeEach.run();
            if (collect()) {
                proven++;
            } else if (collections > 1) {
                unproven++; // the first one has no aged canary and proves nothing by design
            }
            if (gone.getAsBoolean()) {
                return Verdict.GONE;
            }
            if (proven >= PROVEN) {
                if (ticker.nanos() - start >= graceNanos) {
                    return Verdict.ALIVE;
                }
                LockSupport.parkNanos(GRACE_POLL_NANOS);
            }
            if (unproven >= MAX_UNPROVEN) {
                return Verdict.UNPROVEN;
            }
        }
    }

    /** Whether this collection is proven to have cleared what was dead, old and young. */
    private boolean collect() {
        boolean hadAgeing = ageing != null;
        WeakReference<Object> old = letGoOfAgeing();
        WeakReference<Object> young = deadCanary();
        ageing = new Object();
        collections++;
        collect.run();
        seen = awaitCleared(young) && awaitCleared(old);
        if (!seen) {
            collectOtherwise.run();
            seen = awaitCleared(young) && awaitCleared(old);
        }
        awaitHandled(young);
        Reference.reachabilityFence(ageing);
        return seen && hadAgeing;
    }

    /** In a frame of its own, so that no interpreted variable is left that refers to it. */
    private WeakReference<Object> letGoOfAgeing() {
        WeakReference<Object> reference = new WeakReference<>(ageing == null ? new Object() : ageing);
        ageing = null;
        return reference;
    }

    private WeakReference<Object> deadCanary() {
        return new WeakReference<>(new Object(), handled);
    }

    /** Concurrent collectors answer a little before their references are cleared for everybody to see. */
    private boolean awaitCleared(WeakReference<Object> canary) {
        long start = ticker.nanos();
        while (!canary.refersTo(null)) {
            if (ticker.nanos() - start >= CANARY_LIMIT_NANOS || Thread.currentThread().isInterrupted()) {
                return false;
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return true;
    }

    /** References are handed over by a thread of the JDK; cleaners run behind it. Once the canary has come through, so has what died before. */
    private void awaitHandled(WeakReference<Object> canary) {
        try {
            if (canary.refersTo(null)) {
                handled.remove(HANDLED_LIMIT_MILLIS);
            }
            Reference.reachabilityFence(canary); // a reference that dies itself is never handed over
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
