package io.holdfast.jfr;

/** Allocates as Holdfast's own code would on a thread of the application. */
final class OwnCodeAllocations {
    private static volatile Object sink;

    private OwnCodeAllocations() { }

    static void all() {
        for (int i = 0; i < 10_000; i++) {
            sink = new byte[100];
            sink = new StringBuilder(100);
        }
    }
}
