package io.holdfast.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsParserTest {
    private final OptionsParser parser = new OptionsParser();

    private HoldfastOptions clean(String text) {
        ParsedOptions parsed = parser.parse(text);
        assertThat(parsed.problems()).isEmpty();
        return parsed.options();
    }

    private String problem(String text) {
        ParsedOptions parsed = parser.parse(text);
        assertThat(parsed.problems()).hasSize(1);
        return parsed.problems().get(0).message();
    }

    @Test
    void noOptionsGiveTheFullLeakFinder() {
        assertThat(clean(null)).isEqualTo(HoldfastOptions.defaults());
        assertThat(clean("")).isEqualTo(HoldfastOptions.defaults());
        assertThat(clean(" , ,")).isEqualTo(HoldfastOptions.defaults());
        assertThat(HoldfastOptions.defaults().whyNothingIsFound()).isEmpty();
    }

    @Test
    void referenceChainsAreOffAsSoonAsAnotherPartOfTheEngineIsNamed() {
        HoldfastOptions options = clean("generations=true");
        assertThat(options.explicitEngine()).isTrue();
        assertThat(options.generations()).isTrue();
        assertThat(options.referenceChains()).isFalse();
        assertThat(options.memory()).isNull();
        assertThat(options.chains()).isEqualTo(HoldfastOptions.ReferenceChains.NOT_SET);
    }

    @ParameterizedTest
    @ValueSource(strings = {"referencechains=true", "referencechains", "ReferenceChains=TRUE", "referencechains=yes", "referencechains=1", "referencechains="})
    void enablesReferenceChains(String text) {
        assertThat(clean(text).referenceChains()).isTrue();
        assertThat(clean(text).generations()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"referencechains=false", "referencechains=no", "referencechains=0", "referencechains=Nope", "REFERENCECHAINS=F:hops=3"})
    void disablesReferenceChains(String text) {
        assertThat(clean(text).referenceChains()).isFalse();
        assertThat(clean(text).explicitEngine()).isTrue();
    }

    @Test
    void everySubOptionLandsInItsOwnField() {
        assertThat(clean("referencechains=true:hops=2:budget=3:ttl=4:framecap=5:pausetarget=6:painbudget=7:firstpassbudget=8").chains())
                .isEqualTo(new HoldfastOptions.ReferenceChains(OptionalInt.of(2), OptionalInt.of(3), OptionalLong.of(4), OptionalInt.of(5),
                        OptionalLong.of(6), OptionalInt.of(7), OptionalInt.of(8)));
    }

    @Test
    void acceptsTheDocumentedLineUnchanged() {
        HoldfastOptions options = clean("generations=true,referencechains=true:hops=64:budget=2000:ttl=60000:framecap=65536:pausetarget=5:painbudget=1");
        assertThat(options.generations()).isTrue();
        assertThat(options.referenceChains()).isTrue();
        assertThat(options.chains()).isEqualTo(new HoldfastOptions.ReferenceChains(OptionalInt.of(64), OptionalInt.of(2000), OptionalLong.of(60_000),
                OptionalInt.of(65_536), OptionalLong.of(5), OptionalInt.of(1), OptionalInt.empty()));
        assertThat(options.whyNothingIsFound()).isEmpty();
    }

    @Test
    void floorsNegativeNumbersSilently() {
        assertThat(clean("referencechains=true:hops=-1:budget=-5:ttl=-1:framecap=-9:pausetarget=-2:painbudget=-3:firstpassbudget=-4").chains())
                .isEqualTo(new HoldfastOptions.ReferenceChains(OptionalInt.of(1), OptionalInt.of(1), OptionalLong.of(0), OptionalInt.of(1),
                        OptionalLong.of(0), OptionalInt.of(0), OptionalInt.of(0)));
        assertThat(clean("delay=-3").delaySeconds()).isZero();
    }

    @Test
    void clampsHugeNumbersSilently() {
        assertThat(clean("referencechains=true:hops=2000000000:budget=2000000000:framecap=2000000000:painbudget=101"
                + ":firstpassbudget=99999999999999999999999:ttl=99999999999999999999").chains())
                .isEqualTo(new HoldfastOptions.ReferenceChains(OptionalInt.of(200_000), OptionalInt.of(1_000_000), OptionalLong.of(Long.MAX_VALUE),
                        OptionalInt.of(65_536_000), OptionalLong.empty(), OptionalInt.of(100), OptionalInt.of(1_000_000)));
        assertThat(clean("delay=99999999999999").delaySeconds()).isEqualTo(31_536_000);
    }

    @Test
    void subOptionsDisturbNoNeighbour() {
        HoldfastOptions options = clean("memory=4m:L:0.5,referencechains=true:hops=12:ttl=7,generations=true,report=/tmp/a:b=c.json,log=off");
        assertThat(options.memory()).isEqualTo(new HoldfastOptions.Memory(4L << 20, false, true, true, 0.5));
        assertThat(options.chains().hops()).hasValue(12);
        assertThat(options.generations()).isTrue();
        assertThat(options.report()).isEqualTo(Path.of("/tmp/a:b=c.json"));
        assertThat(options.logText()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "memory=512k,        524288,     true,  true,  false, 0.1",
        "memory=1G,          1073741824, true,  true,  false, 0.1",
        "memory=1000,        1000,       true,  true,  false, 0.1",
        "memory=0,           0,          true,  true,  false, 0.1",
        "memory,             524287,     true,  true,  false, 0.1",
        "memory=true:a,      524287,     true,  false, false, 0.1",
        "memory=:l:2,        524287,     false, true,  false, 1.0",
        "memory=1m::-0.5,    1048576,    true,  true,  false, 0.01",
        "memory=1m:aL:.25,   1048576,    true,  true,  true,  0.25",
        "memory=9999999999999g, 9223372036854775807, true, true, false, 0.1",
    })
    void readsTheSampler(String text, long interval, boolean allocation, boolean liveness, boolean heapUsage, double ratio) {
        assertThat(clean(text).memory()).isEqualTo(new HoldfastOptions.Memory(interval, allocation, liveness, heapUsage, ratio));
        assertThat(clean(text).explicitEngine()).isTrue();
    }

    @Test
    void sinksAndBehaviourLeaveTheFullLeakFinderOn() {
        HoldfastOptions options = clean("report=r.json,html=h.html,jfr=j.jfr,log=text,sites=s.txt,stacklocals=false,delay=10,confirm=jfr,"
                + "tokens=false,allsites=true,enabled=true");
        assertThat(options).isEqualTo(new HoldfastOptions(true, false, null, true, true, HoldfastOptions.ReferenceChains.NOT_SET, Path.of("r.json"),
                Path.of("h.html"), Path.of("j.jfr"), true, false, 10, false, Path.of("s.txt"), true, HoldfastOptions.Confirm.UNREACHED));
        assertThat(clean("confirm=jfr:all").confirm()).isEqualTo(HoldfastOptions.Confirm.ALL);
        assertThat(clean("confirm=jfr,confirm=off").confirm()).isEqualTo(HoldfastOptions.Confirm.OFF);
    }

    @Test
    void laterWinsAndKeysAreCaseInsensitive() {
        assertThat(clean("DELAY=1,delay=2,Delay=3").delaySeconds()).isEqualTo(3);
    }

    @Test
    void saysWhyNothingWillBeFound() {
        assertThat(clean("referencechains=true").whyNothingIsFound()).hasValue("referencechains=true activates nothing by itself: a search starts only "
                + "when a class is suspected. Add generations=true, or give no option at all for the full leak finder.");
        assertThat(clean("memory=512k:a").whyNothingIsFound()).hasValue("These options follow no survivor ages, so no leak can be found. "
                + "Add generations=true, or give no option at all for the full leak finder.");
        assertThat(clean("memory=512k:a,referencechains=true").whyNothingIsFound()).isPresent();
        assertThat(clean("memory=512k,referencechains=true").whyNothingIsFound()).isEmpty();
        assertThat(clean("enabled=false").whyNothingIsFound()).hasValue("Holdfast is switched off by enabled=false.");
    }

    @Test
    void problemTexts() {
        assertThat(problem("refrencechains=true"))
                .isEqualTo("Unknown option 'refrencechains' in agent arguments. Did you mean 'referencechains'? All options: java -jar holdfast-agent.jar help");
        assertThat(problem("colour=red"))
                .isEqualTo("Unknown option 'colour' in agent arguments. Allowed: memory, generations, referencechains, log, report, html, jfr, enabled, "
                        + "delay, stacklocals, tokens, sites, allsites, confirm. All about them: java -jar holdfast-agent.jar help");
        assertThat(problem("hops=64")).isEqualTo("Option 'hops' in agent arguments belongs to referencechains. Write referencechains=true:hops=64.");
        assertThat(problem("referencechains=true:hops=5x"))
                .isEqualTo("referencechains:hops=5x (from agent arguments): not a whole number. Allowed 1..200000. The option is ignored.");
        assertThat(problem("referencechains=true:ttl=5m"))
                .isEqualTo("referencechains:ttl=5m (from agent arguments): not a whole number. Allowed 0 or more. The option is ignored.");
        assertThat(problem("referencechains=true:hop=5"))
                .isEqualTo("Unknown sub-option 'hop' of referencechains in agent arguments. Did you mean 'hops'? "
                        + "Allowed: hops, budget, ttl, framecap, pausetarget, painbudget, firstpassbudget.");
        assertThat(problem("referencechains=hops=5"))
                .isEqualTo("referencechains=hops=5 (from agent arguments): sub-options must follow true. Write referencechains=true:hops=5. The option is ignored.");
        assertThat(problem("memory=much"))
                .isEqualTo("memory=much (from agent arguments): 'much' is not a size. Examples: 512k, 4m, 1g, 524287; 0 = every allocation. The option is ignored.");
        assertThat(problem("memory=-1")).contains("'-1' is not a size");
        assertThat(problem("memory=1m:x")).isEqualTo("memory=1m:x (from agent arguments): 'x' are not flags. "
                + "Allowed letters: a (allocations), l (live objects), L (live objects and heap usage). The option is ignored.");
        assertThat(problem("memory=1m:l:NaN")).isEqualTo("memory=1m:l:NaN (from agent arguments): 'NaN' is not a ratio. Allowed 0.01..1.0. The option is ignored.");
        assertThat(problem("generations=perhaps"))
                .isEqualTo("generations=perhaps (from agent arguments): neither true nor false. Allowed: true, false. The option is ignored.");
        assertThat(problem("log=json")).isEqualTo("log=json (from agent arguments): unknown word. Allowed: text, off. The option is ignored.");
        assertThat(problem("confirm=always")).isEqualTo("confirm=always (from agent arguments): unknown word. Allowed: jfr, jfr:all, off. The option is ignored.");
        assertThat(problem("report=")).isEqualTo("report= (from agent arguments): no file. Example: report=/var/tmp/holdfast-report.out The option is ignored.");
        assertThat(problem("report=a\0b"))
                .isEqualTo("report=a?b (from agent arguments): not a path on this system. A path may hold ':' and '=', but no ','. The option is ignored.");
        assertThat(problem("delay=soon")).isEqualTo("delay=soon (from agent arguments): not a whole number. Allowed 0..31536000. The option is ignored.");
    }

    @Test
    void aBadValueKeepsTheDefaultAndDoesNotCountAsGiven() {
        ParsedOptions parsed = parser.parse("generations=perhaps,memory=much,log=json");
        assertThat(parsed.options()).isEqualTo(HoldfastOptions.defaults());
        assertThat(parsed.given()).isEmpty();
        assertThat(parsed.problems()).extracting(OptionProblem::key).containsExactly("generations", "memory", "log");
        assertThat(parser.parse("referencechains=true:hops=5x:ttl=9").options().chains().ttlMillis()).hasValue(9);
    }

    @Test
    void helpIsAnsweredWithTheTable() {
        assertThat(problem("help")).isEqualTo(OptionsParser.help());
        for (String key : OptionsDraft.KEYS) {
            assertThat(OptionsParser.help()).contains("  " + key);
        }
        assertThat(OptionsParser.help().lines()).allMatch(line -> line.length() <= 140);
    }

    @Test
    void systemPropertiesUseTheSameWords() {
        Properties properties = new Properties();
        properties.setProperty("holdfast.options", "delay=1,log=off");
        properties.setProperty("holdfast.delay", "2");
        properties.setProperty("holdfast.report", "a,b.json");
        properties.setProperty("holdfast.referencechains", "true:hops=3");
        properties.setProperty("holdfast.baseline.update", "true");
        properties.setProperty("holdfast.owner", "somebody");
        properties.setProperty("user.dir", "/");
        ParsedOptions parsed = parser.fromSystemProperties(properties);
        assertThat(parsed.problems()).isEmpty();
        assertThat(parsed.options().delaySeconds()).isEqualTo(2);
        assertThat(parsed.options().logText()).isFalse();
        assertThat(parsed.options().report()).isEqualTo(Path.of("a,b.json"));
        assertThat(parsed.options().chains().hops()).hasValue(3);
        assertThat(parsed.options().generations()).isFalse();
        properties.setProperty("holdfast.generation", "true");
        assertThat(parser.fromSystemProperties(properties).problems()).extracting(OptionProblem::message).containsExactly(
                "Unknown option 'generation' in system properties. Did you mean 'generations'? All options: java -jar holdfast-agent.jar help");
    }

    @Test
    void mergesKeyByKey() {
        ParsedOptions merged = OptionsParser.merge(parser.parse("delay=5,referencechains=true:hops=3,colour=red"),
                parser.parse("delay=9,log=off,generations=true,referencechains=false:hops=4:ttl=7"));
        assertThat(merged.options().delaySeconds()).isEqualTo(5);
        assertThat(merged.options().logText()).isFalse();
        assertThat(merged.options().referenceChains()).isTrue();
        assertThat(merged.options().generations()).isTrue();
        assertThat(merged.options().chains().hops()).hasValue(3);
        assertThat(merged.options().chains().ttlMillis()).hasValue(7);
        assertThat(merged.problems()).hasSize(1);
        HoldfastOptions oneSided = OptionsParser.merge(parser.parse("log=off"), parser.parse("generations=true")).options();
        assertThat(oneSided.explicitEngine()).isTrue();
        assertThat(oneSided.referenceChains()).isFalse();
        assertThat(OptionsParser.merge(parser.parse(""), parser.parse("")).options()).isEqualTo(HoldfastOptions.defaults());
    }
}
