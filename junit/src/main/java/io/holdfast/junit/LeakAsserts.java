package io.holdfast.junit;

import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Assertions that objects can be collected; a parameter of test methods with {@link HoldfastExtension} or {@link LeakCheck}.
 *
 * <p>Collections are forced and proven by canaries, never waited for: what is gone passes after one collection, usually; what is still there after
 * three, two of them proven to have cleared old and young objects, fails with what holds it. Where that cannot be proven (explicit collections
 * switched off, Epsilon, a debugger) the test is aborted with the reason.
 *
 * <p>Immutable: {@link #allowSoft}, {@link #awaiting} and {@link #within} give other assertions. Any thread; forced collections run one at a time in
 * the whole JVM.
 */
public final class LeakAsserts {
    private static final String COLLECTABLE = "%s was expected to be collectable but is %s";
    private static final String LOADER = "Class loader %s was expected to be collectable but is %s";

    private final Settings settings;
    private final Publisher publisher;
    private final Map<String, Object> testRoots;
    private final Ticker ticker;
    private final Grace grace;
    private final boolean allowSoft;

    LeakAsserts(Settings settings, Publisher publisher, Map<String, Object> testRoots, Ticker ticker) {
        this(settings, publisher, testRoots, ticker, Grace.none(ticker), false);
    }

    private LeakAsserts(Settings settings, Publisher publisher, Map<String, Object> testRoots, Ticker ticker, Grace grace, boolean allowSoft) {
        this.settings = settings;
        this.publisher = publisher;
        this.testRoots = testRoots;
        this.ticker = ticker;
        this.grace = grace;
        this.allowSoft = allowSoft;
    }

    /** An object that only soft references hold passes as well. */
    public LeakAsserts allowSoft() {
        return new LeakAsserts(settings, publisher, testRoots, ticker, grace, true);
    }

    /** What these executors have been given must have run before each look, for five seconds at the most. */
    public LeakAsserts awaiting(Executor... executors) {
        return new LeakAsserts(settings, publisher, testRoots, ticker, grace.awaiting(List.of(executors)), allowSoft);
    }

    /** Keeps collecting for that long before a failure: for cleaners that run by the clock. Costs nothing when the object goes at once. */
    public LeakAsserts within(Duration limit) {
        if (limit.isNegative()) {
            throw new IllegalArgumentException("within " + limit + ": must not be negative");
        }
        return new LeakAsserts(settings, publisher, testRoots, ticker, grace.within(limit), allowSoft);
    }

    /**
     * The object that {@code creates} makes and returns can be collected once nothing but its makers hold it. Preferred to the variant with a
     * reference: no local variable of the test can keep the object.
     *
     * @throws org.opentest4j.AssertionFailedError  if it cannot
     * @throws org.opentest4j.TestAbortedException  if this JVM cannot tell
     * @throws IllegalArgumentException             if it returns null
     */
    public void assertCollectable(Supplier<?> creates) {
        Objects.requireNonNull(creates, "creates");
        collectable(make(creates), creates, COLLECTABLE);
    }

    /** The referent can be collected. The test must not hold it itself, in a local variable say, while it asks. */
    public void assertCollectable(WeakReference<?> reference) {
        Objects.requireNonNull(reference, "reference");
        collectable(weakly(reference), null, COLLECTABLE);
    }

    /**
     * The class loader that {@code creates} makes, uses and returns can be collected with all its classes.
     *
     * @throws org.opentest4j.AssertionFailedError if it cannot
     */
    public void assertClassLoaderCollectable(Supplier<? extends ClassLoader> creates) {
        Objects.requireNonNull(creates, "creates");
        loaderCollectable(make(creates), creates);
    }

    /** To be finished: {@code repeating(20).warmup(3).assertNoGrowth(action)}. At least three times. */
    public GrowthAssert repeating(int times) {
        return new GrowthAssert(times, GrowthAssert.DEFAULT_WARMUP, reckoning(), testRoots, ticker, Collector.ofThisJvm(), grace);
    }

    void loaderCollectable(List<WeakReference<Object>> loader, Object maker) {
        Collector.ofThisJvm().whyNoUnloading().ifPresent(reckoning()::abort);
        collectable(loader, maker, LOADER);
    }

    void collectable(List<WeakReference<Object>> objects, Object maker, String headline) {
        Map<String, Object> roots = new LinkedHashMap<>(testRoots);
        if (maker != null) {
            roots.put("what the test's lambda captured", maker);
        }
        reckoning().allGone(objects, roots, List.of(), headline);
    }

    private Reckoning reckoning() {
        return new Reckoning(settings, publisher, Collector.ofThisJvm(), ticker, allowSoft, grace);
    }

    /** In frames of their own: when they have returned, no variable refers to the object any more, compiled or not. */
    private static List<WeakReference<Object>> make(Supplier<?> creates) {
        List<WeakReference<Object>> made = weakly(creates.get());
        if (made.isEmpty()) {
            throw new IllegalArgumentException("the supplier returned null: there is nothing to ask about");
        }
        return made;
    }

    private static List<WeakReference<Object>> weakly(WeakReference<?> reference) {
        return weakly((Object) reference.get());
    }

    static List<WeakReference<Object>> weakly(Object object) {
        List<WeakReference<Object>> references = new ArrayList<>(1);
        if (object != null) {
            references.add(new WeakReference<>(object));
        }
        return references;
    }
}
