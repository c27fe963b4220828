package io.holdfast.core;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts collections. An <em>epoch</em> is one finished collection of any kind; a <em>disproving</em> collection is one that clears weak
 * references to dead objects wherever they live, old generation included. Only survival of the latter is proof of reachability.
 *
 * <p>Any thread may advance and read. {@link #advance} does constant work.
 */
public final class GcEpochs {
    private final AtomicLong epoch = new AtomicLong();
    private final AtomicLong disproving = new AtomicLong();

    /** Records the end of a collection. */
    public void advance(boolean couldDisprove) {
        if (couldDisprove) {
            disproving.incrementAndGet();
        }
        epoch.incrementAndGet();
    }

    /** Finished collections so far. */
    public long epoch() {
        return epoch.get();
    }

    /** Finished collections so far that could clear a weak reference to any dead object. */
    public long disprovingCollections() {
        return disproving.get();
    }
}
