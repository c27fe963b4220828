package io.holdfast.agent;

import org.objectweb.asm.ClassReader;

/** A class reader that tells the bytecode index of the instruction it is about to visit. */
final class IndexedClassReader extends ClassReader {
    private int index;

    /** @throws IllegalArgumentException when the class file is newer than ASM knows */
    IndexedClassReader(byte[] classFile) {
        super(classFile);
    }

    /** Index of the instruction being visited. */
    int index() {
        return index;
    }

    @Override
    protected void readBytecodeInstructionOffset(int offset) {
        index = offset;
    }
}
