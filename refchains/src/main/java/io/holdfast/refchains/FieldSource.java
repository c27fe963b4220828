package io.holdfast.refchains;

import java.util.List;

/** Finds the fields a class declares. */
@FunctionalInterface
interface FieldSource {
    /** Static fields included, in no particular order. Throws a {@link LinkageError} or a {@link RuntimeException} when they cannot be had. */
    List<DeclaredField> of(Class<?> type);
}
