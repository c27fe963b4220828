package io.holdfast.core;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * What one source of options said.
 *
 * @param options  the options, with defaults for all that was not given or not understood
 * @param problems everything that was not understood, in the order met
 * @param given    keys that were given and understood, lower case; sub-options count for their key
 */
public record ParsedOptions(HoldfastOptions options, List<OptionProblem> problems, Set<String> given) {
    public ParsedOptions {
        Objects.requireNonNull(options, "options");
        problems = List.copyOf(problems);
        given = Set.copyOf(given);
    }

    /**
     * These options, completed key by key (and sub-option by sub-option) from a weaker source. Problems of both are kept, these first. When
     * either source names a part of the engine, the result is explicit and holds what both named.
     */
    public ParsedOptions over(ParsedOptions weaker) {
        HoldfastOptions ours = options;
        HoldfastOptions theirs = weaker.options;
        boolean explicit = ours.explicitEngine() || theirs.explicitEngine();
        HoldfastOptions merged = new HoldfastOptions(
                wins("enabled") ? ours.enabled() : theirs.enabled(),
                explicit,
                wins("memory") ? ours.memory() : theirs.memory(),
                wins("generations") ? ours.generations() : weaker.wins("generations") ? theirs.generations() : !explicit,
                wins("referencechains") ? ours.referenceChains() : weaker.wins("referencechains") ? theirs.referenceChains() : !explicit,
                ours.chains().over(theirs.chains()),
                wins("report") ? ours.report() : theirs.report(),
                wins("html") ? ours.html() : theirs.html(),
                wins("jfr") ? ours.jfr() : theirs.jfr(),
                wins("log") ? ours.logText() : theirs.logText(),
                wins("stacklocals") ? ours.stackLocals() : theirs.stackLocals(),
                wins("delay") ? ours.delaySeconds() : theirs.delaySeconds(),
                wins("tokens") ? ours.tokens() : theirs.tokens(),
                wins("sites") ? ours.sites() : theirs.sites(),
                wins("allsites") ? ours.allSites() : theirs.allSites(),
                wins("confirm") ? ours.confirm() : theirs.confirm());
        List<OptionProblem> all = new ArrayList<>(problems);
        all.addAll(weaker.problems);
        Set<String> keys = new HashSet<>(given);
        keys.addAll(weaker.given);
        return new ParsedOptions(merged, all, keys);
    }

    private boolean wins(String key) {
        return given.contains(key);
    }
}
