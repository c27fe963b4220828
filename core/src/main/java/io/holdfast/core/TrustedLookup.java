package io.holdfast.core;

import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Ways to the lookup that may read everything. Whoever has it must not hand it on. Neither way opens a package to the application, and nothing
 * here throws: what the VM refuses comes back as empty. Any thread; a few milliseconds; nothing is kept.
 */
public final class TrustedLookup {
    private static final String PACKAGE = "java.lang.invoke";

    private TrustedLookup() { }

    /**
     * Through an agent: no flag, no warning. {@code java.lang.invoke} is opened to the unnamed module of a class loader that holds one class and is
     * forgotten at once.
     */
    public static Optional<MethodHandles.Lookup> fromInstrumentation(Instrumentation instrumentation) {
        try {
            ReaderLoader loader = new ReaderLoader();
            instrumentation.redefineModule(Object.class.getModule(), Set.of(), Map.of(), Map.of(PACKAGE, Set.of(loader.getUnnamedModule())),
                    Set.of(), Map.of());
            Method read = loader.define().getDeclaredMethod("read");
            read.setAccessible(true);
            return asLookup(read.invoke(null));
        } catch (ReflectiveOperationException | IOException | RuntimeException | LinkageError refused) {
            return Optional.empty();
        }
    }

    /**
     * Through {@code sun.misc.Unsafe}: no agent needed. JDK 24 and later print one warning at the first call in a VM, and refuse when told to by
     * {@code --sun-misc-unsafe-memory-access=deny}.
     */
    public static Optional<MethodHandles.Lookup> fromUnsafe() {
        try {
            // By reflection, for javac's warning about the class cannot be suppressed.
            Class<?> type = Class.forName("sun.misc.Unsafe");
            Field instance = type.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object unsafe = instance.get(null);
            Field lookup = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
            Object base = type.getMethod("staticFieldBase", Field.class).invoke(unsafe, lookup);
            Object offset = type.getMethod("staticFieldOffset", Field.class).invoke(unsafe, lookup);
            return asLookup(type.getMethod("getObject", Object.class, long.class).invoke(unsafe, base, offset));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError refused) {
            return Optional.empty();
        }
    }

    private static Optional<MethodHandles.Lookup> asLookup(Object value) {
        return value instanceof MethodHandles.Lookup lookup ? Optional.of(lookup) : Optional.empty();
    }

    /** Holds the copy of {@link TrustedLookupReader}. The boot loader is its parent: the copy sees {@code java.base} only. */
    private static final class ReaderLoader extends ClassLoader {
        ReaderLoader() {
            super(null);
        }

        Class<?> define() throws IOException {
            String resource = TrustedLookupReader.class.getSimpleName() + ".class";
            try (InputStream in = TrustedLookup.class.getResourceAsStream(resource)) {
                if (in == null) {
                    throw new IOException(resource + " is missing");
                }
                byte[] bytes = in.readAllBytes();
                return defineClass(TrustedLookupReader.class.getName(), bytes, 0, bytes.length);
            }
        }
    }
}
