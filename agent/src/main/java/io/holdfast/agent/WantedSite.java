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
 */
record WantedSite(int siteId, String methodName, String descriptor, int index, int line, String allocatedClass) {
    String methodKey() {
        return AllocationScan.key(methodName, descriptor);
    }
}
