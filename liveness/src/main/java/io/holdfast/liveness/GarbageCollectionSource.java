package io.holdfast.liveness;

import com.sun.management.GarbageCollectionNotificationInfo;
import com.sun.management.GcInfo;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.Ticker;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.ListenerNotFoundException;
import javax.management.Notification;
import javax.management.NotificationEmitter;
import javax.management.NotificationListener;
import javax.management.openmbean.CompositeData;

/**
 * Counts finished collections and reports the heap in use after each, from the notifications of the platform's collector beans. They arrive 1 to
 * 30 ms after the collection, on a thread of the JVM, which is held for microseconds.
 *
 * <p>Parallel, Serial: only full collections disprove. G1: full ones, and from JDK 20 on concurrent cycles; JDK 17 announces no concurrent cycle
 * here, so whoever learns of one otherwise calls {@link GcEpochs#advance} with {@code true}. ZGC and Shenandoah: any cycle, of their generational
 * variants only major cycles and explicit ones. Minor cycles of generational ZGC clear no weak reference at all: they give a reading of the heap and no
 * epoch. Pauses that are part of a cycle are ignored.
 *
 * <p>Thread-safe. Faults are swallowed: a notification that cannot be read is not counted.
 */
public final class GarbageCollectionSource implements AutoCloseable {
    /** Told the heap in use after a collection, on a thread of the JVM. */
    @FunctionalInterface
    public interface UsageListener {
        /**
         * @param nanos             {@link Ticker#nanos} when the notification arrived
         * @param usedAfterGcBytes  bytes in use in all pools of the heap
         */
        void usage(long nanos, long usedAfterGcBytes);
    }

    private final GcEpochs epochs;
    private final Ticker ticker;
    private final UsageListener usage;
    private final Set<String> heapPools = new HashSet<>();
    private final List<NotificationEmitter> emitters = new ArrayList<>();
    private final NotificationListener listener = this::onNotification;
    private final boolean generational;
    private final String collectorName;

    /** Starts to listen, on the clock of the system. */
    public GarbageCollectionSource(GcEpochs epochs, UsageListener usage) {
        this(epochs, usage, Ticker.system());
    }

    /** Starts to listen. */
    public GarbageCollectionSource(GcEpochs epochs, UsageListener usage, Ticker ticker) {
        this.epochs = epochs;
        this.usage = usage;
        this.ticker = ticker;
        List<GarbageCollectorMXBean> collectors = ManagementFactory.getGarbageCollectorMXBeans();
        for (GarbageCollectorMXBean collector : collectors) {
            heapPools.addAll(Arrays.asList(collector.getMemoryPoolNames()));
        }
        generational = heapPools.stream().anyMatch(pool -> pool.contains("Old Gen"));
        collectorName = collectors.stream().map(GarbageCollectorMXBean::getName).collect(Collectors.joining(", "));
        for (GarbageCollectorMXBean collector : collectors) {
            if (collector instanceof NotificationEmitter emitter) {
                emitter.addNotificationListener(listener, null, null);
                emitters.add(emitter);
            }
        }
    }

    /** Names of the collector beans, separated by commas. */
    public String collectorName() {
        return collectorName;
    }

    @Override
    public void close() {
        for (NotificationEmitter emitter : emitters) {
            try {
                emitter.removeNotificationListener(listener);
            } catch (ListenerNotFoundException alreadyGone) {
                // Closed twice.
            }
        }
    }

    private void onNotification(Notification notification, Object handback) {
        try {
            if (GarbageCollectionNotificationInfo.GARBAGE_COLLECTION_NOTIFICATION.equals(notification.getType())) {
                collected(GarbageCollectionNotificationInfo.from((CompositeData) notification.getUserData()));
            }
        } catch (RuntimeException unreadable) {
            // Thrown into the JVM's notification thread it would reach other listeners' owners, and no one would be wiser.
        }
    }

    private void collected(GarbageCollectionNotificationInfo info) {
        GcInfo collection = info.getGcInfo();
        CollectionKind kind = CollectionKind.of(info.getGcName(), info.getGcAction(), info.getGcCause(), collection.getId(), generational);
        if (kind == CollectionKind.IGNORED) {
            return;
        }
        try {
            long used = usedHeap(collection.getMemoryUsageAfterGc());
            if (used > 0) {
                usage.usage(ticker.nanos(), used);
            }
        } finally {
            // Last, so that whoever sees the epoch sees its reading; and in any case, because ages hang on it.
            if (kind == CollectionKind.UNTELLING) {
                epochs.untelling();
            } else {
                epochs.advance(kind == CollectionKind.DISPROVING);
            }
        }
    }

    private long usedHeap(Map<String, MemoryUsage> pools) {
        long used = 0;
        for (Map.Entry<String, MemoryUsage> pool : pools.entrySet()) {
            if (heapPools.contains(pool.getKey())) {
                used += pool.getValue().getUsed();
            }
        }
        return used;
    }
}
