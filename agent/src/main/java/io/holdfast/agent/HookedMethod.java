package io.holdfast.agent;

/**
 * Where the allocating instructions of a method with hooks are: the JVM names indices of the final bytes, while hooks are asked for by the index in
 * the bytes handed to us. Arrays run parallel.
 *
 * @param input indices in the bytes handed to us
 * @param output indices in the bytes with hooks
 * @param instructions what is there
 * @param restored whether the hooks are gone again, and the JVM names the input indices
 */
record HookedMethod(int[] input, int[] output, AllocationInstruction[] instructions, boolean restored) {
    static final int UNKNOWN = -1;

    /**
     * Index in the bytes handed to us of what the JVM saw at that index. A sample may be a second old and come from the method as it was before
     * the last change, so both tables are tried; the class made decides. {@link #UNKNOWN} when neither fits (another agent moved the code after us).
     */
    int toInput(int seen, String allocatedClass) {
        int position = find(restored ? input : output, seen, allocatedClass);
        if (position < 0) {
            position = find(restored ? output : input, seen, allocatedClass);
        }
        return position < 0 ? UNKNOWN : input[position];
    }

    /** The same method after its hooks were taken out. */
    HookedMethod withoutHooks() {
        return new HookedMethod(input, output, instructions, true);
    }

    private int find(int[] indices, int index, String allocatedClass) {
        for (int position = 0; position < indices.length; position++) {
            if (indices[position] == index && instructions[position].mayMake(allocatedClass)) {
                return position;
            }
        }
        return -1;
    }
}
