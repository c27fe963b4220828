package io.holdfast.core;

/**
 * Kinds of GC roots that plain Java can see, most durable first. The words are those of the JSON report (schema 1).
 */
public enum RootKind {
    /** Static field of a class that is never unloaded, or of a loaded class found without a holder. */
    STATIC_FIELD("static_field", 3),
    /** A class of the JDK held by the VM itself. */
    SYSTEM_CLASS("system_class", 3),
    /** A class loader that is held by the VM, or whose holder is not visible. */
    CLASS_LOADER("class_loader", 2),
    /** Value of a {@code ThreadLocal} of a live thread. */
    THREAD_LOCAL("thread_local", 2),
    /** Value of an {@code InheritableThreadLocal} of a live thread. */
    INHERITABLE_THREAD_LOCAL("inheritable_thread_local", 2),
    /** A live thread and its ordinary fields. */
    THREAD("thread", 1),
    /** Local variable of a live frame, seen by the thread itself. */
    STACK_LOCAL("stack_local", 1),
    /** Object waiting for finalisation. */
    FINALIZER_QUEUE("finalizer_queue", 1),
    /** Alive, but no root that Java can see leads to it. */
    UNREACHED("unreached", 0);

    private final String word;
    private final int durability;

    RootKind(String word, int durability) {
        this.word = word;
        this.durability = durability;
    }

    /** The word used in reports. */
    public String word() {
        return word;
    }

    /** Larger is more durable; a chain prefers the most durable root. */
    public int durability() {
        return durability;
    }
}
