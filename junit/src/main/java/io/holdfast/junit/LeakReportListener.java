package io.holdfast.junit;

import com.google.gson.stream.JsonWriter;
import io.holdfast.core.Ticker;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes one report on all leak assertions of a test run. JUnit's launcher finds it by itself; it does nothing unless {@code holdfast.junit.report} names
 * a file ({@code %p} in it becomes the process number, for several test JVMs), or {@code holdfast.baseline.update} is true. Lines of the baseline that no
 * test has met are reported there and in the log.
 */
public final class LeakReportListener implements TestExecutionListener {
    /** Version of the report's form. */
    static final int SCHEMA = 1;
    private static final Logger LOG = LoggerFactory.getLogger("holdfast.junit");

    private final Ticker ticker;
    private final List<Finding> findings = new ArrayList<>();
    private final AtomicInteger tests = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private Settings settings;
    private String report;

    private record Finding(String test, Map<String, String> entry) { }

    /** Public: the launcher makes it. */
    public LeakReportListener() {
        this(Ticker.system());
    }

    LeakReportListener(Ticker ticker) {
        this.ticker = ticker;
    }

    @Override
    public synchronized void testPlanExecutionStarted(TestPlan plan) {
        findings.clear();
        tests.set(0);
        failed.set(0);
        aborted.set(0);
        settings = null;
        report = null;
        try {
            Function<String, Optional<String>> parameters = plan.getConfigurationParameters()::get;
            Settings wanted = Settings.of(parameters);
            report = parameters.apply(Settings.REPORT).orElse(null);
            settings = report != null || wanted.updateBaseline() ? wanted : null;
        } catch (RuntimeException e) {
            LOG.error("Holdfast: no report on leak assertions: {}", e.getMessage());
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            tests.incrementAndGet();
            if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                failed.incrementAndGet();
            } else if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
                aborted.incrementAndGet();
            }
        }
    }

    @Override
    public synchronized void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
        if (settings != null && entry.getKeyValuePairs().containsKey(Publisher.OUTCOME)) {
            findings.add(new Finding(test.getUniqueId(), new LinkedHashMap<>(entry.getKeyValuePairs())));
        }
    }

    @Override
    public synchronized void testPlanExecutionFinished(TestPlan plan) {
        if (settings == null) {
            return;
        }
        try {
            Baseline baseline = new Baseline(settings.baseline());
            List<String> unused = new ArrayList<>(baseline.entries().keySet());
            findings.forEach(f -> unused.remove(f.entry().get(Publisher.LEAK)));
            if (!unused.isEmpty()) {
                LOG.warn("Holdfast: no test of this run has met {} of {}: {}. Take them out if the leaks are gone.",
                        unused.size() == 1 ? "one known leak" : unused.size() + " known leaks", baseline.file(), String.join(", ", unused));
            }
            if (report != null) {
                Path file = Path.of(report.replace("%p", Long.toString(ProcessHandle.current().pid())));
                write(file, json(baseline, unused));
                LOG.info("Holdfast: {} findings of leak assertions in {}", findings.size(), file);
            }
        } catch (IOException | RuntimeException e) {
            LOG.error("Holdfast: the report on leak assertions cannot be written: {}: {}", e.getClass().getSimpleName(), e.getMessage());
        } finally {
            findings.clear();
            settings = null;
        }
    }

    private String json(Baseline baseline, List<String> unused) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonWriter json = new JsonWriter(text)) {
            json.setIndent("  ");
            json.beginObject();
            json.name("schema").value(SCHEMA);
            json.name("kind").value("tests");
            json.name("writtenAt").value(ticker.now().toString());
            json.name("pid").value(ProcessHandle.current().pid());
            json.name("jvm").beginObject();
            json.name("version").value(Runtime.version().toString());
            json.name("gc").value(Collector.ofThisJvm().names());
            json.name("agent").value(ManagementFactory.getRuntimeMXBean().getInputArguments().stream().anyMatch(a -> a.startsWith("-javaagent")
                    && a.contains("holdfast")));
            json.endObject();
            json.name("tests").beginObject();
            json.name("run").value(tests.get());
            json.name("failed").value(failed.get());
            json.name("aborted").value(aborted.get());
            json.endObject();
            json.name("findings").beginArray();
            for (Finding finding : findings) {
                json.beginObject();
                json.name("test").value(finding.test());
                for (String key : List.of(Publisher.OUTCOME, Publisher.LEAK, Publisher.CLASS, Publisher.HOLDER, Publisher.TEXT)) {
                    if (finding.entry().containsKey(key)) {
                        json.name(key.substring(key.indexOf('.') + 1)).value(finding.entry().get(key));
                    }
                }
                json.endObject();
            }
            json.endArray();
            json.name("baseline").beginObject();
            json.name("file").value(baseline.file().toString());
            json.name("unused").beginArray();
            for (String id : unused) {
                json.value(id);
            }
            json.endArray();
            json.endObject();
            json.endObject();
        }
        return text.append('\n').toString();
    }

    private static void write(Path file, String text) throws IOException {
        Path folder = file.toAbsolutePath().getParent();
        Files.createDirectories(folder);
        Path temporary = Files.createTempFile(folder, "holdfast", ".tmp");
        Files.writeString(temporary, text, StandardCharsets.UTF_8);
        try {
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }
}
