package io.holdfast.jfr;

import io.holdfast.core.RootConfirmation;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One object that the VM had sampled.
 *
 * @param className   its class, in the form of {@link io.holdfast.core.ClassNames#of}
 * @param allocatedAt when it was allocated
 * @param caller      the innermost frame of its allocation stack that is not the JDK's, or null
 * @param rootSystem  see {@link RootConfirmation}; null when the VM found no path
 * @param rootType    likewise
 * @param rootDetail  likewise
 * @param rootClass   likewise
 * @param path        likewise
 */
record OldObject(String className, Instant allocatedAt, CallerFrame caller, String rootSystem, String rootType, String rootDetail, String rootClass,
                 List<RootConfirmation.Step> path) {
    boolean hasPath() {
        return rootType != null;
    }

    /** Equal for objects that are held in the same way at different places. */
    String way() {
        return rootSystem + rootType + rootClass + path.stream().map(step -> step.holder() + "." + step.field()).distinct().collect(Collectors.joining(">"));
    }
}
