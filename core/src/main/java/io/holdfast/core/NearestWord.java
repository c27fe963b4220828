package io.holdfast.core;

import java.util.Collection;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word a mistyped one was meant to be. */
final class NearestWord {
    /** Longer words are not compared: no key is nearly that long, and the cost is quadratic. */
    private static final int MAX_LENGTH = 40;

    private NearestWord() { }

    /** The known word with the fewest edits, if these are at most 2, or a third of its letters for longer words; ties go to the first. */
    static Optional<String> of(String word, Collection<String> known) {
        String lower = word.toLowerCase(Locale.ROOT);
        if (lower.length() > MAX_LENGTH) {
            return Optional.empty();
        }
        String best = null;
        int fewest = Integer.MAX_VALUE;
        for (String candidate : known) {
            int edits = edits(lower, candidate);
            // Half a short word replaced is another word, not a slip.
            if (edits < fewest && edits <= Math.max(2, candidate.length() / 3) && edits * 2 < candidate.length()) {
                best = candidate;
                fewest = edits;
            }
        }
        return Optional.ofNullable(best);
    }

    /** Insertions, deletions, replacements and swaps of neighbours that turn one word into the other (optimal string alignment). */
    static int edits(String from, String to) {
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        int[] row = new int[to.length() + 1];
        for (int column = 0; column <= to.length(); column++) {
            last[column] = column;
        }
        for (int line = 1; line <= from.length(); line++) {
            row[0] = line;
            for (int column = 1; column <= to.length(); column++) {
                int replace = last[column - 1] + (from.charAt(line - 1) == to.charAt(column - 1) ? 0 : 1);
                row[column] = Math.min(replace, Math.min(last[column], row[column - 1]) + 1);
                if (line > 1 && column > 1 && from.charAt(line - 1) == to.charAt(column - 2) && from.charAt(line - 2) == to.charAt(column - 1)) {
                    row[column] = Math.min(row[column], beforeLast[column - 2] + 1);
                }
            }
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
        }
        return last[to.length()];
    }
}
