package io.holdfast.proofs;

import io.holdfast.core.EdgeKind;
import io.holdfast.core.GcRoot;
import io.holdfast.core.Hop;
import io.holdfast.core.RootKind;
import java.util.ArrayList;
import java.util.List;

/** Findings as lines of text, on their way from one JVM to another. */
final class ChainLines {
    private static final String SEPARATOR = "\t";
    private static final String NOTHING = "-";

    private ChainLines() { }

    /** One place of {@link KnownLeaks} and what was found out about it. */
    record Found(String place, int sought, int reached, List<Chain> chains) { }

    /** A chain without what cannot be compared with a heap dump. */
    record Chain(GcRoot root, boolean truncated, List<Hop> hops) { }

    static String finding(String place, int sought, int reached) {
        return String.join(SEPARATOR, "finding", place, Integer.toString(sought), Integer.toString(reached));
    }

    static String root(GcRoot root, boolean truncated) {
        return String.join(SEPARATOR, "root", root.kind().name(), root.label(), word(root.thread()), Boolean.toString(truncated));
    }

    static String hop(Hop hop) {
        return String.join(SEPARATOR, "hop", hop.holder(), word(hop.declaringClass()), hop.kind().name(), word(hop.field()), Integer.toString(hop.index()),
                hop.target());
    }

    static List<Found> parse(List<String> lines) {
        List<Found> all = new ArrayList<>();
        for (String line : lines) {
            String[] part = line.split(SEPARATOR, -1);
            switch (part[0]) {
                case "finding" -> all.add(new Found(part[1], Integer.parseInt(part[2]), Integer.parseInt(part[3]), new ArrayList<>()));
                case "root" -> last(all).chains().add(new Chain(new GcRoot(RootKind.valueOf(part[1]), part[2], nullable(part[3])),
                        Boolean.parseBoolean(part[4]), new ArrayList<>()));
                case "hop" -> last(last(all).chains()).hops().add(new Hop(part[1], nullable(part[2]), EdgeKind.valueOf(part[3]), nullable(part[4]),
                        Integer.parseInt(part[5]), null, part[6]));
                default -> throw new IllegalArgumentException(line);
            }
        }
        return all;
    }

    private static <T> T last(List<T> list) {
        return list.get(list.size() - 1);
    }

    private static String word(String text) {
        return text == null ? NOTHING : text;
    }

    private static String nullable(String text) {
        return text.equals(NOTHING) ? null : text;
    }
}
