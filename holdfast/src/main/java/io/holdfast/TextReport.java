package io.holdfast;

import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Leak;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import java.util.Locale;

/** A whole report as text for people: the same leak blocks as in the log, with what they need around them. */
final class TextReport {
    /** Of the classes, sites and threads that allocate most. */
    private static final int ROWS_SHOWN = 3;

    private TextReport() { }

    static String render(LeakReport report) {
        StringBuilder out = new StringBuilder();
        out.append("Holdfast ").append(report.version()).append("  pid=").append(report.pid()).append("  java=").append(report.jvm().version()).append("  gc=")
                .append(report.jvm().gc()).append("  access=").append(report.jvm().accessLevel());
        out.append("\nfrom ").append(report.startedAt()).append(" to ").append(report.writtenAt()).append("  verdict: ").append(verdict(report)).append('\n');
        for (Leak leak : report.leaks()) {
            out.append('\n').append(LeakText.render(leak)).append('\n');
        }
        out.append("\nsearches  ").append(count(report, SearchState.COMPLETED)).append(" completed, ").append(count(report, SearchState.ABANDONED)).append(" abandoned");
        for (SearchSummary search : report.searches()) {
            if (search.state() == SearchState.ABANDONED) {
                out.append("\n          search ").append(search.id()).append(" was given up: ").append(search.reason().word());
            }
        }
        out.append("\ncost      ").append(decimal(report.cost().cpuMillis())).append(" ms of CPU, ").append(decimal(report.cost().cpuShare() * 100))
                .append(" % of one core; longest slice ").append(report.cost().longestSliceMicros()).append(" us\n");
        allocation(out, report.allocation());
        if (!report.limits().isEmpty()) {
            out.append("limits");
            report.limits().forEach(limit -> out.append("\n  ").append(limit));
            out.append('\n');
        }
        return out.toString();
    }

    private static void allocation(StringBuilder out, AllocationVolumes volumes) {
        if (volumes == null || volumes.samples() == 0) {
            return;
        }
        out.append("allocated ").append(LeakText.bytes(Math.round(volumes.bytesPerSecond()))).append("/s of late, estimated from ").append(volumes.samples())
                .append(" samples");
        table(out, "classes", volumes.classes());
        table(out, "sites", volumes.sites());
        table(out, "threads", volumes.threads());
        out.append('\n');
    }

    private static void table(StringBuilder out, String name, AllocationVolumes.Table table) {
        out.append("\n  ").append(name);
        for (AllocationVolumes.Row row : table.rows().subList(0, Math.min(ROWS_SHOWN, table.rows().size()))) {
            out.append("\n    ").append(Math.round(table.share(row.bytes()) * 100)).append(" %  ").append(row.name());
        }
    }

    private static String verdict(LeakReport report) {
        return switch (report.verdict()) {
            case "leaks" -> report.leaks().size() == 1 ? "1 leak" : report.leaks().size() + " leaks";
            case "none" -> "no leak";
            default -> "undecided: too little has been seen to say that there is no leak";
        };
    }

    private static long count(LeakReport report, SearchState state) {
        return report.searches().stream().filter(search -> search.state() == state).count();
    }

    private static String decimal(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
