package io.holdfast.core;

import java.util.Locale;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeSet;

/**
 * Reads options from the agent's argument, system properties and the like. Never throws: what is not understood becomes an
 * {@link OptionProblem} and keeps its default; numbers out of bounds are moved inside them silently. Of a key given twice the later one wins.
 * Stateless; any thread.
 *
 * <p>Grammar: {@code key=value} separated by commas, so a path may hold {@code :} and {@code =} but no comma. Keys are case-insensitive. The
 * table of keys is {@link #help()}.
 */
public final class OptionsParser {
    private static final String PREFIX = "holdfast.";
    private static final String WHOLE_TEXT = "options";

    /** Options from the agent's argument; null or blank text gives the defaults. */
    public ParsedOptions parse(String text) {
        return parse(text, "agent arguments");
    }

    /** As {@link #parse(String)}; messages name the given origin. */
    public ParsedOptions parse(String text, String origin) {
        OptionsDraft draft = new OptionsDraft(origin);
        apply(text, draft);
        return draft.parsed();
    }

    /**
     * Options from {@code holdfast.KEY} properties and {@code holdfast.options}, which holds a whole text and is weaker than the single keys. Other
     * {@code holdfast.*} properties belong to other parts; only one that looks like a mistyped key is a problem.
     */
    public ParsedOptions fromSystemProperties(Properties properties) {
        return fromProperties(properties, "system properties");
    }

    /** As {@link #fromSystemProperties}; messages name the given origin. */
    public ParsedOptions fromProperties(Properties properties, String origin) {
        OptionsDraft draft = new OptionsDraft(origin);
        apply(properties.getProperty(PREFIX + WHOLE_TEXT), draft);
        for (String name : new TreeSet<>(properties.stringPropertyNames())) {
            String value = properties.getProperty(name);
            if (name.startsWith(PREFIX) && value != null) {
                String key = name.substring(PREFIX.length());
                Optional<String> known = NearestWord.of(key, OptionsDraft.KEYS);
                if (!key.toLowerCase(Locale.ROOT).equals(WHOLE_TEXT) && known.isPresent()) {
                    draft.set(key, value.strip());
                }
            }
        }
        return draft.parsed();
    }

    /** {@code stronger}, completed from {@code weaker}; see {@link ParsedOptions#over}. */
    public static ParsedOptions merge(ParsedOptions stronger, ParsedOptions weaker) {
        return stronger.over(weaker);
    }

    /** The table of options, for people. */
    public static String help() {
        return OptionsHelp.TEXT;
    }

    private static void apply(String text, OptionsDraft draft) {
        if (text != null) {
            for (String item : text.split(",", -1)) {
                draft.item(item);
            }
        }
    }
}
