package io.holdfast.jfr;

import io.holdfast.core.Counters;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Something that needs Flight Recorder to open: opened once, on a thread of its own, and closed once, also when the close comes first or while it is
 * being opened. Any thread; nothing throws.
 *
 * @param <T> what is opened
 */
final class Part<T extends AutoCloseable> implements AutoCloseable {
    private static final long START_LIMIT_SECONDS = 30;

    private final String task;
    private final Counters counters;
    private final String failures;
    private final Object lock = new Object();
    private volatile StartThread starter;
    private boolean closed;
    private volatile T open;
    private volatile String failure;

    /**
     * @param task     what is missing when this fails, as the beginning of a sentence
     * @param failures name of the counter of failures
     */
    Part(String task, Counters counters, String failures) {
        this.task = task;
        this.counters = Objects.requireNonNull(counters, "counters");
        this.failures = failures;
    }

    /** Opens, and returns at once. Idempotent; not again after {@link #close}. {@code opened} is told under the lock of {@link #use}. */
    void start(Opening<T> opening, Consumer<T> opened) {
        synchronized (lock) {
            if (starter == null && !closed) {
                starter = StartThread.run(() -> open(opening, opened), task, counters, failures);
            }
        }
    }

    /** What is open now, or null. */
    T current() {
        return open;
    }

    /** Works with what is open, which is not closed meanwhile; {@code without} when nothing is. */
    <R> R use(Function<T, R> work, R without) {
        synchronized (lock) {
            return open == null ? without : work.apply(open);
        }
    }

    /** Waits, at most {@value #START_LIMIT_SECONDS} seconds, for an opening under way. Returns whether it was begun and has ended. */
    boolean await() {
        StartThread begun;
        synchronized (lock) {
            begun = starter;
        }
        return begun != null && begun.await(START_LIMIT_SECONDS);
    }

    /** Why it is not open or failed later, as one sentence. Waits for nobody's work: who asks may be a thread of the application. */
    Optional<String> failure() {
        StartThread begun = starter;
        return Optional.ofNullable(failure != null || begun == null ? failure : begun.failure());
    }

    void failed(Throwable cause) {
        failed(task, cause);
    }

    void failed(String what, Throwable cause) {
        failure = JfrFailure.text(what, cause);
        counters.increment(failures);
    }

    /** What failed before works again. */
    void recovered() {
        failure = null;
    }

    /** Waits for an opening under way, then closes. Idempotent. */
    @Override
    public void close() {
        synchronized (lock) {
            closed = true;
        }
        await();
        T last;
        synchronized (lock) {
            last = open;
            open = null;
        }
        if (last != null) {
            close(last);
        }
    }

    /** Opens another one in place of what is open, and closes that. Does nothing after {@link #close}. */
    void replace(Opening<T> opening) throws Exception {
        synchronized (lock) {
            if (closed) {
                return;
            }
        }
        T made = opening.open();
        T other = made;
        synchronized (lock) {
            if (!closed) {
                other = open;
                open = made;
            }
        }
        if (other != null) {
            close(other);
        }
    }

    private void open(Opening<T> opening, Consumer<T> opened) throws Exception {
        synchronized (lock) {
            if (closed) {
                return;
            }
        }
        // Not under the lock: this is what takes seconds.
        T made = opening.open();
        boolean late;
        synchronized (lock) {
            late = closed || open != null; // what was opened may have ended at once, and be replaced before it was known here
            if (!late) {
                open = made;
                opened.accept(made);
            }
        }
        if (late) {
            close(made);
        }
    }

    private void close(T made) {
        try {
            made.close();
        } catch (Throwable e) {
            failed(e);
        }
    }

    /** Makes what is to be open. */
    @FunctionalInterface
    interface Opening<T> {
        T open() throws Exception;
    }
}
