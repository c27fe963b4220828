package io.holdfast.core;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** Options while one source is being read. One thread. */
final class OptionsDraft {
    /** Keys in the order of the help text. */
    static final List<String> KEYS = List.of("memory", "generations", "referencechains", "log", "report", "html", "jfr", "enabled", "delay",
            "stacklocals", "tokens", "sites", "allsites", "confirm");
    private static final List<SubOption> SUB_OPTIONS = List.of(
            new SubOption("hops", 1, HoldfastOptions.ReferenceChains.MAX_HOPS),
            new SubOption("budget", 1, HoldfastOptions.ReferenceChains.MAX_BUDGET),
            new SubOption("ttl", 0, Long.MAX_VALUE),
            new SubOption("framecap", 1, HoldfastOptions.ReferenceChains.MAX_FRAME_CAP),
            new SubOption("pausetarget", 0, Long.MAX_VALUE),
            new SubOption("painbudget", 0, HoldfastOptions.ReferenceChains.MAX_PAIN_BUDGET_PERCENT),
            new SubOption("firstpassbudget", 0, HoldfastOptions.ReferenceChains.MAX_FIRST_PASS_BUDGET));
    private static final List<String> SUB_OPTION_NAMES = SUB_OPTIONS.stream().map(SubOption::name).toList();
    private static final Set<String> ENGINE = Set.of("memory", "generations", "referencechains");
    private static final String HELP_COMMAND = "java -jar holdfast-agent.jar help";
    /** Longest piece of the user's text that a message repeats. */
    private static final int MAX_QUOTE = 120;

    private final String origin;
    private final List<OptionProblem> problems = new ArrayList<>();
    private final Set<String> given = new HashSet<>();
    private boolean enabled = true;
    private HoldfastOptions.Memory memory;
    private boolean generations;
    private boolean referenceChains;
    private final Map<String, Long> limits = new HashMap<>();
    private Path report;
    private Path html;
    private Path jfr;
    private boolean logText = true;
    private boolean stackLocals = true;
    private long delaySeconds;
    private boolean tokens = true;
    private Path sites;
    private boolean allSites;
    private HoldfastOptions.Confirm confirm = HoldfastOptions.Confirm.OFF;

    OptionsDraft(String origin) {
        this.origin = origin;
    }

    ParsedOptions parsed() {
        boolean explicit = given.stream().anyMatch(ENGINE::contains);
        return new ParsedOptions(new HoldfastOptions(enabled, explicit, memory, generations || !explicit, referenceChains || !explicit, chains(), report,
                html, jfr, logText, stackLocals, delaySeconds, tokens, sites, allSites, confirm), problems, given);
    }

    /** Applies {@code key=value}, {@code key} or nothing at all. */
    void item(String item) {
        String text = item.strip();
        if (!text.isEmpty()) {
            int equals = text.indexOf('=');
            set(equals < 0 ? text : text.substring(0, equals).strip(), equals < 0 ? "" : text.substring(equals + 1).strip());
        }
    }

    /** Applies one option; an empty value of a switch means true. */
    void set(String key, String value) {
        boolean understood = switch (key.toLowerCase(Locale.ROOT)) {
            case "enabled" -> flag(key, value).map(on -> enabled = on).isPresent();
            case "memory" -> memory(key, value);
            case "generations" -> flag(key, value).map(on -> generations = on).isPresent();
            case "referencechains" -> referenceChains(key, value);
            case "report" -> path(key, value).map(file -> report = file).isPresent();
            case "html" -> path(key, value).map(file -> html = file).isPresent();
            case "jfr" -> path(key, value).map(file -> jfr = file).isPresent();
            case "log" -> word(key, value, "text").map(on -> logText = on).isPresent();
            case "stacklocals" -> flag(key, value).map(on -> stackLocals = on).isPresent();
            case "delay" -> delay(key, value);
            case "tokens" -> flag(key, value).map(on -> tokens = on).isPresent();
            case "sites" -> path(key, value).map(file -> sites = file).isPresent();
            case "allsites" -> flag(key, value).map(on -> allSites = on).isPresent();
            case "confirm" -> confirm(key, value);
            case "help" -> {
                problems.add(new OptionProblem(key, value, OptionsHelp.TEXT));
                yield false;
            }
            default -> unknown(key, value);
        };
        if (understood) {
            given.add(key.toLowerCase(Locale.ROOT));
        }
    }

