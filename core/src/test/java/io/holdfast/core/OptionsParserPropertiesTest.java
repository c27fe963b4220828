package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.OptionalInt;
import java.util.Properties;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.BigRange;
import net.jqwik.api.constraints.StringLength;

class OptionsParserPropertiesTest {
    private final OptionsParser parser = new OptionsParser();

    @Property(tries = 1_000)
    void neverThrowsOnArbitraryText(@ForAll String text) {
        check(parser.parse(text));
    }

    @Property(tries = 2_000)
    void neverThrowsOnTextMadeOfItsOwnPieces(@ForAll("pieces") String text) {
        check(parser.parse(text));
        Properties properties = new Properties();
        properties.setProperty("holdfast.options", text);
        properties.setProperty("holdfast." + text, text);
        properties.setProperty("holdfast.referencechains", text);
        check(parser.fromSystemProperties(properties));
    }

    @Property(tries = 500)
    void hopsAreTheNumberMovedInsideItsBounds(@ForAll @BigRange(min = "-100000000000000000000", max = "100000000000000000000") BigInteger number) {
        BigInteger bounded = number.max(BigInteger.ONE).min(BigInteger.valueOf(200_000));
        assertThat(parser.parse("referencechains=true:hops=" + number).options().chains().hops()).isEqualTo(OptionalInt.of(bounded.intValueExact()));
    }

    @Property(tries = 500)
    void saturatesAsUnboundedArithmeticWould(@ForAll @BigRange(min = "-100000000000000000000", max = "100000000000000000000") BigInteger number,
                                             @ForAll boolean padded) {
        String text = (number.signum() < 0 ? "-" : "") + (padded ? "000" : "") + number.abs();
        BigInteger bounded = number.max(BigInteger.valueOf(Long.MIN_VALUE)).min(BigInteger.valueOf(Long.MAX_VALUE));
        assertThat(OptionNumbers.whole(text)).hasValue(bounded.longValueExact());
    }

    @Property(tries = 500)
    void editsAreSymmetricAndZeroOnlyForEqualWords(@ForAll @StringLength(max = 8) String one, @ForAll @StringLength(max = 8) String other) {
        assertThat(NearestWord.edits(one, other)).isEqualTo(NearestWord.edits(other, one)).isBetween(0, Math.max(one.length(), other.length()));
        assertThat(NearestWord.edits(one, other) == 0).isEqualTo(one.equals(other));
    }

    @Property(tries = 300)
    void oneSlipInAKeyIsRecognised(@ForAll("keys") String key, @ForAll("letters") char letter, @ForAll int where) {
        int at = Math.floorMod(where, key.length());
        String slip = key.substring(0, at) + letter + key.substring(at);
        if (!OptionsDraft.KEYS.contains(slip)) {
            assertThat(NearestWord.of(slip, OptionsDraft.KEYS)).isPresent();
        }
    }

    private static void check(ParsedOptions parsed) {
        assertThat(parsed.options().delaySeconds()).isBetween(0L, HoldfastOptions.MAX_DELAY_SECONDS);
        parsed.options().chains().hops().ifPresent(hops -> assertThat(hops).isBetween(1, 200_000));
        parsed.options().chains().budget().ifPresent(budget -> assertThat(budget).isBetween(1, 1_000_000));
        parsed.options().chains().painBudgetPercent().ifPresent(percent -> assertThat(percent).isBetween(0, 100));
        for (OptionProblem problem : parsed.problems()) {
            if (!problem.message().equals(OptionsParser.help())) {
                assertThat(problem.message().codePoints()).noneMatch(Character::isISOControl);
                assertThat(problem.message()).hasSizeLessThan(1_000);
            }
        }
    }

    @Provide
    Arbitrary<String> pieces() {
        return Arbitraries.of("memory", "generations", "referencechains", "hops", "delay", "report", "log", "=", "=", "=", ":", ":", ",", ",", "true", "f",
                        "-1", "99999999999999999999", "512k", "0.5", ".", "-", "+", "k", " ", "\n", "\0", "\uD800", "é", "a")
                .list().ofMaxSize(25).map(parts -> String.join("", parts));
    }

    @Provide
    Arbitrary<String> keys() {
        return Arbitraries.of(OptionsDraft.KEYS);
    }

    @Provide
    Arbitrary<Character> letters() {
        return Arbitraries.chars().range('a', 'z');
    }
}
