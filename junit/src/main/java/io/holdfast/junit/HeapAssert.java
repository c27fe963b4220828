package io.holdfast.junit;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;

/** What the heap looks like after something was done. Immutable; holds what it is asked about weakly. */
public final class HeapAssert {
    private static final String COLLECTABLE = "%s was expected to be collectable but is %s";

    private final LeakAsserts asserts;
    private final Runnable action;

    HeapAssert(LeakAsserts asserts, Runnable action) {
        this.asserts = asserts;
        this.action = action;
    }

    /** What is done before the heap is looked at; it runs when the assertion is made, once. */
    public HeapAssert after(Runnable next) {
        Objects.requireNonNull(next, "action");
        Runnable first = action;
        return new HeapAssert(asserts, () -> {
            first.run();
            next.run();
        });
    }

    /** See {@link LeakAsserts#allowSoft}. */
    public HeapAssert allowSoft() {
        return new HeapAssert(asserts.allowSoft(), action);
    }

    /** See {@link LeakAsserts#awaiting}. */
    public HeapAssert awaiting(Executor... executors) {
        return new HeapAssert(asserts.awaiting(executors), action);
    }

    /** See {@link LeakAsserts#within}. */
    public HeapAssert within(Duration limit) {
        return new HeapAssert(asserts.within(limit), action);
    }

    /** The object; the test must let go of it before the assertion is made, or in the action. */
    public Collectable object(Object object) {
        return new Collectable(asserts, action, LeakAsserts.weakly(Objects.requireNonNull(object, "object")), false);
    }

    /** What the reference refers to. */
    public Collectable referentOf(WeakReference<?> reference) {
        return new Collectable(asserts, action, LeakAsserts.weakly((Object) reference.get()), false);
    }

    /**
     * The loader of the object's class, or of the class where a class is given, or the loader itself.
     *
     * @throws IllegalArgumentException if it is a loader of the JDK or that of the test itself, which stay
     */
    public Collectable classLoaderOf(Object object) {
        Objects.requireNonNull(object, "object");
        ClassLoader loader = object instanceof ClassLoader itself ? itself : object instanceof Class<?> type ? type.getClassLoader()
                : object.getClass().getClassLoader();
        if (loader == null || loader == HeapAssert.class.getClassLoader() || loader == ClassLoader.getSystemClassLoader()
                || loader == ClassLoader.getPlatformClassLoader()) {
            throw new IllegalArgumentException("class loader " + (loader == null ? "boot" : loader.getClass().getName()) + " stays for as long as the JVM runs");
        }
        return new Collectable(asserts, action, LeakAsserts.weakly((Object) loader), true);
    }

    /** The end of the sentence. */
    public static final class Collectable {
        private final LeakAsserts asserts;
        private final Runnable action;
        private final List<WeakReference<Object>> objects;
        private final boolean loader;

        private Collectable(LeakAsserts asserts, Runnable action, List<WeakReference<Object>> objects, boolean loader) {
            this.asserts = asserts;
            this.action = action;
            this.objects = objects;
            this.loader = loader;
        }

        /**
         * Does what is to be done first, and asserts that the object can be collected then.
         *
         * @throws org.opentest4j.AssertionFailedError if it cannot
         * @throws org.opentest4j.TestAbortedException if this JVM cannot tell
         */
        public void isCollectable() {
            action.run();
            if (loader) {
                asserts.loaderCollectable(objects, action);
            } else {
                asserts.collectable(objects, action, COLLECTABLE);
            }
        }
    }
}
