package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportFileTest {
    @TempDir
    Path folder;

    @Test
    void isWrittenWholeForItsOwnerOnlyAndLeavesNothingBeside() throws IOException {
        Path file = folder.resolve("new/report.json");
        new ReportFile(file).write("first");
        new ReportFile(file).write("second");
        assertThat(file).hasContent("second");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
        try (var beside = Files.list(file.getParent())) {
            assertThat(beside).containsExactly(file);
        }
    }

    @Test
    void aFailedWriteLeavesNothingBeside() throws IOException {
        Path taken = Files.createDirectory(folder.resolve("taken"));
        Files.createFile(taken.resolve("inside"));
        assertThatThrownBy(() -> new ReportFile(taken).write("text")).isInstanceOf(IOException.class);
        try (var beside = Files.list(folder)) {
            assertThat(beside).containsExactly(taken);
        }
    }

    @Test
    void aLinkIsFollowedAndWhatIsNoFileIsLeftAlone() throws IOException {
        Path real = Files.createFile(folder.resolve("real.json"));
        Path link = Files.createSymbolicLink(folder.resolve("link.json"), real);
        new ReportFile(link).write("text");
        assertThat(real).hasContent("text");
        assertThat(link).isSymbolicLink();
        assertThatThrownBy(() -> new ReportFile(folder).write("text")).isInstanceOf(IOException.class).hasMessageContaining("no regular file");
    }

    @Test
    void theWriterCountsFailuresAndWritesWhenDue() throws IOException {
        Counters counters = new Counters();
        Path file = folder.resolve("report.json");
        ReportWriter writer = new ReportWriter(file, () -> JsonReportTest.report(List.of(), false), HoldfastLog.named("test"), counters, 0);
        writer.writeIfDue(ReportWriter.INTERVAL_SECONDS * 1_000_000_000L - 1);
        assertThat(file).doesNotExist();
        writer.writeIfDue(ReportWriter.INTERVAL_SECONDS * 1_000_000_000L);
        assertThat(file).isNotEmptyFile();

        Path blocked = Files.createFile(folder.resolve("file")).resolve("report.json");
        ReportWriter blockedWriter = new ReportWriter(blocked, () -> JsonReportTest.report(List.of(), false), HoldfastLog.named("test"), counters, 0);
        blockedWriter.write(1);
        blockedWriter.write(2);
        assertThat(counters.get("report.write.failed")).isEqualTo(2);
    }
}