    private boolean confirm(String key, String value) {
        switch (value.toLowerCase(Locale.ROOT)) {
            case "jfr" -> confirm = HoldfastOptions.Confirm.UNREACHED;
            case "jfr:all" -> confirm = HoldfastOptions.Confirm.ALL;
            case "off", "false" -> confirm = HoldfastOptions.Confirm.OFF;
            default -> {
                return bad(key, value, "unknown word", "Allowed: jfr, jfr:all, off.");
            }
        }
        return true;
    }

    private boolean memory(String key, String value) {
        String[] parts = value.split(":", -1);
        String interval = parts[0].strip();
        OptionalLong bytes = interval.isEmpty() || interval.equalsIgnoreCase("true") ? OptionalLong.of(HoldfastOptions.Memory.DEFAULT_INTERVAL_BYTES)
                : OptionNumbers.size(interval);
        if (bytes.isEmpty()) {
            return bad(key, value, "'" + quote(interval) + "' is not a size", "Examples: 512k, 4m, 1g, 524287; 0 = every allocation.");
        }
        String flags = parts.length > 1 ? parts[1].strip() : "";
        if (!flags.chars().allMatch(flag -> flag == 'a' || flag == 'l' || flag == 'L')) {
            return bad(key, value, "'" + quote(flags) + "' are not flags", "Allowed letters: a (allocations), l (live objects), L (live objects and heap usage).");
        }
        OptionalDouble ratio = parts.length > 2 ? OptionNumbers.fraction(parts[2].strip()) : OptionalDouble.of(HoldfastOptions.Memory.DEFAULT_RATIO);
        if (ratio.isEmpty() || parts.length > 3) {
            return bad(key, value, "'" + quote(value.substring(value.indexOf(':', value.indexOf(':') + 1) + 1)) + "' is not a ratio", "Allowed 0.01..1.0.");
        }
        memory = new HoldfastOptions.Memory(bytes.getAsLong(), flags.isEmpty() || flags.indexOf('a') >= 0,
                flags.isEmpty() || flags.indexOf('l') >= 0 || flags.indexOf('L') >= 0, flags.indexOf('L') >= 0,
                Math.min(Math.max(ratio.getAsDouble(), HoldfastOptions.Memory.MIN_RATIO), HoldfastOptions.Memory.MAX_RATIO));
        return true;
    }

    /** A value that begins with n, f or 0 disables, whatever follows; anything else enables. */
    private boolean referenceChains(String key, String value) {
        String[] parts = value.split(":", -1);
        String enable = parts[0].strip().toLowerCase(Locale.ROOT);
        if (enable.indexOf('=') >= 0) {
            return bad(key, value, "sub-options must follow true", "Write " + key + "=true:" + quote(value) + ".");
        }
        referenceChains = !(enable.startsWith("n") || enable.startsWith("f") || enable.startsWith("0"));
        for (int i = 1; i < parts.length; i++) {
            String part = parts[i].strip();
            if (!part.isEmpty()) {
                int equals = part.indexOf('=');
                subOption(key, equals < 0 ? part : part.substring(0, equals).strip(), equals < 0 ? "" : part.substring(equals + 1).strip());
            }
        }
        return true;
    }

    private void subOption(String parent, String name, String value) {
        String key = name.toLowerCase(Locale.ROOT);
        String path = parent + ":" + name;
        SubOption known = SUB_OPTIONS.stream().filter(option -> option.name.equals(key)).findFirst().orElse(null);
        if (known != null) {
            whole(path, value, known.least, known.most).ifPresent(n -> limits.put(key, n));
        } else {
            problems.add(new OptionProblem(path, value, "Unknown sub-option '" + quote(name) + "' of referencechains in " + origin + ". "
                    + NearestWord.of(name, SUB_OPTION_NAMES).map(near -> "Did you mean '" + near + "'? ").orElse("")
                    + "Allowed: " + String.join(", ", SUB_OPTION_NAMES) + "."));
        }
    }

