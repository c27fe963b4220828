package io.holdfast.agent;

/**
 * A site that is to get a hook in one class.
 *
 * @param siteId         id of the site
 * @param methodName     method
 * @param descriptor     method descriptor
 * @param index          bytecode index in the bytes handed to us, or -1 when only method and class are known
 * @param line           line number, or -1
 * @param allocatedClass class made there, in the form of {@link io.holdfast.core.ClassNames#of}
 * @param exactOnly      whether it must be at that very index: what was learned in an earlier run may be stale
 */
record WantedSite(int siteId, String methodName, String descriptor, int index, int line, String allocatedClass, boolean exactOnly) {
    WantedSite(int siteId, String methodName, String descriptor, int index, int line, String allocatedClass) {
        this(siteId, methodName, descriptor, index, line, allocatedClass, false);
    }

    String methodKey() {
        return AllocationScan.key(methodName, descriptor);
    }
}
