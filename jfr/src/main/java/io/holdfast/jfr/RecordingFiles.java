package io.holdfast.jfr;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;

/** Tells a recording from other files before Flight Recorder's reader sees it, which says little about what is wrong. */
final class RecordingFiles {
    /** "FLR" and a zero byte, in front of each chunk. */
    private static final int MAGIC = 0x464C5200;
    /** Magic, version, and the size of the chunk in bytes. */
    private static final int HEADER_READ = 16;

    private RecordingFiles() { }

    /** @throws UnreadableRecordingException when the file is not there, or is no complete recording: chunk behind chunk, each as long as it says */
    static void check(Path file) throws UnreadableRecordingException {
        if (!Files.isRegularFile(file)) {
            throw new UnreadableRecordingException(file + (Files.exists(file) ? " is no file." : " does not exist."));
        }
        try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "r")) {
            long length = bytes.length();
            if (length == 0) {
                throw new UnreadableRecordingException(file + " is empty.");
            }
            long start = 0;
            while (start < length) {
                if (length - start < HEADER_READ) {
                    throw start == 0 ? foreign(file) : truncated(file, length - start, HEADER_READ);
                }
                bytes.seek(start);
                if (bytes.readInt() != MAGIC) {
                    throw foreign(file);
                }
                bytes.readInt();
                long size = bytes.readLong();
                if (size < HEADER_READ || size > length - start) {
                    throw truncated(file, length - start, size);
                }
                start += size;
            }
        } catch (IOException e) {
            throw new UnreadableRecordingException(file + " cannot be read: " + e.getMessage() + ".");
        }
    }

    private static UnreadableRecordingException foreign(Path file) {
        return new UnreadableRecordingException(file + " is no Flight Recorder recording.");
    }

    private static UnreadableRecordingException truncated(Path file, long there, long size) {
        return new UnreadableRecordingException(file + " is truncated, or is being written: its last chunk has " + there + " bytes"
                + (size > there ? " of " + size : "") + ".");
    }
}
