package io.holdfast.benchmarks;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was reported of one program, from its report as that is rewritten again and again: every leak, when it came, and whether it was withdrawn. One thread's. */
final class HostVerdict {
    private static final String PLANTED_CLASS = "hosts.PlantedLeak$Ticket";
    private static final String PLANTED_HOLDER = "hosts.PlantedLeak";
    private static final String PLANTED_FIELD = "TICKETS";
    private static final Pattern STEADY = Pattern.compile("steady operations \\d+ ns_cpu \\S+ ns_wall ([0-9.]+).*");
    /** What some hosts say at their end: whether what was asked of them was done. */
    private static final String TOTALS = "in all ";

    private final boolean planted;
    private final Map<String, Seen> leaks = new LinkedHashMap<>();
    private double leakingSince = Double.NaN;
    private JsonObject last;
    private double lastSeconds;
    private long falseBefore;

    HostVerdict(boolean planted) {
        this.planted = planted;
    }

    private static final class Seen {
        final double since;
        final int rank;
        /** The newest wording; it becomes better as more is known. */
        String text;
        boolean right;
        int rankNow;
        /** NaN while it is in the report. */
        double gone = Double.NaN;
        int timesGone;

        Seen(double since, int rank) {
            this.since = since;
            this.rank = rank;
        }

        String end() {
            if (timesGone == 0) {
                return "there at the end";
            }
            String last = Double.isNaN(gone) ? "there at the end" : String.format(Locale.ROOT, "gone at %.0f s", gone);
            return "withdrawn " + (timesGone == 1 ? "once" : timesGone + " times") + ", " + last;
        }
    }

    /** The program has said that it leaks from now on; only the first time counts. */
    void leakingBegins(double seconds) {
        if (Double.isNaN(leakingSince)) {
            leakingSince = seconds;
        }
    }

    /** The report as it is, so many seconds after the program's start. */
    void look(JsonObject report, double seconds) {
        last = report;
        lastSeconds = seconds;
        leaks.values().forEach(leak -> leak.rankNow = 0);
        JsonArray reported = report.getAsJsonArray("leaks");
        for (int i = 0; i < reported.size(); i++) {
            JsonObject leak = reported.get(i).getAsJsonObject();
            int rank = i + 1;
            Seen seen = leaks.computeIfAbsent(leak.get("id").getAsString(), id -> new Seen(seconds, rank));
            seen.text = text(leak);
            seen.right = planted && isPlanted(leak);
            seen.rankNow = rank;
            seen.gone = Double.NaN;
        }
        leaks.values().stream().filter(leak -> leak.rankNow == 0 && Double.isNaN(leak.gone)).forEach(leak -> {
            leak.gone = seconds;
            leak.timesGone++;
        });
    }

    /** Whether there are more leaks that are none than when this was last asked. */
    boolean seenMoreFalse() {
        long before = falseBefore;
        falseBefore = leaks.values().stream().filter(leak -> !leak.right).count();
        return falseBefore > before;
    }

    boolean good() {
        List<Seen> right = right();
        return right.size() == leaks.size() && unseen() == 0 && (planted ? right.size() == 1 && Double.isNaN(right.get(0).gone) : right.isEmpty());
    }

    /** One line, or one and one more for each leak that is none. */
    String line(List<String> output) {
        StringBuilder out = new StringBuilder();
        List<Seen> right = right();
        long wrong = leaks.size() - right.size() + unseen();
        if (planted) {
            Seen first = right.isEmpty() ? null : right.get(0);
            out.append(first == null ? "MISSED" : String.format(Locale.ROOT, "found after %.0f s of leaking, at rank %d (%s)%s", first.since - leakingSince,
                    first.rank, Double.isNaN(first.gone) ? "at the end " + first.rankNow : String.format(Locale.ROOT, "WITHDRAWN at %.0f s", first.gone),
                    right.size() > 1 ? " and " + (right.size() - 1) + " TIMES MORE" : ""));
            out.append(wrong == 0 ? ", nothing else" : ", " + wrong + " FALSE");
        } else {
            out.append(wrong == 0 ? "silent" : wrong + " FALSE");
        }
        output.stream().map(STEADY::matcher).filter(Matcher::matches).findFirst()
                .ifPresent(m -> out.append(String.format(Locale.ROOT, "; %.0f operations/s", 1e9 / Double.parseDouble(m.group(1)))));
        output.stream().filter(said -> said.startsWith(TOTALS)).forEach(said -> out.append(", ").append(said));
        double cpuMillis = last.getAsJsonObject("cost").get("cpuMillis").getAsDouble();
        out.append(String.format(Locale.ROOT, "; Holdfast's thread %.1f %% of a core", cpuMillis / 10 / lastSeconds));
        leaks.values().stream().filter(leak -> !leak.right).forEach(leak -> out.append(String.format(Locale.ROOT, "%n            %s, reported at %.0f s, %s",
                leak.text, leak.since, leak.end())));
        if (unseen() > 0) {
            out.append(String.format("%n            %d came and were withdrawn between two looks: see the log", unseen()));
        }
        return out.toString();
    }

    private List<Seen> right() {
        return leaks.values().stream().filter(leak -> leak.right).toList();
    }

    private long unseen() {
        JsonElement withdrawn = last == null ? null : last.getAsJsonObject("counters").get("ledger.leaks.withdrawn");
        long gone = leaks.values().stream().mapToLong(leak -> leak.timesGone).sum();
        return Math.max(0, (withdrawn == null ? 0 : withdrawn.getAsLong()) - gone);
    }

    private static String text(JsonObject leak) {
        JsonElement accumulation = leak.get("accumulation");
        String held = accumulation == null || accumulation.isJsonNull() ? "no holder known" : "held by " + string(accumulation.getAsJsonObject(), "holder");
        return string(leak, "class") + ", " + held + " (" + string(leak, "state") + ", " + string(leak.getAsJsonObject("trend"), "evidence") + ")";
    }

    /** The class and the field are in a chain; what piles up may be called by what is in the instances. */
    private static boolean isPlanted(JsonObject leak) {
        for (JsonElement chain : leak.getAsJsonArray("chains")) {
            boolean named = PLANTED_CLASS.equals(string(leak, "class"));
            boolean held = false;
            for (JsonElement element : chain.getAsJsonObject().getAsJsonArray("edges")) {
                JsonObject edge = element.getAsJsonObject();
                named |= PLANTED_CLASS.equals(string(edge, "target"));
                held |= PLANTED_HOLDER.equals(string(edge, "declaringClass")) && PLANTED_FIELD.equals(string(edge, "field"));
            }
            if (named && held) {
                return true;
            }
        }
        return false;
    }

    private static String string(JsonObject object, String member) {
        JsonElement value = object.get(member);
        return value == null || value.isJsonNull() ? null : value.getAsString();
    }
}
