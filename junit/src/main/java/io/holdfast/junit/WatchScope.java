package io.holdfast.junit;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Instances of the watched classes that were made while one test ran. Held weakly; any thread may add. */
final class WatchScope {
    /** Of one test; further ones are not followed, and the check says so. */
    static final int MAX_INSTANCES = 200_000;
    private static final int SWEEP = 8_192;

    private final Long token;
    private final List<Class<?>> types;
    private final ConcurrentLinkedQueue<Made> made = new ConcurrentLinkedQueue<>();
    private final AtomicInteger size = new AtomicInteger();
    private final AtomicInteger arrivals = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();
    private final AtomicBoolean sweeping = new AtomicBoolean();
    private volatile boolean accompanied;

    /** @param token of the test whose thread made it, or null */
    private record Made(WeakReference<Object> instance, Long token) { }

    WatchScope(Long token, List<Class<?>> types) {
        this.token = token;
        this.types = List.copyOf(types);
    }

    Long token() {
        return token;
    }

    List<Class<?>> types() {
        return types;
    }

    /** Another test watches at the same time: what a thread of neither makes cannot be told apart from now on. */
    void accompanied() {
        accompanied = true;
    }

    boolean wasAccompanied() {
        return accompanied;
    }

    /** Calls nothing on the instance. */
    void made(Object instance, Long by) {
        if (by != null && !by.equals(token)) {
            return;
        }
        for (Class<?> type : types) {
            if (type.isInstance(instance)) {
                if (arrivals.incrementAndGet() % SWEEP == 0) {
                    sweep();
                }
                if (size.incrementAndGet() > MAX_INSTANCES) {
                    size.decrementAndGet();
                    dropped.incrementAndGet();
                } else {
                    made.add(new Made(new WeakReference<>(instance), by));
                }
                return;
            }
        }
    }

    /** One thread at a time, the others go on: each dead instance must be taken off the count once. */
    private void sweep() {
        if (sweeping.compareAndSet(false, true)) {
            try {
                made.removeIf(one -> {
                    boolean dead = one.instance().refersTo(null);
                    if (dead) {
                        size.decrementAndGet();
                    }
                    return dead;
                });
            } finally {
                sweeping.set(false);
            }
        }
    }

    /** Instances that were made by threads of this test, or by threads of no test while no other test watched. */
    List<WeakReference<Object>> own() {
        List<WeakReference<Object>> own = new ArrayList<>();
        for (Made one : made) {
            if (!one.instance().refersTo(null) && (one.token() != null || !accompanied)) {
                own.add(one.instance());
            }
        }
        return own;
    }

    /** Living instances that cannot be put down to this test. */
    long ofUnknownOrigin() {
        return made.stream().filter(one -> one.token() == null && accompanied && !one.instance().refersTo(null)).count();
    }

    int dropped() {
        return dropped.get();
    }
}
