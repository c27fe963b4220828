package io.holdfast.core;

/**
 * One allocation seen by the JVM's own sampler: it names the instruction, not the object.
 *
 * @param className       binary name of the class whose method allocates
 * @param methodName      method
 * @param descriptor      method descriptor
 * @param bytecodeIndex   index of the allocating instruction in the method as loaded
 * @param line            line number, or -1
 * @param allocatedClass  class of the object, in the form of {@link ClassNames#of}
 * @param weightBytes     bytes the sample stands for
 */
public record ScoutedAllocation(String className, String methodName, String descriptor, int bytecodeIndex, int line,
                                String allocatedClass, long weightBytes) { }
