package io.holdfast.refchains;

import io.holdfast.core.EdgeKind;

/** Kinds of references as the table stores them. The first ones have no parent entry: they leave a root. */
final class Link {
    /** Static field of a root class: edge = ordinal in the class's static plan. */
    static final byte ROOT_STATIC = 0;
    /** The live thread itself. */
    static final byte ROOT_THREAD = 1;
    /** The class loader itself. */
    static final byte ROOT_LOADER = 2;
    /** Local variable of a running method. */
    static final byte ROOT_STACK = 3;
    /** Instance field: edge = ordinal in the plan of the parent's class. */
    static final byte FIELD = 4;
    /** Array element: edge = index. */
    static final byte ELEMENT = 5;
    static final byte THREAD_LOCAL = 6;
    static final byte INHERITABLE_THREAD_LOCAL = 7;
    /** From an object to the loader of its class, or from a class to its loader. */
    static final byte CLASS_LOADER = 8;
    /** Static field of a class that was met on the way. */
    static final byte STATIC_FIELD = 9;
    static final byte SOFT_REFERENT = 10;

    private static final EdgeKind[] EDGE_KINDS = {EdgeKind.STATIC_FIELD, null, null, EdgeKind.STACK_LOCAL, EdgeKind.FIELD, EdgeKind.ELEMENT,
        EdgeKind.THREAD_LOCAL, EdgeKind.INHERITABLE_THREAD_LOCAL, EdgeKind.CLASS_LOADER, EdgeKind.STATIC_FIELD, EdgeKind.SOFT_REFERENT};

    private Link() { }

    static boolean leavesRoot(byte kind) {
        return kind <= ROOT_STACK;
    }

    /** The word of reports; null for a root that is the object itself. */
    static EdgeKind edgeKind(byte kind) {
        return EDGE_KINDS[kind];
    }
}
