package io.holdfast;

import io.holdfast.agent.SampledAllocations;
import io.holdfast.core.ChainResult;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakListener;
import io.holdfast.core.OptionProblem;
import io.holdfast.core.OptionsParser;
import io.holdfast.core.ParsedOptions;
import io.holdfast.core.Ticker;
import java.lang.instrument.Instrumentation;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/**
 * The leak profiler of this JVM.
 *
 * <pre>{@code
 * public static void main(String[] args) {
 *     Holdfast.start();
 *     runApplication();
 * }
 * }</pre>
 *
 * <p>{@link #start()} returns at once; the engine comes up on a thread of its own within a second or two. Leaks are written to the log
 * ({@code holdfast.leak}) and to whatever the options name. There is one Holdfast per JVM: starting it again says so in one line and returns the
 * running one. Nothing here ever throws because of the environment: what cannot be had is said in one line, and the program runs on.
 *
 * <p>All methods may be called from any thread.
 */
public final class Holdfast implements AutoCloseable {
    private static final AtomicReference<Holdfast> CURRENT = new AtomicReference<>();

    private final Engine engine;

    private Holdfast(Engine engine) {
        this.engine = engine;
    }

    /**
     * Starts the full leak finder, or what the system properties {@code holdfast.*} ask for. Without an agent it attaches one to this JVM by way of
     * a short-lived helper process; where that is forbidden it says so and does what it can.
     *
     * @return the running profiler
     */
    public static Holdfast start() {
        return start("");
    }

