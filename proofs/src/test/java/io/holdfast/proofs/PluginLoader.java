package io.holdfast.proofs;

import java.io.IOException;
import java.io.InputStream;

/** Defines a {@link Plugin} of its own; everything else comes from the loader of the tests. */
final class PluginLoader extends ClassLoader {
    static final byte[] BYTES = bytes(Plugin.class);

    PluginLoader() {
        super(PluginLoader.class.getClassLoader());
    }

    static byte[] bytes(Class<?> type) {
        try (InputStream in = type.getResourceAsStream(type.getName().substring(type.getName().lastIndexOf('.') + 1) + ".class")) {
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** An instance of this loader's own class, whose static field holds {@code kept}. */
    Object plugin(Object kept, Object own) {
        try {
            Class<?> type = defineClass(Plugin.class.getName(), BYTES, 0, BYTES.length);
            type.getField("kept").set(null, kept);
            Object plugin = type.getConstructor().newInstance();
            type.getField("own").set(plugin, own);
            return plugin;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
