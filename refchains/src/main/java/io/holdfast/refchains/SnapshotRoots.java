package io.holdfast.refchains;

import io.holdfast.core.Counters;
import io.holdfast.core.Ticker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

/** Sorts what the listings tell. Not thread-safe. */
final class SnapshotRoots implements Roots {
    /** Listings that failed; the walk then starts without them. */
    static final String FAILED = "refchains.roots.failed";

    private final ClassListing classListing;
    private final ThreadListing threadListing;
    private final WellKnownLoaders wellKnown;
    private final Ticker ticker;
    private final Counters counters;
    private long stoppedNanos;

    SnapshotRoots(ClassListing classListing, ThreadListing threadListing, WellKnownLoaders wellKnown, Ticker ticker, Counters counters) {
        this.classListing = classListing;
        this.threadListing = threadListing;
        this.wellKnown = wellKnown;
        this.ticker = ticker;
        this.counters = counters;
    }

    @Override
    public Class<?>[] classes() {
        List<List<Class<?>>> byRank = new ArrayList<>();
        for (int i = 0; i < wellKnown.ranks(); i++) {
            byRank.add(new ArrayList<>());
        }
        int count = 0;
        for (Class<?> type : list()) {
            // A hidden class lives only as long as something leads to it: it is no root, and its statics are found from there.
            if (type != null && !type.isArray() && !type.isPrimitive() && !type.isHidden() && !OwnCode.hidesStatics(type)) {
                int rank = wellKnown.rank(type.getClassLoader());
                if (rank >= 0) {
                    byRank.get(rank).add(type);
                    count++;
                }
            }
        }
        Class<?>[] sorted = new Class<?>[count];
        int next = 0;
        for (List<Class<?>> types : byRank) {
            for (Class<?> type : types) {
                sorted[next++] = type;
            }
        }
        return sorted;
    }

    @Override
    public Thread[] threads() {
        List<Thread> live = new ArrayList<>();
        try {
            for (Thread thread : threadListing.threads()) {
                if (thread != null && !OwnCode.owns(thread)) {
                    live.add(thread);
                }
            }
        } catch (RuntimeException | LinkageError failed) {
            counters.increment(FAILED);
        }
        return live.toArray(new Thread[0]);
    }

    @Override
    public ClassLoader[] loaders() {
        Set<ClassLoader> custom = Collections.newSetFromMap(new IdentityHashMap<>());
        List<ClassLoader> inOrder = new ArrayList<>();
        for (Class<?> type : list()) {
            ClassLoader loader = type == null ? null : type.getClassLoader();
            if (loader != null && wellKnown.rank(loader) < 0 && custom.add(loader)) {
                inOrder.add(loader);
            }
        }
        return inOrder.toArray(new ClassLoader[0]);
    }

    @Override
    public long stoppedNanos() {
        return stoppedNanos;
    }

    private Class<?>[] list() {
        long start = ticker.nanos();
        try {
            return classListing.classes();
        } catch (RuntimeException | LinkageError failed) {
            counters.increment(FAILED);
            return new Class<?>[0];
        } finally {
            stoppedNanos += ticker.nanos() - start;
        }
    }
}
