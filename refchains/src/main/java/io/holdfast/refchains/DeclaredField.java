package io.holdfast.refchains;

/**
 * A field as its class declares it.
 *
 * @param name      its name
 * @param offset    relative to the object, or to the {@code Class} object for a static one
 * @param fixed     whether it is static
 * @param type      first letter of its type's descriptor; {@code L} and {@code [} are references
 * @param leads     whether it is of a type whose objects may be worth walking
 */
record DeclaredField(String name, long offset, boolean fixed, char type, boolean leads) {
    boolean reference() {
        return type == 'L' || type == '[';
    }
}
