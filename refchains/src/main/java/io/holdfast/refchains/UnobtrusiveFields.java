package io.holdfast.refchains;

import java.util.List;

/** Chooses how the fields of a class are found, so that no class is loaded through a loader of the application. */
final class UnobtrusiveFields implements FieldSource {
    private final FieldSource reflected;
    private final ConstantPoolFields fromConstantPool;

    UnobtrusiveFields(FieldSource reflected, ConstantPoolFields fromConstantPool) {
        this.reflected = reflected;
        this.fromConstantPool = fromConstantPool;
    }

    @Override
    public List<DeclaredField> of(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        boolean harmless = loader == null || loader == ClassLoader.getPlatformClassLoader() || fromConstantPool.typesLoaded(type);
        return (harmless ? reflected : fromConstantPool).of(type);
    }
}
