package io.holdfast.refchains;

/** Roots that a test names. */
record FixedRoots(Class<?>[] classes, Thread[] threads, ClassLoader[] loaders) implements Roots {
    static FixedRoots of(Class<?>... classes) {
        return new FixedRoots(classes, new Thread[0], new ClassLoader[0]);
    }

    FixedRoots threads(Thread... some) {
        return new FixedRoots(classes, some, loaders);
    }

    FixedRoots loaders(ClassLoader... some) {
        return new FixedRoots(classes, threads, some);
    }

    @Override
    public long stoppedNanos() {
        return 0;
    }
}
