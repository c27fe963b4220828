package io.holdfast.core;

import java.util.Objects;

/**
 * An instruction that allocates.
 *
 * @param className      binary name of the class that contains the method
 * @param methodName     method name, {@code <init>} for constructors
 * @param sourceFile     source file, or null
 * @param line           line number, or -1
 * @param allocatedClass class of the objects made here
 */
public record AllocationSite(String className, String methodName, String sourceFile, int line, String allocatedClass) {
    public AllocationSite {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(methodName, "methodName");
    }

    /** As a stack frame is written: {@code com.acme.Login.login(Login.java:42)}. */
    public String toFrame() {
        return new StackTraceElement(className, methodName, sourceFile, line).toString();
    }
}
