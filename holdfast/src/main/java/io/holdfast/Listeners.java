package io.holdfast;

import io.holdfast.core.Leak;
import io.holdfast.core.LeakListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The user's listeners. One that throws {@value #MAX_FAULTS} times is dropped, with one line at the first fault and one at the last. */
final class Listeners {
    static final int MAX_FAULTS = 3;

    private final List<Entry> entries = new CopyOnWriteArrayList<>();
    private final HoldfastLog log;

    Listeners(HoldfastLog log) {
        this.log = log;
    }

    void add(LeakListener listener) {
        entries.add(new Entry(listener));
    }

    void tell(Leak leak) {
        for (Entry entry : entries) {
            try {
                entry.listener.onLeak(leak);
            } catch (Throwable fault) { // a listener is not ours: whatever it throws stays here
                entry.faults++;
                if (entry.faults == 1 || entry.faults == MAX_FAULTS) {
                    log.warn("Holdfast: listener " + entry.listener.getClass().getName() + " failed with " + fault.getClass().getName()
                            + (entry.faults == MAX_FAULTS ? " again and is dropped." : "."));
                }
                if (entry.faults == MAX_FAULTS) {
                    entries.remove(entry);
                }
            }
        }
    }

    void clear() {
        entries.clear();
    }

    private static final class Entry {
        private final LeakListener listener;
        private int faults;

        Entry(LeakListener listener) {
            this.listener = listener;
        }
    }
}
