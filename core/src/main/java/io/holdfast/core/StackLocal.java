package io.holdfast.core;

/**
 * A local variable of a method that runs, seen holding one object. Holds neither the object nor the thread nor the class of the method strongly.
 * Holdfast thread only.
 */
public interface StackLocal {
    /** The object it held when last seen; null once that has been collected. */
    Object object();

    /**
     * Whether it may be called a root now: its thread lives, the object lives, and the thread itself has seen the variable hold the object so short a
     * time ago that the frame has most likely not ended. Nobody but the thread can look again.
     */
    boolean current();

    /** Binary name of the class of the method. */
    String className();

    /** Name of the method. */
    String methodName();

    /** The frame as a stack trace writes it, where it was when last seen: {@code com.acme.Main.run(Main.java:12)}. */
    String frame();

    /** Name of the variable; null when the class file does not tell or cannot be read. May read a class file at the first call. */
    String variable();

    /** Name the thread had when last seen. */
    String threadName();
}
