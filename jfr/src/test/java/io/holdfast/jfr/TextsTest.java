package io.holdfast.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;

class TextsTest {
    @Provide
    Arbitrary<String> texts() {
        return Arbitraries.strings().withChars('a', ' ', '\u00a0').ofMaxLength(140).filter(text -> text.length() != 128);
    }

    @Property
    void whatIsPaddedIsReadAsItWas(@ForAll("texts") String text, @ForAll Texts form) {
        assertThat(Texts.unpadded(form.of(text))).isEqualTo(text);
    }

    @Property
    void aPaddedTextIsNoneThatFlightRecorderWouldKeepInItsTable(@ForAll("texts") String text) {
        assertThat(Texts.PADDED.of(text)).matches(padded -> padded.length() <= 16 || padded.length() >= 128);
    }

    @Test
    void aThreadIsTrustedFromTheChunkAfterItsFirstText() {
        TextPool pool = new TextPool(false);
        pool.chunkBegun();
        assertThat(pool.texts()).isEqualTo(Texts.PADDED);
        assertThat(pool.texts()).isEqualTo(Texts.PADDED);
        pool.chunkBegun();
        assertThat(pool.texts()).isEqualTo(Texts.PLAIN);
        assertThat(new TextPool(true).texts()).isEqualTo(Texts.PLAIN);
    }

    @Test
    void everyOtherThreadHasToWaitForItsOwn() throws Exception {
        TextPool pool = new TextPool(false);
        pool.texts();
        pool.chunkBegun();
        for (int i = 0; i < TextPool.MAX_THREADS + 10; i++) {
            Texts[] other = new Texts[1];
            Thread thread = new Thread(() -> other[0] = pool.texts());
            thread.start();
            thread.join();
            assertThat(other[0]).isEqualTo(Texts.PADDED);
        }
        // So many threads that all were forgotten: padded again, and no more than that.
        assertThat(pool.texts()).isEqualTo(Texts.PADDED);
    }
}
