package io.holdfast.jfr;

import java.util.ArrayList;
import java.util.List;

/**
 * Which lines of a text are kept when it must be shortened: both ends, because the root and the leaf of a chain say the most.
 *
 * @param lines all lines
 * @param head  how many of the first lines are kept
 * @param tail  how many of the last lines are kept
 */
record MiddleCut(List<String> lines, int head, int tail) {
    /** Room for the line that says what is missing. */
    private static final int NOTE_BYTES = 64;

    /** Keeps as many lines, taken from both ends in turn, as fit. */
    static MiddleCut of(List<String> lines, int maxBytes, int maxLines) {
        int head = 0;
        int tail = 0;
        int room = maxBytes - NOTE_BYTES;
        while (head + tail < Math.min(lines.size(), maxLines)) {
            boolean first = head <= tail;
            room -= EventText.utf8Bytes(lines.get(first ? head : lines.size() - 1 - tail)) + 1;
            if (room < 0) {
                break;
            }
            head += first ? 1 : 0;
            tail += first ? 0 : 1;
        }
        return new MiddleCut(lines, head, tail);
    }

    int kept() {
        return head + tail;
    }

    /** The lines kept; in the place of those that are not stands how many {@code things} are missing. */
    String text(String things) {
        if (kept() == lines.size()) {
            return String.join("\n", lines);
        }
        List<String> all = new ArrayList<>(lines.subList(0, head));
        all.add("  … " + (lines.size() - kept()) + " " + things + " left out");
        all.addAll(lines.subList(lines.size() - tail, lines.size()));
        return String.join("\n", all);
    }
}
