package io.holdfast.jfr;

import io.holdfast.core.Counters;
import io.holdfast.core.RootConfirmation;
import io.holdfast.core.Ticker;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Asks the VM what holds objects of a kind, by {@code jdk.OldObjectSample} with paths to GC roots (option {@code confirm=jfr}).
 *
 * <h2>Cost</h2> From {@link #start} on the VM keeps samples of up to 256 living objects; their number cannot be chosen, nor which. Each {@link #ask} stops
 * the application while the VM looks for paths, a second at the most and what it takes to end; how long it was is in the answers and in the counter
 * {@code confirm.pause.micros}. It also ends a chunk of every recording that runs.
 *
 * <h2>Others</h2> No setting of the user's recordings is touched. The VM writes what it found into the stream of events, so it is in their files too.
 *
 * <p>Any thread; one question at a time. Nothing throws: {@link #failure} says what went wrong.
 */
public final class RootConfirmer implements AutoCloseable {
    private final Counters counters;
    private final Ticker ticker;
    private final Part<OldObjectRecording> part;

    public RootConfirmer(Counters counters, Ticker ticker) {
        this.counters = Objects.requireNonNull(counters, "counters");
        this.ticker = Objects.requireNonNull(ticker, "ticker");
        this.part = new Part<>("The VM cannot be asked what holds a leak (confirm=jfr)", counters, "confirm.failures");
    }

    /** Lets the VM sample from now on: only objects allocated later can be asked about. Returns at once. Idempotent; not again after close. */
    public void start() {
        part.start(() -> OldObjectRecording.start(ticker), opened -> { });
    }

    /** Whether the VM samples. */
    public boolean running() {
        return part.current() != null;
    }

    /**
     * Asks once for all questions together, and waits for it. Stops the application meanwhile.
     *
     * @return an answer for each question, in their order; none at all when the VM could not be asked
     */
    public List<RootConfirmation> ask(List<RootQuestion> questions) {
        return part.use(recording -> ask(recording, questions), List.of());
    }

    private List<RootConfirmation> ask(OldObjectRecording recording, List<RootQuestion> questions) {
        try {
            counters.increment("confirm.asked");
            OldObjects found = recording.ask();
            counters.add("confirm.pause.micros", found.pauseNanos() / 1_000);
            List<RootConfirmation> answers = questions.stream().map(found::answer).toList();
            answers.forEach(answer -> counters.increment("confirm.answers." + answer.outcome().word().replace('_', '.')));
            return answers;
        } catch (Throwable e) {
            part.failed(e);
            return List.of();
        }
    }

    /** Why the VM cannot be asked, as one sentence; empty while all is well or still starting. */
    public Optional<String> failure() {
        return part.failure();
    }

    /** Lets the VM drop its samples. Idempotent. */
    @Override
    public void close() {
        part.close();
    }
}
