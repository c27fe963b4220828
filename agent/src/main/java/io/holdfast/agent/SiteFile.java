package io.holdfast.agent;

import io.holdfast.core.Counters;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * The list of learned sites as a text file, one site a line, fields separated by tabs. At most {@value #MAX_SITES} sites and {@value #MAX_BYTES} bytes are
 * read or written. Written beside itself, readable for its owner only, and moved into place. Not thread-safe.
 */
public final class SiteFile {
    static final int MAX_SITES = SitePolicy.MAX_ACTIVE_SITES;
    static final int MAX_BYTES = 1 << 20;
    static final String LINES_IGNORED = "agent.sites.file.lines_ignored";
    private static final String HEADER = "# holdfast sites 1";
    private static final int FIELDS = 6;
    private static final int MAX_FIELD = 4_096;

    private final Path file;
    private final Counters counters;
    private List<LearnedSite> written;

    public SiteFile(Path file, Counters counters) {
        this.file = file;
        this.counters = counters;
    }

    /**
     * The sites in the file; none when there is no file yet. What is not understood is left out and counted.
     *
     * @throws IOException when the file exists and cannot be read, is too long or is no list of sites
     */
    public List<LearnedSite> read() throws IOException {
        byte[] bytes;
        try (InputStream in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException none) {
            return List.of();
        }
        if (bytes.length > MAX_BYTES) {
            throw new IOException("longer than " + MAX_BYTES + " bytes");
        }
        List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
        if (lines.isEmpty() || !lines.get(0).equals(HEADER)) {
            throw new IOException("not a list of sites of this version");
        }
        List<LearnedSite> sites = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            LearnedSite site = sites.size() < MAX_SITES ? parse(line) : null;
            if (site == null) {
                counters.increment(LINES_IGNORED);
            } else {
                sites.add(site);
            }
        }
        return sites;
    }

    private static LearnedSite parse(String line) {
        String[] fields = line.split("\t", -1);
        if (fields.length != FIELDS) {
            return null;
        }
        for (String field : fields) {
            if (field.isEmpty() || field.length() > MAX_FIELD) {
                return null;
            }
        }
        try {
            int index = Integer.parseInt(fields[3]);
            return fields[2].startsWith("(") && index >= 0 && index < 1 << 16
                    ? new LearnedSite(fields[0], fields[1], fields[2], index, Integer.parseInt(fields[4]), fields[5]) : null;
        } catch (NumberFormatException noNumber) {
            return null;
        }
    }

    /**
     * Replaces the file, unless it would say the same as when it was last written.
     *
     * @throws IOException when it cannot be written; the old file is still there then
     */
    public void write(List<LearnedSite> sites) throws IOException {
        if (sites.equals(written)) {
            return;
        }
        StringBuilder text = new StringBuilder(HEADER).append('\n');
        for (LearnedSite site : sites.subList(0, Math.min(MAX_SITES, sites.size()))) {
            String line = String.join("\t", site.className(), site.methodName(), site.descriptor(), Integer.toString(site.index()),
                    Integer.toString(site.line()), site.allocatedClass());
            if (parse(line) != null && text.length() + line.length() < MAX_BYTES / 4) {
                text.append(line).append('\n');
            }
        }
        Path directory = file.toAbsolutePath().getParent();
        Path temporary = Files.createTempFile(directory, file.getFileName().toString(), ".tmp", ownerOnly());
        try {
            Files.writeString(temporary, text);
            move(temporary);
        } finally {
            Files.deleteIfExists(temporary);
        }
        written = List.copyOf(sites);
    }

    private void move(Path temporary) throws IOException {
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static FileAttribute<?>[] ownerOnly() {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))} : new FileAttribute<?>[0];
    }
}
