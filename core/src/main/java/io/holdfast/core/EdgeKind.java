package io.holdfast.core;

/** Kinds of references between two hops of a chain. The words are those of the JSON report. */
public enum EdgeKind {
    STATIC_FIELD("static_field"),
    FIELD("field"),
    ELEMENT("element"),
    THREAD_LOCAL("thread_local"),
    INHERITABLE_THREAD_LOCAL("inheritable_thread_local"),
    STACK_LOCAL("stack_local"),
    /** From an object to the class loader of its class. */
    CLASS_LOADER("class_loader"),
    /** From a class loader to a class it defined. */
    CLASS("class"),
    /** Referent of a soft reference: followed only as a last resort. */
    SOFT_REFERENT("soft_referent");

    private final String word;

    EdgeKind(String word) {
        this.word = word;
    }

    /** The word used in reports. */
    public String word() {
        return word;
    }
}
