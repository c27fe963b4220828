package io.holdfast.agent;

/**
 * Which hooks of the interval lane classes get when they are transformed.
 *
 * @param on       whether any
 * @param allSites whether all allocating instructions of all classes that can have hooks, or those that carry a hook of the token lane
 * @param shapes   sizes of the classes made; null when off
 */
record IntervalForm(boolean on, boolean allSites, ShapeTable shapes) {
    static final IntervalForm NONE = new IntervalForm(false, false, null);
}
