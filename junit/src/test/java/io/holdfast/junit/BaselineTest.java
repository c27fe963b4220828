package io.holdfast.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaselineTest {
    private static final String FILE = "src/test/holdfast-baseline.txt";
    @TempDir
    Path scratch;

    @Test
    void noFileIsAnEmptyBaseline() {
        assertThat(new Baseline(scratch.resolve("none.txt")).entries()).isEmpty();
    }

    @Test
    void readsIdsAndComments() throws Exception {
        Path file = scratch.resolve("baseline.txt");
        Files.writeString(file, "# all of them\n\n4edcf1db  # Session, kept on purpose, SHOP-12\r\n00000001\n");
        assertThat(new Baseline(file).entries()).containsExactly(entry("4edcf1db", "Session, kept on purpose, SHOP-12"), entry("00000001", ""));
    }

    @Test
    void aLineThatIsNoIdIsAnErrorThatNamesIt() throws Exception {
        Path file = scratch.resolve("baseline.txt");
        Files.writeString(file, "4edcf1db\nSession # forgot the id\n");
        assertThatThrownBy(() -> new Baseline(file).entries()).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("baseline.txt:2").hasMessageContaining("\"Session\" is no leak id");
    }

    @Test
    void addsEachLeakOnceHoweverManyThreadsFindIt() throws Exception {
        Path file = scratch.resolve("new/baseline.txt");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "4edcf1db # without end of line");
        IntStream.range(0, 64).parallel().forEach(i -> new Baseline(file).add(String.format("%08x", i % 8), "found\nby many"));
        assertThat(new Baseline(file).entries()).hasSize(9).containsEntry("4edcf1db", "without end of line").containsEntry("00000007", "found by many");
        assertThat(Files.readAllLines(file)).hasSize(9);
    }

    @Test
    void settingsThatAreNotUnderstoodAreNamed() {
        assertThatThrownBy(() -> Settings.of(key -> key.equals(Settings.ATTACH) ? Optional.of("yes") : Optional.empty()))
                .hasMessage("holdfast.junit.attach=yes: allowed are true and false");
        assertThatThrownBy(() -> Settings.of(key -> key.equals(Settings.SEARCH_SECONDS) ? Optional.of("5x") : Optional.empty()))
                .hasMessage("holdfast.junit.search-seconds=5x: allowed is a number of seconds, 1 to 3600");
    }

    /** New leaks are written down once; after that the tests pass, the report says so, and a line that nothing meets is named. */
    @Test
    void knownLeaksPassAndUnusedLinesAreReported() throws Exception {
        ForkedTests.Result recorded = new ForkedTests(scratch, "5.12").run("LoaderScenario", "holdfast.baseline.update=true");
        assertThat(recorded.of("failObjectOfAClass")).startsWith("SUCCESSFUL");
        Path file = scratch.resolve(FILE);
        assertThat(Files.readString(file)).contains("held by com.acme.shop.EventBus.last, reason and ticket: to be filled in");
        assertThat(new Baseline(file).entries()).hasSize(2);

        new Baseline(file).add("0badcafe", "gone long ago");
        ForkedTests.Result known = new ForkedTests(scratch, "6").run("LoaderScenario", "holdfast.junit.report=target/leaks-%p.json");
        assertThat(known.of("failObjectOfAClass")).startsWith("SUCCESSFUL");
        assertThat(known.of("failThreadLocal")).startsWith("SUCCESSFUL");
        assertThat(known.output()).contains("no test of this run has met one known leak", "0badcafe");
        JsonObject report = report();
        assertThat(report.getAsJsonObject("baseline").getAsJsonArray("unused")).hasSize(1);
        assertThat(report.getAsJsonArray("findings")).hasSize(2).allSatisfy(
                finding -> assertThat(finding.getAsJsonObject().get("outcome").getAsString()).isEqualTo("known"));
        assertThat(report.getAsJsonObject("tests").get("run").getAsInt()).isEqualTo(5);
    }

    private JsonObject report() throws Exception {
        try (var files = Files.list(scratch.resolve("target"))) {
            return JsonParser.parseString(Files.readString(files.filter(f -> f.toString().endsWith(".json")).findFirst().orElseThrow())).getAsJsonObject();
        }
    }

    @Test
    void oneReportOnTheWholeRunAndNoneUnlessAskedFor() throws Exception {
        new ForkedTests(scratch, "5.14").run("LoaderScenario");
        assertThat(scratch.resolve("target")).doesNotExist();
        new ForkedTests(scratch, "5.14").run("LoaderScenario", "holdfast.junit.report=target/leaks.json");
        JsonObject finding = report().getAsJsonArray("findings").get(0).getAsJsonObject();
        assertThat(finding.get("outcome").getAsString()).isEqualTo("leak");
        assertThat(finding.get("text").getAsString()).contains("GC Root");
        assertThat(finding.get("test").getAsString()).contains("LoaderScenario");
        assertThat(report().getAsJsonObject("tests").get("failed").getAsInt()).isEqualTo(3);
    }
}
