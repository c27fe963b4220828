package io.holdfast;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;

/** A report on disk: written to a temporary file beside it, readable by its owner only, and moved into place whole. */
final class ReportFile {
    private final Path file;

    ReportFile(Path file) {
        this.file = file.toAbsolutePath();
    }

    void write(String text) throws IOException {
        Path file = target();
        Path parent = file.getParent();
        Files.createDirectories(parent);
        Path temporary = Files.createTempFile(parent, file.getFileName().toString(), ".tmp");
        try {
            if (Files.getFileStore(temporary).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-------"));
            }
            Files.writeString(temporary, text, StandardCharsets.UTF_8);
            try {
                Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } catch (java.nio.file.AtomicMoveNotSupportedException e) {
                Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
            }
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** A link is followed, not replaced; and what is no file (a device, a pipe) is left alone. */
    private Path target() throws IOException {
        if (!Files.exists(file)) {
            return file;
        }
        if (!Files.isRegularFile(file)) {
            throw new FileSystemException(file.toString(), null, "is no regular file");
        }
        return file.toRealPath();
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
