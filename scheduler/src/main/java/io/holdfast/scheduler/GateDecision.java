package io.holdfast.scheduler;

/**
 * @param gate      the first gate that refuses, or {@link Gate#OPEN}
 * @param waitNanos time until that gate can open; {@link Long#MAX_VALUE} when time alone does not open it
 */
record GateDecision(Gate gate, long waitNanos) {
    static final GateDecision OPEN = new GateDecision(Gate.OPEN, 0);

    static GateDecision refused(Gate gate) {
        return new GateDecision(gate, Long.MAX_VALUE);
    }

    boolean open() {
        return gate == Gate.OPEN;
    }
}
