package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TextListPropertiesTest {
    /** Texts of all characters, with many of those that have a meaning in the encoding. */
    @Provide
    Arbitrary<List<String>> lists() {
        Arbitrary<String> awkward = Arbitraries.strings().withChars(',', ' ', '\\', '\n', 'e', 'n').ofMaxLength(8);
        return Arbitraries.oneOf(awkward, Arbitraries.strings().ofMaxLength(40)).list().ofMaxSize(12);
    }

    @Property
    void whatIsWrittenIsReadAgain(@ForAll("lists") List<String> elements, @ForAll TextList form) {
        assertThat(form.read(form.write(elements))).isEqualTo(elements);
    }

    @Property
    void oneElementALine(@ForAll("lists") List<String> elements) {
        assertThat(TextList.LINES.write(elements).chars().filter(c -> c == '\n').count()).isEqualTo(Math.max(0, elements.size() - 1));
    }

    @Test
    void readable() {
        assertThat(TextList.LINE.write(List.of("http-1", "a,b", ""))).isEqualTo("http-1, a\\,b, \\e");
        assertThat(TextList.LINES.write(List.of("a.B.c(B.java:1)", "d"))).isEqualTo("a.B.c(B.java:1)\nd");
        assertThat(TextList.LINES.read(null)).isEmpty();
        assertThat(TextList.LINE.read("")).isEmpty();
    }

    @Test
    void tooManyElementsSayHowManyAreMissing() {
        String text = TextList.LINES.write(Collections.nCopies(500, "x".repeat(1_000)));
        assertThat(EventText.utf8Bytes(text)).isLessThanOrEqualTo(EventText.MAX_BYTES);
        List<String> read = TextList.LINES.read(text);
        assertThat(read.get(read.size() - 1)).isEqualTo("… " + (500 - read.size() + 1) + " more");
        assertThat(read.size()).isGreaterThan(100);
    }
}
