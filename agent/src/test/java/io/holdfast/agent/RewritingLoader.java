package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;

/** Defines its own copies of given classes, from given bytes; everything else comes from the parent. */
final class RewritingLoader extends ClassLoader {
    private final Map<String, byte[]> classFiles;

    RewritingLoader(Map<String, byte[]> classFiles) {
        super(RewritingLoader.class.getClassLoader());
        this.classFiles = Map.copyOf(classFiles);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        byte[] bytes = classFiles.get(name);
        if (bytes == null) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : defineClass(name, bytes, 0, bytes.length);
        }
    }

    static byte[] classFile(String binaryName) {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(binaryName.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new IllegalArgumentException("no class file of " + binaryName);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
