package io.holdfast.liveness;

import java.lang.reflect.Array;

/** Measures objects, on the Holdfast thread. With an agent: {@code Instrumentation::getObjectSize}. */
@FunctionalInterface
public interface ObjectSizes {
    /** Bytes of the object itself; 0 = unknown. Must neither call the object nor keep it. */
    long bytes(Object object);

    /** Without an agent only arrays tell their size; estimated for compressed references. */
    static ObjectSizes ofArrays() {
        return object -> {
            Class<?> element = object.getClass().getComponentType();
            if (element == null) {
                return 0;
            }
            int width = element == byte.class || element == boolean.class ? 1 : element == short.class || element == char.class ? 2
                    : element == long.class || element == double.class ? 8 : 4;
            return (16 + (long) width * Array.getLength(object) + 7) / 8 * 8;
        };
    }
}
