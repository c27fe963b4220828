package io.holdfast;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The user's listeners. One that throws {@value #MAX_FAULTS} times is dropped, with one line at the first fault and one at the last.
 *
 * @param <T> what they are told
 */
final class Listeners<T> {
    static final int MAX_FAULTS = 3;

    private final List<Entry<T>> entries = new CopyOnWriteArrayList<>();
    private final HoldfastLog log;

    Listeners(HoldfastLog log) {
        this.log = log;
    }

    /**
     * Adds one.
     *
     * @param listener the user's object; its class is named when it fails
     * @param call     how it is told
     */
    void add(Object listener, Consumer<T> call) {
        entries.add(new Entry<>(listener, call));
    }

    /** Takes out what was added for this very object. */
    void remove(Object listener) {
        entries.removeIf(entry -> entry.listener == listener);
    }

    void tell(T news) {
        for (Entry<T> entry : entries) {
            try {
                entry.call.accept(news);
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

    private static final class Entry<T> {
        private final Object listener;
        private final Consumer<T> call;
        private int faults;

        Entry(Object listener, Consumer<T> call) {
            this.listener = listener;
            this.call = call;
        }
    }
}
