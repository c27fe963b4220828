package io.holdfast.junit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The file of known leaks: one line a leak, {@code 4edcf1db  # owner, reason, ticket}. Tests that meet one of them pass and say so. Read anew each
 * time it is asked, which is only when a leak was found. Several JVMs may add to it at the same time.
 */
final class Baseline {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{8}");
    private static final String HEADER = "# Leaks that are known: tests that meet them pass. One line a leak: id  # owner, reason, ticket\n";

    private final Path file;

    Baseline(Path file) {
        this.file = file;
    }

    Path file() {
        return file;
    }

    /** Comment by id, in the order of the file; empty when there is no file. */
    Map<String, String> entries() {
        try {
            return Files.exists(file) ? parse(Files.readString(file)) : Map.of();
        } catch (IOException e) {
            throw new UncheckedIOException("the baseline " + file + " cannot be read", e);
        }
    }

    private Map<String, String> parse(String text) {
        Map<String, String> entries = new LinkedHashMap<>();
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            int comment = line.indexOf('#');
            String id = (comment < 0 ? line : line.substring(0, comment)).strip();
            if (id.isEmpty()) {
                continue;
            }
            if (!ID.matcher(id).matches()) {
                throw new IllegalStateException(file + ":" + number + ": \"" + id + "\" is no leak id (eight hexadecimal digits, small letters)");
            }
            entries.put(id, comment < 0 ? "" : line.substring(comment + 1).strip());
        }
        return entries;
    }

    /** Adds a line unless the id is there. The file is locked against other JVMs meanwhile, and by the permit against other threads. */
    void add(String id, String comment) {
        synchronized (ForcedCollections.permit()) {
            try {
                if (file.toAbsolutePath().getParent() != null) {
                    Files.createDirectories(file.toAbsolutePath().getParent());
                }
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
                        var lock = channel.lock()) {
                    String text = read(channel);
                    if (!lock.isValid() || parse(text).containsKey(id)) {
                        return;
                    }
                    String before = text.isEmpty() ? HEADER : text.endsWith("\n") ? "" : "\n";
                    ByteBuffer line = ByteBuffer.wrap((before + id + "  # " + comment.replaceAll("\\s+", " ").strip() + "\n").getBytes(StandardCharsets.UTF_8));
                    channel.position(channel.size());
                    while (line.hasRemaining()) {
                        channel.write(line);
                    }
                }
            } catch (IOException e) {
                throw new UncheckedIOException("the baseline " + file + " cannot be written", e);
            }
        }
    }

    private static String read(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
        while (bytes.hasRemaining() && channel.read(bytes) >= 0) {
            // until all is read
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    }
}
