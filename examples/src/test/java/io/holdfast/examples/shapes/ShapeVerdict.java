package io.holdfast.examples.shapes;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * What a report is worth for a shape.
 *
 * @param named   whether a leak's chain ends at one of the leaking classes or passes it
 * @param held    whether that chain passes one of the holders too
 * @param rank    position of the leak that says so, from 1; 0 = none
 * @param reports leaks reported in all
 * @param control whether nothing should have been reported
 */
record ShapeVerdict(boolean named, boolean held, int rank, int reports, boolean control) {
    static ShapeVerdict of(JsonObject report, Shape shape) {
        JsonArray leaks = report.getAsJsonArray("leaks");
        ShapeVerdict best = new ShapeVerdict(false, false, 0, leaks.size(), shape.leaking().isEmpty());
        for (int i = 0; i < leaks.size(); i++) {
            JsonObject leak = leaks.get(i).getAsJsonObject();
            for (JsonElement chain : leak.getAsJsonArray("chains")) {
                ShapeVerdict one = ofChain(leak.get("class").getAsString(), chain.getAsJsonObject(), shape, i + 1, leaks.size());
                if (one.points() > best.points()) {
                    best = one;
                }
            }
        }
        return best;
    }

    private static ShapeVerdict ofChain(String leakingClass, JsonObject chain, Shape shape, int rank, int reports) {
        List<String> classes = new ArrayList<>(List.of(leakingClass));
        boolean held = false;
        for (JsonElement element : chain.getAsJsonArray("edges")) {
            JsonObject edge = element.getAsJsonObject();
            String field = text(edge, "field");
            classes.add(text(edge, "target"));
            held |= field != null && (holds(shape, text(edge, "holder"), field) || holds(shape, text(edge, "declaringClass"), field));
        }
        boolean named = classes.stream().anyMatch(c -> c != null && shape.leaking().stream().anyMatch(pattern -> matches(c, pattern)));
        return new ShapeVerdict(named, named && held, rank, reports, shape.leaking().isEmpty());
    }

    private static boolean holds(Shape shape, String type, String field) {
        return shape.holders().contains(type + "#" + field) || shape.holders().contains(Shape.ANY);
    }

    private static String text(JsonObject edge, String member) {
        JsonElement value = edge.get(member);
        return value == null || value.isJsonNull() ? null : value.getAsString();
    }

    /** A star at either end stands for any rest. */
    static boolean matches(String name, String pattern) {
        boolean open = pattern.startsWith(Shape.ANY);
        String rest = open ? pattern.substring(1) : pattern;
        if (rest.endsWith(Shape.ANY)) {
            String middle = rest.substring(0, rest.length() - 1);
            return open ? name.contains(middle) : name.startsWith(middle);
        }
        return open ? name.endsWith(rest) : name.equals(rest);
    }

    private int points() {
        return (named ? 1 : 0) + (held ? 1 : 0);
    }

    /** Leaks reported besides the right one. */
    int extra() {
        return reports - (rank > 0 ? 1 : 0);
    }

    boolean good() {
        return control ? reports == 0 : named && held;
    }

    String word() {
        if (good()) {
            return "good";
        }
        return control ? "FALSE ALARM" : named ? "wrong holder" : reports > 0 ? "wrong leak" : "missed";
    }
}
