package io.holdfast.jfr;

/**
 * A frame of a sampled stack, free of Flight Recorder's types.
 *
 * @param className     binary name
 * @param nativeMethod  whether the frame is of a native method, which has no instructions
 * @param hidden        whether the method belongs to a hidden class or is marked hidden
 * @param bytecodeIndex -1 when unknown
 * @param line          -1 when unknown
 */
record Frame(String className, String methodName, String descriptor, int bytecodeIndex, int line, boolean nativeMethod, boolean hidden) { }
