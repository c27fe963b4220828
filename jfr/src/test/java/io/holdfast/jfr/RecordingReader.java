package io.holdfast.jfr;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/** Reads recordings, whole or chunk by chunk. */
final class RecordingReader {
    private static final int MAGIC = 0x464C5200;
    private static final int SIZE_OFFSET = 8;

    private RecordingReader() { }

    /** Events of ours, in the order Holdfast wrote them. */
    static List<RecordedEvent> ours(Path file) throws IOException {
        return RecordingFile.readAllEvents(file).stream().filter(event -> event.getEventType().getName().startsWith("holdfast."))
                .sorted((one, other) -> Long.compare(one.getLong("sequence"), other.getLong("sequence"))).collect(Collectors.toList());
    }

    static List<RecordedEvent> ours(Path file, String name) throws IOException {
        return ours(file).stream().filter(event -> event.getEventType().getName().equals("holdfast." + name)).toList();
    }

    /** Each chunk as a file of its own: a chunk has a magic number and its size in front. */
    static List<Path> chunks(Path file, Path directory) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file));
        List<Path> chunks = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int start = bytes.position();
            if (bytes.getInt(start) != MAGIC) {
                throw new IOException("No chunk at " + start);
            }
            byte[] chunk = new byte[Math.toIntExact(bytes.getLong(start + SIZE_OFFSET))];
            bytes.get(chunk);
            chunks.add(Files.write(directory.resolve("chunk" + chunks.size() + ".jfr"), chunk));
        }
        return chunks;
    }
}
