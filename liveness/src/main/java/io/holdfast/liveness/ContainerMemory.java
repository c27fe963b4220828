package io.holdfast.liveness;

/** Memory of the container the process runs in. */
interface ContainerMemory {
    /** No container, or none that says anything. */
    ContainerMemory UNKNOWN = new ContainerMemory() {
        @Override
        public long limitBytes() {
            return -1;
        }

        @Override
        public long usageBytes() {
            return 0;
        }
    };

    /** Most restrictive limit; -1 = none or unknown. */
    long limitBytes();

    /** Bytes in use; 0 = could not be read. Called after each collection, on a thread of the JVM. */
    long usageBytes();
}