    /**
     * As {@link #start()}, with options in the syntax of the agent ({@code report=leaks.json,jfr=leaks.jfr}). Options given here win over system
     * properties. An option that is not understood is reported in one line and ignored.
     */
    public static Holdfast start(String options) {
        return start(Objects.requireNonNull(options, "options"), null, caller());
    }

    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.map(StackWalker.StackFrame::getClassName).filter(n -> !n.equals(Holdfast.class.getName())).findFirst())
                .orElse("unknown");
    }

    static Holdfast start(String options, Instrumentation instrumentation, String startedBy) {
        HoldfastLog log = HoldfastLog.named("holdfast");
        try {
            return start(options, instrumentation, startedBy, log);
        } catch (RuntimeException | LinkageError e) { // a security manager, say: the program starts all the same
            log.error("Holdfast is not started: " + e.getClass().getSimpleName() + ": " + e.getMessage());
            return new Holdfast(null);
        }
    }

    private static Holdfast start(String options, Instrumentation instrumentation, String startedBy, HoldfastLog log) {
        return start(new OptionsParser().parse(options), instrumentation, startedBy, log, engine -> { }).orElseGet(() -> alreadyRunning(log));
    }

    /** Says who was first; a handle without anything where that is in another class loader. */
    static Holdfast alreadyRunning(HoldfastLog log) {
        log.warn("Holdfast is already running (" + SingleInstance.holder() + "). Reuse Holdfast.current() or close it first.");
        Holdfast running = CURRENT.get();
        return running != null ? running : new Holdfast(null);
    }

    /** Empty when Holdfast runs already, in this class loader or another; {@link SingleInstance#holder} says who has started it. */
    static Optional<Holdfast> start(ParsedOptions given, Instrumentation instrumentation, String startedBy, HoldfastLog log, Consumer<Engine> beforeStart) {
        Ticker ticker = Ticker.system();
        ParsedOptions parsed = OptionsParser.merge(given, new OptionsParser().fromSystemProperties(System.getProperties()));
        for (OptionProblem problem : parsed.problems()) {
            log.error("Holdfast: " + problem.message());
        }
        SingleInstance claim = SingleInstance.claim(startedBy, ticker.now());
        if (claim == null) {
            return Optional.empty();
        }
        Engine engine = new Engine(parsed.options(), instrumentation, claim, ticker, log);
        Holdfast holdfast = new Holdfast(engine);
        beforeStart.accept(engine);
        CURRENT.set(holdfast);
        engine.onClose(() -> CURRENT.compareAndSet(holdfast, null));
        engine.start();
        return Optional.of(holdfast);
    }

    /** For settings that are known to the program, and listeners that must miss nothing; {@link #start()} is enough for everything else. */
    public static HoldfastBuilder builder() {
        return new HoldfastBuilder(caller());
    }

    /** Who runs Holdfast in this JVM and since when, for people; empty when nobody does. Sees every class loader. */
    public static Optional<String> startedBy() {
        return Optional.ofNullable(System.getProperty(SingleInstance.PROPERTY));
    }

    /** The profiler running in this class loader, if any. */
    public static Optional<Holdfast> current() {
        return Optional.ofNullable(CURRENT.get());
    }

    /**
     * Tracks this very object until it dies, wherever it was allocated. Does nothing when Holdfast is not running or {@code object} is null. Keeps
     * the object no longer alive than it is.
     */
    public static void watch(Object object) {
        Holdfast running = CURRENT.get();
        if (running != null && object != null) {
            running.engine.watch(object);
        }
    }

    /**
     * Looks for references from a GC root that hold this object, by the same walk as for leaks but at full speed, on a thread that ends with the search.
     * Soft references count when nothing stronger holds it. One such search runs at a time.
     *
     * @param timeout after this time the search ends, unless a chain is just being read again (long lists: up to a second or more); a year at the most
     * @return {@link ChainResult.Found} or {@link ChainResult.NotReached}; never completed exceptionally
     */
    public CompletableFuture<ChainResult> findChain(Object object, Duration timeout) {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(timeout, "timeout");
        return engine == null ? CompletableFuture.completedFuture(new ChainResult.NotReached("Holdfast runs in another class loader"))
                : engine.findChain(object, timeout);
    }

    /** The ways of the running engine into the JVM, or null: none runs here, it has none yet, or it is closed. */
    static HeapAccessWays ways() {
        Holdfast running = CURRENT.get();
        return running == null || running.engine == null ? null : running.engine.ways();
    }

    /** Whether an engine of this class loader is coming up. */
    static boolean comingUp() {
        Holdfast running = CURRENT.get();
        return running != null && running.engine != null && !running.engine.closed() && running.engine.ways() == null;
    }

    /** Calls the listener at every new finding and every change of one, on the Holdfast thread, which waits for it: be quick. */
    public void onLeak(LeakListener listener) {
        Objects.requireNonNull(listener, "listener");
        if (engine != null) {
            engine.onLeak(listener);
        }
    }

    /**
     * Calls the listener with every new {@link #latest() report}, on the Holdfast thread, which waits for it: be quick. One that throws three times is
     * dropped.
     */
    public void onReport(ReportListener listener) {
        Objects.requireNonNull(listener, "listener");
        if (engine != null) {
            engine.onReport(listener);
        }
    }

    /** Takes out a {@link LeakListener} or {@link ReportListener} that was added; one that is being told at this moment may still be told this once. */
    public void removeListener(Object listener) {
        if (engine != null) {
            engine.removeListener(listener);
        }
    }

    /** Leaks found so far, worst first. */
    public List<Leak> leaks() {
        return engine == null ? List.of() : engine.leaks();
    }

    /**
     * The report that the Holdfast thread made last: at every change of a leak, and every ten seconds. Costs nothing to ask for. Empty until the engine is
     * up, after {@link #close()}, and for a handle whose Holdfast runs in another class loader.
     */
    public Optional<LeakReport> latest() {
        return Optional.ofNullable(engine).map(Engine::latest);
    }

    /** Everything known at this moment. Empty for a handle whose Holdfast runs in another class loader. */
    public Optional<LeakReport> snapshot() {
        return Optional.ofNullable(engine).map(Engine::snapshot);
    }

    /** What Holdfast waits for at this moment, and what it has cost. Empty for a handle whose Holdfast runs in another class loader. */
    public Optional<HoldfastStatus> status() {
        return Optional.ofNullable(engine).map(Engine::status);
    }

    /**
     * Sampled allocations with their objects, for programs that want to look themselves; see there. Nothing is sampled where there is no agent, or where options
     * switch every sampling off. Empty for a handle whose Holdfast runs in another class loader.
     */
    public Optional<SampledAllocations> sampledAllocations() {
        return Optional.ofNullable(engine).map(Engine::sampledAllocations);
    }

    /** One leak as the block of text the log shows. */
    public static String describe(Leak leak) {
        return LeakText.render(leak);
    }

    /** Stops: final report, instrumented classes restored, threads ended, every reference freed. Closing twice is harmless. */
    @Override
    public void close() {
        if (engine != null) {
            engine.close();
        }
    }
}
