package io.holdfast;

import io.holdfast.core.HoldfastOptions;
import io.holdfast.core.LeakListener;
import io.holdfast.core.OptionProblem;
import io.holdfast.core.OptionsParser;
import io.holdfast.core.ParsedOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Settings of a Holdfast that is about to start. What is set here wins over system properties; what is not set keeps its default. Wrong values are
 * collected and thrown all at once by {@link #start()}: they are mistakes of the program. Not thread-safe.
 *
 * <pre>{@code
 * Holdfast holdfast = Holdfast.builder()
 *         .report(Path.of("leaks.json"))
 *         .walk(w -> w.hops(64).cpuShare(0.02))
 *         .onLeak(leak -> alerts.send(Holdfast.describe(leak)))
 *         .start();
 * }</pre>
 */
public final class HoldfastBuilder {
    private static final String PREFIX = "holdfast.";
    private static final String OPTIONS = "options";
    private static final String GENERATIONS = "generations";
    private static final String REFERENCE_CHAINS = "referencechains";

    private final Properties keys = new Properties();
    private final TreeMap<String, Long> limits = new TreeMap<>();
    private final List<String> faults = new ArrayList<>();
    private final List<LeakListener> leakListeners = new ArrayList<>();
    private final List<ReportListener> reportListeners = new ArrayList<>();
    private String startedBy;

    HoldfastBuilder(String startedBy) {
        this.startedBy = startedBy;
    }

    /** Options in the syntax of the agent; weaker than the other methods, whatever the order. */
    public HoldfastBuilder options(String text) {
        return set(OPTIONS, Objects.requireNonNull(text, "text"));
    }

    /** One option by its name, as the agent knows it: for programs that hand on a configuration of their own. The last one given wins. */
    public HoldfastBuilder option(String key, String value) {
        return set(Objects.requireNonNull(key, "key").toLowerCase(Locale.ROOT), Objects.requireNonNull(value, "value"));
    }

    /** Whether anything is done at all. */
    public HoldfastBuilder enabled(boolean on) {
        return set("enabled", on);
    }

    /** The interval sampler, {@code SIZE[:FLAGS[:RATIO]]}. */
    public HoldfastBuilder memory(String sampler) {
        return set("memory", Objects.requireNonNull(sampler, "sampler"));
    }

    /** Whether survivor ages are followed. As with the option of that name, exactly what is named is active then. */
    public HoldfastBuilder generations(boolean on) {
        return set(GENERATIONS, on);
    }

    /** Whether chains are searched. As with the option of that name, exactly what is named is active then. */
    public HoldfastBuilder referenceChains(boolean on) {
        return set(REFERENCE_CHAINS, on);
    }

    /** JSON report, rewritten at each finding and every ten seconds. */
    public HoldfastBuilder report(Path file) {
        return set("report", file);
    }

    /** Report as a page. */
    public HoldfastBuilder html(Path file) {
        return set("html", file);
    }

    /** Recording of {@code holdfast.*} events. */
    public HoldfastBuilder jfr(Path file) {
        return set("jfr", file);
    }

    /** Whether sampling by bytes counts at every allocating instruction; dear. */
    public HoldfastBuilder allSites(boolean on) {
        return set("allsites", on);
    }

    /** Learned allocation sites. */
    public HoldfastBuilder sites(Path file) {
        return set("sites", file);
    }

    /** Whether leaks are logged as text. */
    public HoldfastBuilder log(boolean text) {
        return set("log", text ? "text" : "off");
    }

    /** Whether threads may name their own locals as roots. */
    public HoldfastBuilder stackLocals(boolean on) {
        return set("stacklocals", on);
    }

    /** Whether the token lane samples. */
    public HoldfastBuilder tokens(boolean on) {
        return set("tokens", on);
    }

    /** Whether a search without result may ask the JVM once, which stops the program shortly. */
    public HoldfastBuilder confirm(boolean on) {
        return set("confirm", on ? "jfr" : "off");
    }

    /** Time before anything is set up, in whole seconds, a year at the most. */
    public HoldfastBuilder delay(Duration wait) {
        if (wait.isNegative() || wait.toSeconds() > HoldfastOptions.MAX_DELAY_SECONDS) {
            faults.add("delay " + wait + ": allowed 0 s to " + HoldfastOptions.MAX_DELAY_SECONDS + " s");
            return this;
        }
        return set("delay", wait.plusNanos(999_999_999).toSeconds());
    }

    /** Limits of the searches. Where neither {@link #generations} nor {@link #referenceChains} is set, everything else stays as it is. */
    public HoldfastBuilder walk(Consumer<WalkLimits> settings) {
        settings.accept(new WalkLimits());
        return this;
    }

    /** Told about leaks from the first one on; see {@link Holdfast#onLeak}. */
    public HoldfastBuilder onLeak(LeakListener listener) {
        leakListeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Told about every report; see {@link Holdfast#onReport}. */
    public HoldfastBuilder onReport(ReportListener listener) {
        reportListeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Who is named when somebody else starts Holdfast a second time; one line. */
    public HoldfastBuilder startedBy(String who) {
        startedBy = Objects.requireNonNull(who, "who");
        return this;
    }

    /** Everything that is wrong with these settings, one sentence each; {@link #start()} would throw it. */
    public List<String> problems() {
        List<String> all = new ArrayList<>(faults);
        ParsedOptions parsed = parsed();
        parsed.problems().stream().map(OptionProblem::message).forEach(all::add);
        // Properties that resemble no option belong to somebody else; here nobody else is.
        keys.stringPropertyNames().stream().map(name -> name.substring(PREFIX.length()))
                .filter(key -> !key.equals(OPTIONS) && !parsed.given().contains(key) && parsed.problems().stream().noneMatch(p -> p.key().equals(key)))
                .sorted().forEach(key -> all.add("Unknown option '" + key + "'"));
        return List.copyOf(all);
    }

    /**
     * Starts, as {@link Holdfast#start()} does: where Holdfast runs already, one line says so and the running one is returned, with the listeners added.
     *
     * @throws IllegalArgumentException naming everything that is wrong with the settings
     */
    public Holdfast start() {
        return startIfNotRunning().orElseGet(() -> {
            Holdfast running = Holdfast.alreadyRunning(HoldfastLog.named("holdfast"));
            leakListeners.forEach(running::onLeak);
            reportListeners.forEach(running::onReport);
            return running;
        });
    }

    /**
     * Starts where nobody else has. So whoever gets a value is the one who closes it.
     *
     * @return empty, without a line, when Holdfast runs already, in this class loader or another (see {@link Holdfast#startedBy()}); and, with a line, where it
     *         cannot be started at all
     * @throws IllegalArgumentException naming everything that is wrong with the settings
     */
    public Optional<Holdfast> startIfNotRunning() {
        List<String> problems = problems();
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(problems.stream().collect(Collectors.joining("; ", "Holdfast: ", "")));
        }
        HoldfastLog log = HoldfastLog.named("holdfast");
        try {
            return Holdfast.start(parsed(), null, startedBy, log, engine -> {
                leakListeners.forEach(engine::onLeak);
                reportListeners.forEach(engine::onReport);
            });
        } catch (RuntimeException | LinkageError e) { // a security manager, say: the program starts all the same
            log.error("Holdfast is not started: " + e.getClass().getSimpleName() + ": " + e.getMessage());
            return Optional.empty();
        }
    }

    ParsedOptions parsed() {
        Properties all = new Properties();
        all.putAll(keys);
        if (!limits.isEmpty()) {
            boolean asByDefault = !keys.containsKey(PREFIX + GENERATIONS) && !keys.containsKey(PREFIX + REFERENCE_CHAINS);
            if (asByDefault) {
                all.setProperty(PREFIX + GENERATIONS, "true");
            }
            all.setProperty(PREFIX + REFERENCE_CHAINS, keys.getProperty(PREFIX + REFERENCE_CHAINS, Boolean.toString(asByDefault))
                    + limits.entrySet().stream().map(limit -> ":" + limit.getKey() + "=" + limit.getValue()).collect(Collectors.joining()));
        }
        return new OptionsParser().fromProperties(all, "the program's settings");
    }

    private HoldfastBuilder set(String key, Object value) {
        keys.setProperty(PREFIX + key, value.toString());
        return this;
    }

    /** Limits of the searches; docs/configuration.md says what is in force where they are not set. */
    public final class WalkLimits {
        private WalkLimits() { }

        /** Longest chain, 1 to 200 000. */
        public WalkLimits hops(int most) {
            return limit("hops", most, 1, HoldfastOptions.ReferenceChains.MAX_HOPS);
        }

        /** Objects admitted in one pass, 1 to 1 000 000. */
        public WalkLimits budget(int objects) {
            return limit("budget", objects, 1, HoldfastOptions.ReferenceChains.MAX_BUDGET);
        }

        /** Objects admitted from the roots in one pass, 0 to 1 000 000; 0 = derived from the budget. */
        public WalkLimits firstPassBudget(int objects) {
            return limit("firstpassbudget", objects, 0, HoldfastOptions.ReferenceChains.MAX_FIRST_PASS_BUDGET);
        }

        /** Life of one search, to the millisecond; zero = unlimited. */
        public WalkLimits ttl(Duration life) {
            return limit("ttl", life.toMillis(), 0, Long.MAX_VALUE);
        }

        /** Entries of a search's table, 1 to 65 536 000. */
        public WalkLimits frontierCap(int entries) {
            return limit("framecap", entries, 1, HoldfastOptions.ReferenceChains.MAX_FRAME_CAP);
        }

        /** Length of one uninterrupted slice of work, to the millisecond; zero = no limit. It pauses nobody. */
        public WalkLimits sliceTarget(Duration length) {
            return limit("pausetarget", length.toMillis(), 0, Long.MAX_VALUE);
        }

        /** CPU of the Holdfast thread as a share of one core, 0 to 1, in whole per cent. */
        public WalkLimits cpuShare(double share) {
            double percent = share * 100;
            if (!(percent >= 0 && percent <= 100) || Math.abs(percent - Math.rint(percent)) > 1e-6) {
                faults.add("cpuShare " + share + ": allowed 0 to 1 in whole per cent, 0.01 for instance");
                return this;
            }
            return limit("painbudget", Math.round(percent), 0, HoldfastOptions.ReferenceChains.MAX_PAIN_BUDGET_PERCENT);
        }

        private WalkLimits limit(String key, long value, long least, long most) {
            if (value < least || value > most) {
                faults.add(key + " " + value + ": allowed " + least + (most == Long.MAX_VALUE ? " or more" : " to " + most));
            } else {
                limits.put(key, value);
            }
            return this;
        }
    }
}
