package io.holdfast.core;

import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;

/**
 * Reads the trusted lookup. Never used where it is: {@link TrustedLookup} copies this class into a module of its own, the only one that ever
 * gets access. Must refer to nothing but {@code java.base}.
 */
final class TrustedLookupReader {
    private TrustedLookupReader() { }

    static Object read() throws ReflectiveOperationException {
        Field field = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        field.setAccessible(true);
        return field.get(null);
    }
}
