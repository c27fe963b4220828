package io.holdfast.jfr;

import java.util.Arrays;
import java.util.function.Function;

/** From the words of events back to constants. */
final class Words {
    private Words() { }

    /** @throws IllegalArgumentException when no constant has that word */
    static <E extends Enum<E>> E named(String word, E[] constants, Function<E, String> wordOf) {
        return Arrays.stream(constants).filter(constant -> wordOf.apply(constant).equals(word)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + word + "' is no " + constants[0].getDeclaringClass().getSimpleName()));
    }
}
