package io.holdfast.refchains;

/** Raw reads. A wrong offset crashes the VM. */
interface HeapMemory {
    Object reference(Object base, long offset);

    int intAt(Object base, long offset);

    long longAt(Object base, long offset);
}
