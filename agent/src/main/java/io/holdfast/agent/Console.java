package io.holdfast.agent;

import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Standard output for text with lines and arrows in it. */
final class Console {
    private static final String DRAWN = "\u251c\u2500\u2192";

    private Console() { }

    /** The stream as it is if its characters are enough, else one that writes UTF-8 through it: a question mark for each line helps nobody. */
    static PrintStream of(PrintStream out) {
        return charset().newEncoder().canEncode(DRAWN) ? out : new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    /** What the JVM uses for standard output: told by a property since JDK 19, before that the default. */
    private static Charset charset() {
        try {
            return Charset.forName(System.getProperty("stdout.encoding", Charset.defaultCharset().name()));
        } catch (IllegalArgumentException e) {
            return Charset.defaultCharset();
        }
    }
}
