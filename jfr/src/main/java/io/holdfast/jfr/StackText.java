package io.holdfast.jfr;

import java.util.List;

/**
 * An allocation stack, ready to be written.
 *
 * @param id    equal for equal stacks, in all chunks and all runs; 0 = no stack is known
 * @param depth frames
 * @param text  one frame a line, innermost first
 */
record StackText(long id, int depth, String text) {
    private static final StackText NONE = new StackText(0, 0, "");
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    static StackText of(List<String> frames) {
        if (frames.isEmpty()) {
            return NONE;
        }
        String text = TextList.LINES.write(frames);
        long hash = FNV_OFFSET;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * FNV_PRIME;
        }
        // Positive, so that people can compare it and no tool shows it as negative.
        return new StackText(Math.max(1, hash >>> 1), frames.size(), text);
    }
}
