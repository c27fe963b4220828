package io.holdfast.refchains;

/**
 * A field as its class declares it.
 *
 * @param name      its name
 * @param offset    relative to the object, or to the {@code Class} object for a static one
 * @param fixed     whether it is static
 * @param reference whether it is of a reference type
 * @param leads     whether it is of a type whose objects may be worth walking
 */
record DeclaredField(String name, long offset, boolean fixed, boolean reference, boolean leads) { }
