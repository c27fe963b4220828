package io.holdfast.refchains;

/** Told about each reference that leaves an object. */
interface EdgeVisitor {
    /** What to do next. */
    enum Then { GO_ON, STOP_AFTER_THIS, STOP_BEFORE_THIS }

    /** A reference to {@code child}, never null. */
    Then edge(Object child, byte kind, int edge);

    /** Whether fields are read that by their declared type lead to leaf objects only. */
    boolean readsLeafFields();

    /** Whether the loader of the object's class is of interest. Asked for classes of custom loaders only. */
    boolean wantsLoaderOf(ClassPlan plan);

    /** A position was looked at, be it null or not. */
    void read();
}
