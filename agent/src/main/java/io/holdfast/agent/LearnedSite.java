package io.holdfast.agent;

import java.util.Objects;

/**
 * A site as one run of Holdfast hands it to the next: where an allocation is whose objects survived.
 *
 * @param className      binary name of the class
 * @param methodName     method
 * @param descriptor     method descriptor
 * @param index          bytecode index in the class file
 * @param line           line number, or -1
 * @param allocatedClass class made there, in source form
 */
public record LearnedSite(String className, String methodName, String descriptor, int index, int line, String allocatedClass) {
    public LearnedSite {
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(methodName, "methodName");
        Objects.requireNonNull(descriptor, "descriptor");
        Objects.requireNonNull(allocatedClass, "allocatedClass");
    }

    static LearnedSite of(Site site) {
        ScoutKey key = site.key();
        return new LearnedSite(key.className(), key.methodName(), key.descriptor(), key.index(), site.noun().line(), key.allocatedClass());
    }

    ScoutKey key() {
        return new ScoutKey(className, methodName, descriptor, index, allocatedClass);
    }
}
