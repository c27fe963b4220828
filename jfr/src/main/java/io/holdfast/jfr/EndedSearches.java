package io.holdfast.jfr;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Ended searches that wait for the end of a chunk. Lock-free, any thread; holds at most {@value #CAPACITY} and refuses more.
 */
final class EndedSearches {
    static final int CAPACITY = 16;

    private final AtomicReference<List<EndedSearch>> waiting = new AtomicReference<>(List.of());

    /** Whether there was room. */
    boolean offer(EndedSearch ended) {
        while (true) {
            List<EndedSearch> before = waiting.get();
            if (before.size() >= CAPACITY) {
                return false;
            }
            List<EndedSearch> after = new ArrayList<>(before);
            after.add(ended);
            if (waiting.compareAndSet(before, List.copyOf(after))) {
                return true;
            }
        }
    }

    /** Takes all, oldest first; each is handed out once. */
    List<EndedSearch> drain() {
        return waiting.getAndSet(List.of());
    }
}
