package io.holdfast.agent;

import io.holdfast.core.ClassNames;
import io.holdfast.core.ScoutedAllocation;

/**
 * What tells scouted sites apart.
 *
 * @param index bytecode index in the class as handed to our transformer, or -1 when unknown
 */
record ScoutKey(String className, String methodName, String descriptor, int index, String allocatedClass) {
    static ScoutKey of(ScoutedAllocation seen, int index) {
        return new ScoutKey(seen.className(), seen.methodName(), seen.descriptor(), index, ClassNames.stable(seen.allocatedClass()));
    }

    String internalName() {
        return className.replace('.', '/');
    }
}
