package io.holdfast.agent;

import java.io.File;
import java.io.IOException;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.util.function.Function;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * Reads class files from where their classes came from, as far as that is a directory or a jar. No class loader is asked: it may be the
 * application's.
 */
final class ClassFiles implements Function<Class<?>, byte[]> {
    private static final int MAX_BYTES = 8 << 20;

    @Override
    public byte[] apply(Class<?> type) {
        ProtectionDomain domain = type.isHidden() ? null : type.getProtectionDomain();
        CodeSource source = domain == null ? null : domain.getCodeSource();
        URL location = source == null || source.getClass() != CodeSource.class ? null : source.getLocation();
        if (location == null || !"file".equals(location.getProtocol()) || location.getHost() != null && !location.getHost().isEmpty()) {
            return null;
        }
        // Not by way of a URI: the handler of the URL may be the application's.
        Path place = Path.of(new File(URLDecoder.decode(location.getPath().replace("+", "%2B"), StandardCharsets.UTF_8)).getPath());
        String name = type.getName().replace('.', '/') + ".class";
        try {
            return Files.isDirectory(place) ? ofDirectory(place.resolve(name)) : ofJar(place, name);
        } catch (IOException unreadable) {
            return null;
        }
    }

    private static byte[] ofDirectory(Path file) throws IOException {
        return Files.isRegularFile(file) && Files.size(file) <= MAX_BYTES ? Files.readAllBytes(file) : null;
    }

    private static byte[] ofJar(Path file, String name) throws IOException {
        if (!Files.isRegularFile(file)) {
            return null;
        }
        try (JarFile jar = new JarFile(file.toFile(), false, ZipFile.OPEN_READ, Runtime.version())) {
            ZipEntry entry = jar.getJarEntry(name);
            return entry != null && entry.getSize() >= 0 && entry.getSize() <= MAX_BYTES ? jar.getInputStream(entry).readAllBytes() : null;
        }
    }
}
