package io.holdfast.liveness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Memory of the process's Linux control group: version 2 with the limits of all ancestors, else version 1. The limit is read once; where there is
 * none, usage is never read. Immutable, any thread.
 */
final class ControlGroupMemory implements ContainerMemory {
    private static final String NO_LIMIT = "max";
    /** Version 1 writes "no limit" as a number close to the largest there is. */
    private static final long NO_LIMIT_FROM = 1L << 60;

    private final long limit;
    private final Path usageFile;

    private ControlGroupMemory(long limit, Path usageFile) {
        this.limit = limit;
        this.usageFile = usageFile;
    }

    static ContainerMemory ofThisProcess() {
        return of(Path.of("/sys/fs/cgroup"), Path.of("/proc/self/cgroup"));
    }

    /**
     * @param mount    where the control groups are mounted
     * @param selfFile file that names the groups of the process, one a line: {@code number:controllers:path}
     */
    static ContainerMemory of(Path mount, Path selfFile) {
        try {
            List<String> lines = Files.readAllLines(selfFile);
            for (String line : lines) {
                String[] parts = line.split(":", 3);
                if (parts.length == 3 && parts[1].isEmpty() && Files.exists(mount.resolve("cgroup.controllers"))) {
                    return versionTwo(mount, below(mount, parts[2]));
                }
            }
            for (String line : lines) {
                String[] parts = line.split(":", 3);
                if (parts.length == 3 && List.of(parts[1].split(",")).contains("memory")) {
                    Path group = below(mount.resolve("memory"), parts[2]);
                    return known(limit(group.resolve("memory.limit_in_bytes")), group.resolve("memory.usage_in_bytes"));
                }
            }
        } catch (IOException | RuntimeException unreadable) {
            // Not Linux, or hidden from us.
        }
        return ContainerMemory.UNKNOWN;
    }

    @Override
    public long limitBytes() {
        return limit;
    }

    @Override
    public long usageBytes() {
        try {
            return Math.max(0, Long.parseLong(Files.readString(usageFile).strip()));
        } catch (IOException | RuntimeException unreadable) {
            return 0;
        }
    }

    private static ContainerMemory versionTwo(Path mount, Path group) {
        long tightest = Long.MAX_VALUE;
        for (Path at = group; at != null && at.startsWith(mount); at = at.getParent()) {
            tightest = Math.min(tightest, limit(at.resolve("memory.max")));
        }
        return known(tightest, group.resolve("memory.current"));
    }

    private static ContainerMemory known(long limit, Path usageFile) {
        return limit < NO_LIMIT_FROM ? new ControlGroupMemory(limit, usageFile) : ContainerMemory.UNKNOWN;
    }

    /** The group's folder; the mount itself where the path is that of the host and does not exist inside the container. */
    private static Path below(Path mount, String group) {
        Path folder = mount.resolve(group.startsWith("/") ? group.substring(1) : group).normalize();
        return folder.startsWith(mount) && Files.isDirectory(folder) ? folder : mount;
    }

    private static long limit(Path file) {
        try {
            String text = Files.readString(file).strip();
            return NO_LIMIT.equals(text) ? Long.MAX_VALUE : Long.parseLong(text);
        } catch (IOException | RuntimeException unreadable) {
            return Long.MAX_VALUE;
        }
    }
}
