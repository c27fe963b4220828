package io.holdfast.examples.shapes;

import java.util.List;
import java.util.function.Supplier;

/**
 * One way to leak, or to look as if.
 *
 * @param name    name of the shape
 * @param rate    units a second
 * @param heapMb  maximum heap of its JVM
 * @param leaking classes one of which must be named, {@value #ANY} for any rest; empty for a control, of which nothing must be reported
 * @param holders fields one of which must be on the chain, as {@code Class#field}; {@value #ANY} = whatever the chain
 * @param start   makes the program, whose unit is then called at the rate
 */
record Shape(String name, double rate, int heapMb, List<String> leaking, List<String> holders, Supplier<Unit> start) {
    static final String ANY = "*";
    private static final int HEAP_MB = 512;

    /** One unit of work. */
    interface Unit {
        /** The {@code n}th, from 1. */
        void run(long n) throws Exception;
    }

    /** Classes and holders are separated by blanks. */
    static Shape leak(String name, double rate, String leaking, String holders, Supplier<Unit> start) {
        return leak(name, rate, HEAP_MB, leaking, holders, start);
    }

    static Shape leak(String name, double rate, int heapMb, String leaking, String holders, Supplier<Unit> start) {
        return new Shape(name, rate, heapMb, List.of(leaking.split(" ")), List.of(holders.split(" ")), start);
    }

    static Shape control(String name, double rate, Supplier<Unit> start) {
        return new Shape(name, rate, HEAP_MB, List.of(), List.of(), start);
    }
}
