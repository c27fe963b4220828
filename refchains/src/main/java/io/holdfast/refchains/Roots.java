package io.holdfast.refchains;

/** The roots a walk starts from: snapshots, taken anew by each call. They hold classes, threads and loaders: let go of them after use. */
interface Roots {
    /**
     * Loaded classes whose statics are durable roots: those of the application loader first, then platform and boot loader. Without array classes,
     * hidden classes and Holdfast's own.
     */
    Class<?>[] classes();

    /** Live platform threads, ours excepted. */
    Thread[] threads();

    /** Custom loaders known from loaded classes: roots of the last resort. */
    ClassLoader[] loaders();

    /** Time for which listing the classes may have stopped threads, summed since the start. */
    long stoppedNanos();
}
