package io.holdfast.liveness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlGroupMemoryTest {
    @TempDir
    Path folder;

    @Test
    void version_two_takes_the_most_restrictive_limit_on_the_way_up() throws IOException {
        write("cgroup/cgroup.controllers", "memory");
        write("cgroup/memory.max", "max");
        write("cgroup/slice/memory.max", "5000\n");
        write("cgroup/slice/unit/memory.max", "9000\n");
        write("cgroup/slice/unit/memory.current", "1234\n");
        write("self", "0::/slice/unit\n");
        ContainerMemory memory = memory();
        assertThat(memory.limitBytes()).isEqualTo(5_000);
        assertThat(memory.usageBytes()).isEqualTo(1_234);
    }

    @Test
    void a_path_of_the_host_falls_back_to_the_mount() throws IOException {
        write("cgroup/cgroup.controllers", "memory");
        write("cgroup/memory.max", "7000");
        write("cgroup/memory.current", "42");
        write("self", "0::/../../docker/abc\n");
        assertThat(memory().limitBytes()).isEqualTo(7_000);
        assertThat(memory().usageBytes()).isEqualTo(42);
    }

    @Test
    void version_one_reads_the_memory_controller() throws IOException {
        write("cgroup/memory/app/memory.limit_in_bytes", "8000");
        write("cgroup/memory/app/memory.usage_in_bytes", "77");
        write("self", "12:cpu,cpuacct:/app\n5:memory:/app\n");
        assertThat(memory().limitBytes()).isEqualTo(8_000);
        assertThat(memory().usageBytes()).isEqualTo(77);
    }

    @Test
    void no_limit_means_unknown_and_usage_is_not_read() throws IOException {
        write("cgroup/cgroup.controllers", "memory");
        write("cgroup/memory.max", "max");
        write("cgroup/memory.current", "42");
        write("self", "0::/\n");
        assertThat(memory()).isSameAs(ContainerMemory.UNKNOWN);
        write("cgroup/memory/memory.limit_in_bytes", "9223372036854771712");
        write("self", "5:memory:/\n");
        assertThat(memory()).isSameAs(ContainerMemory.UNKNOWN);
    }

    @Test
    void unreadable_files_mean_unknown() throws IOException {
        assertThat(memory()).isSameAs(ContainerMemory.UNKNOWN);
        write("cgroup/cgroup.controllers", "memory");
        write("cgroup/memory.max", "7000");
        write("cgroup/memory.current", "nonsense");
        write("self", "0::/\n");
        assertThat(memory().usageBytes()).isZero();
    }

    private ContainerMemory memory() {
        return ControlGroupMemory.of(folder.resolve("cgroup"), folder.resolve("self"));
    }

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }
}
