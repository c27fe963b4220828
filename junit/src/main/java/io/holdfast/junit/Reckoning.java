package io.holdfast.junit;

import io.holdfast.HeapInspector;
import io.holdfast.HeldBy;
import io.holdfast.core.Leak;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * From objects that should be gone to a verdict: collect, ask who holds what is left, compare with the baseline, and fail with the answer. Costs of
 * the search are paid on failure only. One thread.
 */
final class Reckoning {
    /** What no chain explains is looked at again for that long before it counts as a leak. */
    private static final long UNEXPLAINED_NANOS = Duration.ofSeconds(10).toNanos();

    private final Settings settings;
    private final Publisher publisher;
    private final Collector collector;
    private final Ticker ticker;
    private final boolean allowSoft;
    private final Grace grace;

    Reckoning(Settings settings, Publisher publisher, Collector collector, Ticker ticker, boolean allowSoft, Grace grace) {
        this.settings = settings;
        this.publisher = publisher;
        this.collector = collector;
        this.ticker = ticker;
        this.allowSoft = allowSoft;
        this.grace = grace;
    }

    /**
     * @param objects   must all be gone; cleared references are taken out of the list, which must be modifiable
     * @param roots     objects the test holds itself, by name
     * @param harmless  what only these objects hold is let pass: they go with the test
     * @param headline  first sentence of the failure, for the class of what is left; a format with the class, and what it is: strongly reachable, ...
     */
    void allGone(List<WeakReference<Object>> objects, Map<String, Object> roots, List<?> harmless, String headline) {
        collector.whyNot().ifPresent(this::abort);
        long start = ticker.nanos();
        synchronized (ForcedCollections.permit()) {
            ForcedCollections forced = new ForcedCollections(collector, ticker, grace::drain);
            if (!alive(forced, objects, grace.nanos())) {
                return;
            }
            List<HeldBy> answers = holders(objects, roots);
            if (unexplained(answers) && !onlyHeldBy(harmless, objects)) {
                // Seen once: what a thread had used that had just ended was alive a moment longer, probably by the JVM's own reference to the thread.
                if (!alive(forced, objects, UNEXPLAINED_NANOS)) {
                    return;
                }
                answers = holders(objects, roots);
            }
            String collections = String.format(Locale.ROOT, "after %d full collections (%s), %.1f s.%s", forced.collections(), collector.names(),
                    (ticker.nanos() - start) / 1e9, grace.note());
            Optional<HeldBy> explained = answers.stream().filter(HeldBy::explained).findFirst();
            if (explained.isPresent()) {
                judge(explained.get(), headline, collections);
            } else if (!answers.isEmpty() && !onlyHeldBy(harmless, objects)) {
                judge(answers.get(0), headline, collections);
            }
        }
    }

    private boolean alive(ForcedCollections forced, List<WeakReference<Object>> objects, long graceNanos) {
        ForcedCollections.Verdict verdict = forced.disprove(() -> noneLeft(objects), graceNanos);
        if (verdict == ForcedCollections.Verdict.UNPROVEN) {
            abort("the JVM did not collect: after " + forced.collections() + " requests an object that nothing holds was still there");
        }
        return verdict == ForcedCollections.Verdict.ALIVE;
    }

    private List<HeldBy> holders(List<WeakReference<Object>> objects, Map<String, Object> roots) {
        return inspector().findHolders(objects, roots, settings.searchLimit()).stream().filter(held -> !(allowSoft && held.softly())).toList();
    }

    private static boolean unexplained(List<HeldBy> answers) {
        return !answers.isEmpty() && answers.stream().noneMatch(HeldBy::explained);
    }

    private boolean onlyHeldBy(List<?> harmless, List<WeakReference<Object>> objects) {
        return !harmless.isEmpty() && inspector().notReachableFrom(harmless, objects).isEmpty();
    }

    Duration searchLimit() {
        return settings.searchLimit();
    }

    HeapInspector inspector() {
        return Inspection.inspector(settings.attach());
    }

    /** Fails, unless the leak is known or the object's being alive proves nothing. */
    void judge(HeldBy held, String headline, String collections) {
        Leak leak = held.leak();
        Baseline baseline = new Baseline(settings.baseline());
        Map<String, String> known = baseline.entries();
        String note = known.containsKey(leak.id()) ? "in the baseline: " + known.get(leak.id()) : "not in the baseline";
        String state = held.softly() ? "softly reachable" : leak.chains().isEmpty() ? "still alive" : "strongly reachable";
        String text = FailureText.of(String.format(headline, leak.sampledClasses().get(0), state), collections, held, note);
        Optional<String> noProof = collector.whyAliveProvesNothing();
        if (noProof.isPresent()) {
            abort(noProof.get() + ". Without it this would have failed:\n" + text);
        }
        if (known.containsKey(leak.id())) {
            publish("known", leak, text);
            return;
        }
        if (settings.updateBaseline()) {
            baseline.add(leak.id(),
                    leak.className() + (leak.growth() == null ? "" : " held by " + FailureText.holder(leak)) + ", reason and ticket: to be filled in");
            publish("recorded", leak, text);
            return;
        }
        publish(held.softly() ? "soft" : "leak", leak, text);
        throw new AssertionFailedError(text);
    }

    private void publish(String outcome, Leak leak, String text) {
        publisher.publish(outcome, leak.id(), leak.className(), FailureText.holder(leak), text);
    }

    /** Neither passes nor fails: the assumption that a verdict can be had did not hold. */
    void abort(String reason) {
        String text = "Holdfast cannot tell: " + reason;
        publisher.publish("aborted", "", "", "", text);
        throw new TestAbortedException(text);
    }

    /** Something a reader of the report should know. */
    void note(String text) {
        publisher.publish("note", "", "", "", "Holdfast: " + text);
    }

    private static boolean noneLeft(List<WeakReference<Object>> objects) {
        objects.removeIf(reference -> reference.refersTo(null));
        return objects.isEmpty();
    }
}
