package io.holdfast.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts collections. An <em>epoch</em> is one finished collection that can clear some weak references; a <em>disproving</em> collection is one that clears weak
 * references to dead objects wherever they live, old generation included. Only survival of the latter is proof of reachability. A collection that
 * clears no weak reference at all (a minor cycle of generational ZGC) is no epoch: it is counted apart.
 *
 * <p>Any thread may advance and read. {@link #advance} does constant work.
 */
public final class GcEpochs {
    private final AtomicLong epoch = new AtomicLong();
    private final AtomicLong disproving = new AtomicLong();
    private final AtomicLong untelling = new AtomicLong();

    /** Records the end of a collection. */
    public void advance(boolean couldDisprove) {
        if (couldDisprove) {
            disproving.incrementAndGet();
        }
        epoch.incrementAndGet();
    }

    /** Records the end of a collection that clears no weak reference. */
    public void untelling() {
        untelling.incrementAndGet();
    }

    /** Finished collections of every kind so far. */
    public long collections() {
        return epoch.get() + untelling.get();
    }

    /** Finished collections so far that could clear weak references. */
    public long epoch() {
        return epoch.get();
    }

    /** Finished collections so far that could clear a weak reference to any dead object. */
    public long disprovingCollections() {
        return disproving.get();
    }
}
