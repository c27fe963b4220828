package io.holdfast.agent;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A temporary jar with copies of three small classes: the agent of a self-attach, and what its helper JVM runs. Written at run time, so that it
 * does not matter where and in how many jars Holdfast's classes are.
 */
final class HolderJar implements AutoCloseable {
    private final Path directory;
    private final Path jar;
    private final Path output;

    private HolderJar(Path directory) {
        this.directory = directory;
        this.jar = directory.resolve("holdfast-attach.jar");
        this.output = directory.resolve("output.txt");
    }

    static HolderJar write() throws IOException {
        HolderJar written = new HolderJar(Files.createTempDirectory("holdfast-attach"));
        try {
            written.writeJar();
            return written;
        } catch (IOException | RuntimeException e) {
            written.close();
            throw e;
        }
    }

    Path jar() {
        return jar;
    }

    /** Where the helper JVM writes what nobody else shall see. */
    Path output() {
        return output;
    }

    private void writeJar() throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Agent-Class", InstrumentationHolder.class.getName());
        attributes.putValue("Can-Retransform-Classes", "true");
        try (OutputStream file = Files.newOutputStream(jar); JarOutputStream out = new JarOutputStream(file, manifest)) {
            for (Class<?> copied : List.of(InstrumentationHolder.class, AgentLoader.class, FailureText.class)) {
                String path = copied.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(path));
                try (InputStream in = copied.getResourceAsStream(copied.getSimpleName() + ".class")) {
                    if (in == null) {
                        throw new IOException(path + " is missing");
                    }
                    in.transferTo(out);
                }
                out.closeEntry();
            }
        }
    }

    /** Deletes the files. Where an open jar cannot be deleted (Windows) this is left to the end of the JVM. */
    @Override
    public void close() {
        for (Path path : List.of(output, jar, directory)) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException | RuntimeException e) {
                path.toFile().deleteOnExit();
            }
        }
    }
}