    private HoldfastOptions.ReferenceChains chains() {
        return new HoldfastOptions.ReferenceChains(limit("hops"), limit("budget"), longLimit("ttl"), limit("framecap"), longLimit("pausetarget"),
                limit("painbudget"), limit("firstpassbudget"));
    }

    private OptionalInt limit(String name) {
        Long value = limits.get(name);
        return value == null ? OptionalInt.empty() : OptionalInt.of(Math.toIntExact(value));
    }

    private OptionalLong longLimit(String name) {
        Long value = limits.get(name);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private boolean delay(String key, String value) {
        OptionalLong seconds = whole(key, value, 0, HoldfastOptions.MAX_DELAY_SECONDS);
        seconds.ifPresent(n -> delaySeconds = n);
        return seconds.isPresent();
    }

    private Optional<Boolean> flag(String key, String value) {
        switch (value.toLowerCase(Locale.ROOT)) {
            case "", "true", "yes", "on", "1":
                return Optional.of(true);
            case "false", "no", "off", "0":
                return Optional.of(false);
            default:
                bad(key, value, "neither true nor false", "Allowed: true, false.");
                return Optional.empty();
        }
    }

    /** True for the one word allowed besides {@code off}. */
    private Optional<Boolean> word(String key, String value, String on) {
        switch (value.toLowerCase(Locale.ROOT)) {
            case "off", "false":
                return Optional.of(false);
            default:
                if (value.equalsIgnoreCase(on)) {
                    return Optional.of(true);
                }
                bad(key, value, "unknown word", "Allowed: " + on + ", off.");
                return Optional.empty();
        }
    }

    private Optional<Path> path(String key, String value) {
        if (value.isEmpty()) {
            bad(key, value, "no file", "Example: " + key + "=/var/tmp/holdfast-" + key + ".out");
            return Optional.empty();
        }
        try {
            return Optional.of(Path.of(value));
        } catch (InvalidPathException e) {
            bad(key, value, "not a path on this system", "A path may hold ':' and '=', but no ','.");
            return Optional.empty();
        }
    }

    /** A number, silently moved inside its bounds; only what is no number is a problem. */
    private OptionalLong whole(String key, String value, long least, long most) {
        OptionalLong number = OptionNumbers.whole(value);
        if (number.isEmpty()) {
            bad(key, value, "not a whole number", "Allowed " + least + (most == Long.MAX_VALUE ? " or more." : ".." + most + "."));
            return number;
        }
        return OptionalLong.of(Math.max(least, Math.min(most, number.getAsLong())));
    }

    private boolean bad(String key, String value, String what, String allowed) {
        problems.add(new OptionProblem(key, value, quote(key) + "=" + quote(value) + " (from " + origin + "): " + what + ". " + allowed
                + " The option is ignored."));
        return false;
    }

    private boolean unknown(String key, String value) {
        if (SUB_OPTION_NAMES.contains(key.toLowerCase(Locale.ROOT))) {
            problems.add(new OptionProblem(key, value, "Option '" + quote(key) + "' in " + origin + " belongs to referencechains. Write referencechains=true:"
                    + key + "=" + quote(value) + "."));
        } else {
            problems.add(new OptionProblem(key, value, "Unknown option '" + quote(key) + "' in " + origin + ". " + NearestWord.of(key, KEYS)
                    .map(near -> "Did you mean '" + near + "'? All options: " + HELP_COMMAND)
                    .orElse("Allowed: " + String.join(", ", KEYS) + ". All about them: " + HELP_COMMAND)));
        }
        return false;
    }

    /** The user's words on one line, cut, without control characters: they end up in a log. */
    private static String quote(String text) {
        StringBuilder safe = new StringBuilder();
        text.codePoints().limit(MAX_QUOTE).map(c -> switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.SURROGATE, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> '?';
            default -> c;
        }).forEach(safe::appendCodePoint);
        return text.codePointCount(0, text.length()) > MAX_QUOTE ? safe + "…" : safe.toString();
    }

    private record SubOption(String name, long least, long most) { }
}
