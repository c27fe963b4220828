package io.holdfast.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.core.Counters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SiteFileTest {
    private static final LearnedSite SITE = new LearnedSite("com.acme.Login", "login", "(Ljava/lang/String;)V", 17, 42, "com.acme.Session");

    @TempDir
    private Path directory;
    private final Counters counters = new Counters();
    private Path path;
    private SiteFile file;

    @BeforeEach
    void name() {
        path = directory.resolve("learned sites.txt");
        file = new SiteFile(path, counters);
    }

    @Test
    void noFileIsNoSites() throws IOException {
        assertThat(file.read()).isEmpty();
    }

    @Test
    void whatIsWrittenIsRead() throws IOException {
        List<LearnedSite> sites = List.of(SITE, new LearnedSite("A", "<init>", "()V", 0, -1, "byte[]"));
        file.write(sites);
        assertThat(new SiteFile(path, counters).read()).isEqualTo(sites);
        try (Stream<Path> all = Files.list(directory)) {
            assertThat(all).containsExactly(path);
        }
        if (Files.getFileStore(directory).supportsFileAttributeView("posix")) {
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path))).isEqualTo("rw-------");
        }
    }

    @Test
    void itIsNotWrittenAgainWhenNothingChanged() throws IOException {
        file.write(List.of(SITE));
        Files.delete(path);
        file.write(List.of(SITE));
        assertThat(path).doesNotExist();
        file.write(List.of());
        assertThat(path).exists();
    }

    @Test
    void linesThatAreNotUnderstoodAreLeftOutAndCounted() throws IOException {
        String good = "com.acme.Login\tlogin\t(Ljava/lang/String;)V\t17\t42\tcom.acme.Session";
        Files.writeString(path, String.join("\n", "# holdfast sites 1", good, "", "a\tb", good.replace("17", "-1"), good.replace("17", "99999"),
                good.replace("17", "x"), good.replace("(L", "L"), good.replace("login", ""), good.replace("login", "x".repeat(5_000)), good));
        assertThat(file.read()).containsExactly(SITE, SITE);
        assertThat(counters.get(SiteFile.LINES_IGNORED)).isEqualTo(8);
    }

    @Test
    void aFileOfSomethingElseIsRefused() throws IOException {
        Files.writeString(path, "To be or not to be");
        assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("not a list of sites");
        Files.write(path, new byte[SiteFile.MAX_BYTES + 1]);
        assertThatThrownBy(file::read).isInstanceOf(IOException.class).hasMessageContaining("longer than");
    }

    @Test
    void itsSizeIsBounded() throws IOException {
        List<LearnedSite> many = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            many.add(new LearnedSite("com.acme.C" + i, "m", "()V", i, i, "x".repeat(2_000)));
        }
        file.write(many);
        assertThat(Files.size(path)).isLessThan(SiteFile.MAX_BYTES);
        assertThat(new SiteFile(path, counters).read().size()).isBetween(50, SiteFile.MAX_SITES);
    }

    @Test
    void aDirectoryThatIsNotThereLeavesTheOldFileAlone() {
        assertThatThrownBy(() -> new SiteFile(directory.resolve("no/such/file"), counters).write(List.of(SITE))).isInstanceOf(IOException.class);
    }
}
