package io.holdfast;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.agent.LearnedSite;
import io.holdfast.core.Counters;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LearnedSitesTest {
    private static final long SECOND = 1_000_000_000L;
    private static final LearnedSite FIRST = new LearnedSite("com.acme.Login", "login", "()V", 3, 7, "com.acme.Session");
    private static final LearnedSite SECOND_SITE = new LearnedSite("com.acme.Cart", "add", "()V", 9, 12, "com.acme.Item");

    @TempDir
    private Path directory;

    private LearnedSites of(Path file) {
        return new LearnedSites(file, HoldfastLog.named("holdfast"), new Counters(), 0);
    }

    @Test
    void whatOneRunLearnsTheNextOneReads() {
        Path file = directory.resolve("sites.txt");
        LearnedSites sites = of(file);
        assertThat(sites.read()).isEmpty();
        sites.follow(6 * SECOND, () -> List.of(FIRST));
        assertThat(file).doesNotExist();
        sites.follow(31 * SECOND, () -> List.of(FIRST));
        assertThat(of(file).read()).containsExactly(FIRST);
        sites.follow(40 * SECOND, () -> List.of(FIRST, SECOND_SITE));
        assertThat(of(file).read()).as("not before its time").containsExactly(FIRST);
        sites.write();
        assertThat(of(file).read()).as("but at the end").containsExactly(FIRST, SECOND_SITE);
    }

    @Test
    void aFileOfSomethingElseIsLeftAlone() throws Exception {
        Path file = directory.resolve("notes.txt");
        Files.writeString(file, "my notes");
        LearnedSites sites = of(file);
        assertThat(sites.read()).isEmpty();
        sites.follow(31 * SECOND, () -> List.of(FIRST));
        sites.write();
        assertThat(file).hasContent("my notes");
    }

    @Test
    void withoutALookThereIsNothingToWrite() {
        Path file = directory.resolve("sites.txt");
        of(file).write();
        assertThat(file).doesNotExist();
    }

    @Test
    void aDirectoryThatIsNotThereEndsTheAttempts() {
        LearnedSites sites = of(directory.resolve("no/such/sites.txt"));
        int[] asked = new int[1];
        for (int i = 1; i < 10; i++) {
            sites.follow(31 * SECOND * i, () -> {
                asked[0]++;
                return List.of(FIRST);
            });
        }
        assertThat(asked[0]).isEqualTo(1);
    }
}
