package io.holdfast.examples.cost;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

/** CPU time of the threads of this JVM by name. On Linux the kernel is asked, which also knows the threads that Java does not show. */
final class ThreadCpu {
    private static final Path TASKS = Path.of("/proc/self/task");

    private ThreadCpu() { }

    /** Nanoseconds by name; threads of one name are added. Linux cuts names after 15 characters. */
    static Map<String, Long> nanosByName() {
        Map<String, Long> nanos = new TreeMap<>();
        if (!Files.isDirectory(TASKS)) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            for (ThreadInfo thread : threads.getThreadInfo(threads.getAllThreadIds())) {
                if (thread != null) {
                    nanos.merge(thread.getThreadName(), Math.max(0, threads.getThreadCpuTime(thread.getThreadId())), Long::sum);
                }
            }
            return nanos;
        }
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                try {
                    // The first of three numbers: time on a processor.
                    String onCpu = Files.readString(task.resolve("schedstat")).split(" ")[0];
                    nanos.merge(Files.readString(task.resolve("comm")).trim(), Long.parseLong(onCpu), Long::sum);
                } catch (IOException ended) {
                    // between the listing and the reading
                }
            }
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + TASKS, e);
        }
        return nanos;
    }
}
