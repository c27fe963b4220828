package io.holdfast;

import io.holdfast.agent.AllocationInstrumentation;
import io.holdfast.agent.HookSettings;
import io.holdfast.agent.SampledAllocations;
import io.holdfast.agent.StackWalks;
import io.holdfast.core.ChainResult;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.HoldfastOptions;
import io.holdfast.core.Leak;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakListener;
import io.holdfast.core.LiveSample;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.SiteSurvival;
import io.holdfast.core.StackLocals;
import io.holdfast.core.Ticker;
import io.holdfast.jfr.AllocationScout;
import io.holdfast.jfr.ContinuousRecording;
import io.holdfast.jfr.Findings;
import io.holdfast.jfr.LeakEvents;
import io.holdfast.jfr.RootConfirmer;
import io.holdfast.liveness.GarbageCollectionSource;
import io.holdfast.liveness.LivenessStatus;
import io.holdfast.liveness.LivenessTracker;
import io.holdfast.liveness.ObjectSizes;
import io.holdfast.refchains.FinalizationQueue;
import io.holdfast.refchains.GrowthSurvey;
import io.holdfast.refchains.HeapAccess;
import io.holdfast.refchains.IncrementalChainSearch;
import io.holdfast.scheduler.Gate;
import io.holdfast.scheduler.HoldfastLoop;
import io.holdfast.scheduler.LoopListener;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/*
 * The parts and who calls whom
 *
 *   application threads ── hook ──▶ sample queue                (agent → liveness)
 *   JFR stream thread ── scout ──▶ site table                   (jfr → agent)
 *   notification thread ── GC ──▶ epoch counter, usage ring     (liveness)
 *   "holdfast" thread ── loop ──▶ liveness, search, this class: ledger, instrumentation batches, reports
 *
 * This class makes the parts, wires them and takes them down again in the opposite order. It decides nothing.
 */
/**
 * One run of Holdfast, from start to close. Coming up happens on a thread that ends when the loop runs, so that a program's {@code main} does not
 * wait for it.
 */
final class Engine implements LoopListener {
    private static final Duration STOP_LIMIT = Duration.ofSeconds(5);
    private static final long PUBLISH_NANOS = Duration.ofSeconds(10).toNanos();
    /** A dump ends a chunk for everybody and takes up to seconds on a busy machine. */
    private static final long DUMP_NANOS = Duration.ofSeconds(10).toNanos();
    /** Different lines about Flight Recorder in the log. */
    private static final int MAX_COMPLAINTS = 4;
    private static final int SCOUT_LEARNING_PER_SECOND = 150;
    private static final int SCOUT_LATER_PER_SECOND = 10;
    private static final long LEARNING_NANOS = Duration.ofMinutes(5).toNanos();

    private final HoldfastOptions options;
    private final SingleInstance claim;
    private final Ticker ticker;
    private final HoldfastLog log;
    private final HoldfastLog leakLog = HoldfastLog.named("holdfast.leak");
    private final java.lang.instrument.Instrumentation given;
    private final Counters counters = new Counters();
    private final GcEpochs epochs = new GcEpochs();
    private final Listeners<Leak> listeners;
    private final Listeners<LeakReport> reportListeners;
    private final long startNanos;
    private final Thread exitHook = ownThread(this::writeReport, "holdfast-exit");
    /** Made beforehand: when the loop fails for want of memory, there may be none for a thread. */
    private final Thread stopper = ownThread(this::close, "holdfast-stop");
    private final ReportSnapshots snapshots;
    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private volatile Runnable onClose = () -> { };
    private volatile EngineParts running;
    private volatile ReportWriter report;
    private volatile HeapAccessWays ways;
    private volatile Thread starter;
    private volatile String failure;
    private final ChainFinder chains;
    private final SampledAllocations sampled;
    /** Null without {@code sites=FILE}. */
    private final LearnedSites learned;
    /** What JFR shows; replaced only now and then, because each new value is rendered once. */
    private volatile Findings published;
    private volatile LeakReport latest;
    private long projectedEpoch = -1;
    private long lastPublishedNanos;
    private final Set<String> complaints = new HashSet<>();
    private boolean dumpDue;
    private long lastDumpNanos;
    private volatile boolean closed;

    Engine(HoldfastOptions options, java.lang.instrument.Instrumentation given, SingleInstance claim, Ticker ticker, HoldfastLog log) {
        this.options = options;
        this.given = given;
        this.claim = claim;
        this.ticker = ticker;
        this.log = log;
        this.listeners = new Listeners<>(log);
        this.reportListeners = new Listeners<>(log);
        this.startNanos = ticker.nanos();
        this.snapshots = new ReportSnapshots(options, ticker, counters);
        this.lastPublishedNanos = startNanos;
        this.lastDumpNanos = startNanos;
        this.sampled = new SampledAllocations(ticker, counters, new SplittableRandom(), log::warn);
        this.learned = options.sites() == null ? null : new LearnedSites(options.sites(), log, counters, startNanos);
        this.chains = new ChainFinder(() -> ways, () -> closed, ticker);
    }

    void onClose(Runnable action) {
        onClose = action;
    }

    void start() {
        if (!options.enabled()) {
            log.info("Holdfast is switched off by enabled=false.");
            close();
            return;
        }
        options.whyNothingIsFound().ifPresent(why -> log.warn("Holdfast: " + why));
        notYet().forEach(key -> log.warn("Holdfast: option " + key + " is understood but has no effect in this version."));
        if (options.report() != null) {
            report = new ReportWriter(options.report(), this::snapshot, log, counters, ticker.nanos());
        }
        Thread thread = ownThread(this::comeUp, "holdfast-start");
        starter = thread;
        thread.start();
        try {
            Runtime.getRuntime().addShutdownHook(exitHook);
        } catch (IllegalStateException | SecurityException e) {
            counters.increment("engine.start.withoutexithook");
        }
    }

    private void comeUp() {
        try {
            if (options.delaySeconds() > 0) {
                Thread.sleep(Duration.ofSeconds(options.delaySeconds()).toMillis());
            }
            writeReport();
            assemble();
        } catch (InterruptedException e) {
            // closed while waiting
        } catch (Throwable e) { // nothing of ours may end in the application's uncaught-exception handler
            switchOff("start-up", e);
        } finally {
            starter = null;
        }
    }

    private synchronized void assemble() {
        if (closed) {
            return;
        }
        ways = HeapAccessWays.open(given);
        if (Thread.currentThread().isInterrupted()) {
            return; // closed meanwhile
        }
        long maxHeap = Runtime.getRuntime().maxMemory();
        EngineSettings settings = new EngineSettings(options, maxHeap, Runtime.getRuntime().availableProcessors());
        HeapAccess access = HeapAccess.open(ways.trusted(), ways.instrumentation(), counters);
        Sites sites = new Sites();
        ObjectSizes sizes = ways.instrumentation().<ObjectSizes>map(agent -> agent::getObjectSize).orElseGet(ObjectSizes::ofArrays);
        LivenessTracker liveness = new LivenessTracker(settings.liveness(), sites, epochs, ticker, new SplittableRandom(), counters, sizes);
        parts.push(liveness);
        StackWalks stacks = stackWalks();
        AllocationInstrumentation instrumentation = instrument(liveness, stacks);
        sites.use(instrumentation);
        GarbageCollectionSource collections = new GarbageCollectionSource(epochs, liveness::recordUsage);
        parts.push(collections);
        AllocationScout scout = instrumentation == null ? null : new AllocationScout(instrumentation::observe, counters, () -> epochs.advance(true));
        GrowthSurvey survey = new GrowthSurvey(access, sizes::bytes, epochs, ticker, counters);
        IncrementalChainSearch search = new IncrementalChainSearch(access, settings.search(ProgramPackage.of(System.getProperties())), ticker, counters,
                instrumentation == null || stacks == null ? StackLocals.NONE : stacks, survey);
        parts.push(search::clear);
        LeakLedger ledger = new LeakLedger(LedgerSettings.defaults(maxHeap), startNanos, counters, new CandidateFeedback() {
            @Override
            public void mute(long candidateId) {
                liveness.mute(candidateId, epochs.disprovingCollections() + 1);
                survey.mute(candidateId);
            }

            @Override
            public void unreached(LeakCandidate candidate, long searchId) {
                if (running.confirmations() != null) {
                    running.confirmations().unreached(candidate, searchId);
                }
            }

            @Override
            public void reached(long candidateId) {
                if (running.confirmations() != null) {
                    running.confirmations().reached(candidateId);
                }
            }

            @Override
            public void explained(long candidateId) {
                liveness.explained(candidateId);
                survey.explained(candidateId);
                running.loop().explained(candidateId);
            }
        }, this::changed, id -> leakLog.info("LEAK " + id + " has stopped growing and is withdrawn: it was a population that filled up."));
        FinalizationBacklog backlog = EngineSettings.findsLeaks(options) && options.referenceChains()
                ? FinalizationQueue.open(access).map(queue -> new FinalizationBacklog(queue, ledger, ticker)).orElse(null) : null;
        LeakEvents events = new LeakEvents(() -> published, counters, LeakText::render, epochs::epoch, options.toString());
        HoldfastLoop loop = new HoldfastLoop(settings.scheduler(), new SuspectedClasses(liveness, survey, ticker, ledger::selected), search, ticker, counters, this);
        ContinuousRecording recording = options.jfr() == null ? null : new ContinuousRecording(counters, options.jfr());
        RootConfirmer confirmer = options.confirm() == HoldfastOptions.Confirm.OFF || !EngineSettings.findsLeaks(options) ? null : new RootConfirmer(counters, ticker);
        RootConfirmations confirmations = confirmer == null ? null : new RootConfirmations(confirmer::ask, options.confirm() == HoldfastOptions.Confirm.ALL, ticker,
                startNanos, counters, this::changed, line -> log.info("Holdfast: " + line));
        running = new EngineParts(liveness, collections, instrumentation, scout, access, search, ledger, backlog, events, recording, loop, confirmer, confirmations);
        if (scout != null) {
            scout.start(SCOUT_LEARNING_PER_SECOND);
            parts.push(scout);
        }
        if (confirmer != null) {
            confirmer.start();
            parts.push(confirmer);
        }
        publish(List.of());
        registerEvents(events, recording);
        parts.push(() -> loop.stop(STOP_LIMIT));
        loop.start();
        log.info(startLine(access, collections));
        if (ways.refusal() != null) {
            log.warn("Holdfast: no agent (" + ways.refusal() + "), so allocations cannot be sampled: what grows from walk to walk is found, without its allocation site, and objects given to Holdfast.watch. "
                    + "Start with -javaagent:holdfast-agent.jar to see everything.");
        }
    }

    /** JFR may be missing or broken; leaks are found without it as well. */
    private void registerEvents(LeakEvents events, ContinuousRecording recording) {
        try {
            events.register();
            parts.push(events);
            if (recording != null) {
                recording.start();
                parts.push(recording);
            }
        } catch (RuntimeException | LinkageError e) {
            log.warn("Holdfast: no JFR events (" + e.getClass().getSimpleName() + ": " + e.getMessage() + "). Everything else works.");
        }
    }

    private List<String> notYet() {
        List<String> keys = new ArrayList<>();
        if (options.html() != null) {
            keys.add("html");
        }
        return keys;
    }

    /** Null where threads do not look at their own frames. */
    private StackWalks stackWalks() {
        if (!options.stackLocals() || !canSample()) {
            return null;
        }
        try {
            return StackWalks.open(ways.trusted().get(), ticker, counters);
        } catch (RuntimeException | LinkageError e) {
            log.warn("Holdfast: no stack roots (" + e.getMessage() + "). Everything else works.");
            return null;
        }
    }

    private boolean canSample() {
        return (tokens() || options.memory() != null || options.allSites()) && ways.instrumentation().isPresent() && ways.trusted().isPresent();
    }

    private boolean tokens() {
        return EngineSettings.findsLeaks(options) && options.tokens();
    }

    private AllocationInstrumentation instrument(LivenessTracker liveness, StackWalks stacks) {
        if (!canSample()) {
            return null;
        }
        try {
            // The queue's classes must be loaded before a hook in the middle of the JDK uses them.
            liveness.warmUp();
            AllocationInstrumentation instrumentation = AllocationInstrumentation.install(ways.instrumentation().get(), ways.trusted().get(), liveness.sink(),
                    epochs, ticker, counters, new SplittableRandom(), stacks,
                    new HookSettings(tokens(), options.allSites(), sampled, learned == null ? List.of() : learned.read()));
            parts.push(instrumentation);
            sampleByBytes(liveness);
            return instrumentation;
        } catch (RuntimeException | LinkageError e) {
            log.warn("Holdfast: the allocation hook cannot be installed (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                    + "); only what grows from walk to walk is found, and objects given to Holdfast.watch.");
            return null;
        }
    }

    /** What {@code memory=} asks for. Without it the interval lane rests until the program itself listens. */
    private void sampleByBytes(LivenessTracker liveness) {
        HoldfastOptions.Memory memory = options.memory();
        if (memory != null) {
            sampled.interval(memory.intervalBytes());
            if (memory.liveness()) {
                sampled.feed(liveness.intervalSink(memory.ratio()));
            }
        }
    }

    private String startLine(HeapAccess access, GarbageCollectionSource collections) {
        return "Holdfast " + Version.read() + " started  access=" + ways.level() + "  gc=" + collections.collectorName() + "  pid="
                + ProcessHandle.current().pid() + (options.report() == null ? "" : "  report=" + options.report())
                + (options.jfr() == null ? "" : "  jfr=" + options.jfr());
    }

    void watch(Object object) {
        EngineParts parts = running;
        if (parts != null) {
            parts.liveness().watch(object, "Holdfast.watch");
        }
    }

    CompletableFuture<ChainResult> findChain(Object object, Duration timeout) {
        return chains.find(object, timeout);
    }

    /** How far into the JVM this engine got; null while it comes up. */
    HeapAccessWays ways() {
        return ways;
    }

    boolean closed() {
        return closed;
    }

    void onLeak(LeakListener listener) {
        listeners.add(listener, listener::onLeak);
    }

    void onReport(ReportListener listener) {
        reportListeners.add(listener, listener::onReport);
    }

    void removeListener(Object listener) {
        listeners.remove(listener);
        reportListeners.remove(listener);
    }

    /** Null before the engine is up and after it is closed. */
    LeakReport latest() {
        return latest;
    }

    List<Leak> leaks() {
        EngineParts parts = running;
        return parts == null ? List.of() : parts.leaks();
    }

    // ---- the Holdfast thread ----

    @Override
    public void onLook(long nowNanos) {
        EngineParts parts = running;
        parts.ledger().follow(nowNanos);
        if (parts.confirmations() != null && parts.confirmer().running()) {
            parts.confirmations().follow(nowNanos, parts.ledger().leaks());
        }
    }

    @Override
    public void onIteration(long nowNanos) {
        EngineParts parts = running;
        if (parts.backlog() != null) {
            parts.backlog().follow(nowNanos);
        }
        if (parts.instrumentation() != null) {
            // Batches keep to a schedule of their own; searches pay for their CPU time, not for the time they stop the program.
            List<SiteSurvival> survival = parts.liveness().survival();
            parts.instrumentation().maintain(nowNanos, survival);
            if (learned != null) {
                learned.follow(nowNanos, () -> parts.instrumentation().learnedSites(survival));
            }
        }
        complainOnce(parts);
        if (parts.scout() != null && nowNanos - startNanos > LEARNING_NANOS) {
            parts.scout().throttle(SCOUT_LATER_PER_SECOND);
        }
        ReportWriter writer = report;
        if (writer != null) {
            writer.writeIfDue(nowNanos);
        }
        project(parts.liveness());
        if (nowNanos - lastPublishedNanos >= PUBLISH_NANOS) {
            publish(nowNanos);
            if (log.debugs()) {
                log.debug("Holdfast: " + parts.loop().status().waiting() + "; " + parts.loop().status() + "; " + parts.liveness().status() + "; sites "
                        + (parts.instrumentation() == null ? 0 : parts.instrumentation().siteCount()) + ", batches "
                        + (parts.instrumentation() == null ? 0 : parts.instrumentation().batches()) + "; " + parts.ledger());
            }
        }
        if (dumpDue && nowNanos - lastDumpNanos >= DUMP_NANOS) {
            dumpDue = false;
            lastDumpNanos = nowNanos;
            parts.recording().dump(options.jfr());
        }
    }

    /** What a failure of Flight Recorder costs is said when it is seen for the first time; the report says it as long as it lasts. */
    private void complainOnce(EngineParts parts) {
        Optional<String> ofScout = parts.scout() == null ? Optional.empty() : parts.scout().failure();
        Optional<String> ofConfirmer = parts.confirmer() == null ? Optional.empty() : parts.confirmer().failure();
        ofScout.filter(why -> complaints.size() < MAX_COMPLAINTS && complaints.add(why)).ifPresent(why -> log.warn("Holdfast: " + why));
        ofConfirmer.filter(why -> complaints.size() < MAX_COMPLAINTS && complaints.add(why)).ifPresent(why -> log.warn("Holdfast: " + why));
    }

    private void publish(long nowNanos) {
        lastPublishedNanos = nowNanos;
        publish(running.liveness().liveSamples(Findings.MAX_LIVE_SAMPLES));
    }

    private void publish(List<LiveSample> samples) {
        LeakReport report = snapshot();
        published = new Findings(report.writtenAt(), RecordedReport.status(report, running.liveness().status().rows()), report.leaks(), samples);
        running.events().findingsChanged();
        latest = report;
        reportListeners.tell(report);
    }

    /** Once an epoch: nothing of it changes in between. */
    private void project(LivenessTracker liveness) {
        LivenessStatus status = liveness.status();
        if (status.epoch() != projectedEpoch && !status.floorBytes().isEmpty()) {
            projectedEpoch = status.epoch();
            running.events().projection(liveness.secondsToExhaustion(), status.floorBytes().get(status.floorBytes().size() - 1), status.epoch());
        }
    }

    @Override
    public void onPass(PassReport pass, SearchSummary summary, PassConditions conditions) {
        running.events().pass(pass, summary, conditions);
    }

    @Override
    public void onFindings(List<SearchFinding> findings) {
        if (log.debugs()) {
            findings.forEach(f -> log.debug("Holdfast: " + f));
        }
        running.ledger().found(findings);
    }

    @Override
    public void onSearchEnded(SearchSummary summary) {
        counters.increment("engine.searches." + (summary.state() == SearchState.COMPLETED ? "completed" : summary.reason().word()));
        snapshots.ended(summary);
        running.events().searchEnded(summary);
    }

    @Override
    public void onFailure(Throwable fault) {
        failure = fault.toString(); // the loop has said its line
        stopper.start(); // the loop's own thread cannot wait for itself
    }

    /** A daemon thread that inherits neither context class loader nor thread-locals: it would keep them alive. */
    static Thread ownThread(Runnable work, String name) {
        Thread thread = new Thread(null, work, name, 0, false);
        thread.setDaemon(true);
        thread.setContextClassLoader(null);
        return thread;
    }

    private void changed(Leak leak) {
        publish(ticker.nanos());
        if (options.logText()) {
            leakLog.warn(LeakText.render(leak));
        }
        listeners.tell(leak);
        ReportWriter writer = report;
        if (writer != null) {
            writer.write(ticker.nanos());
        }
        dumpDue = running.recording() != null;
    }

    private void switchOff(String part, Throwable e) {
        failure = e.toString();
        log.error("Holdfast disabled itself: " + e.getClass().getSimpleName() + " in " + part + " (details at DEBUG). The application is not affected.");
        log.debug("Holdfast failed in " + part, e);
        close();
    }

    LeakReport snapshot() {
        return snapshots.now(running, ways, failure);
    }

    HoldfastStatus status() {
        EngineParts parts = running;
        if (parts != null) {
            return HoldfastStatus.of(parts.loop().status(), parts.classChangeNanos());
        }
        return failure != null || closed || !options.enabled() ? HoldfastStatus.without(Gate.STOPPED.word(), "not running")
                : HoldfastStatus.without(Gate.NOT_STARTED.word(), "coming up");
    }

    /**
     * Says what is known now. All that is done when the JVM goes down: nothing needs to be taken down then, and JFR has a hook of its own at the same
     * moment that writes the recording.
     */
    private void writeReport() {
        ReportWriter writer = report;
        if (writer != null) {
            writer.write(ticker.nanos());
        }
        if (learned != null) {
            learned.write();
        }
    }

    SampledAllocations sampledAllocations() {
        return sampled;
    }

    void close() {
        Thread coming = starter;
        if (coming != null && coming != Thread.currentThread()) {
            coming.interrupt();
        }
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            EngineParts last = running;
            if (last != null) {
                closePart(() -> last.loop().stop(STOP_LIMIT));
                // The last state of the leaks; not of the samples, which belong to the loop's thread.
                closePart(() -> publish(published.liveSamples()));
            }
            closePart(this::writeReport);
            if (last != null && last.recording() != null) {
                closePart(() -> last.recording().dump(options.jfr()));
            }
            while (!parts.isEmpty()) {
                closePart(parts.pop());
            }
            closePart(sampled);
            closePart(() -> published = null);
            closePart(() -> latest = null);
            closePart(listeners::clear);
            closePart(reportListeners::clear);
            closePart(claim::release);
            closePart(onClose::run);
        }
        try {
            Runtime.getRuntime().removeShutdownHook(exitHook);
        } catch (IllegalStateException | SecurityException e) {
            counters.increment("engine.close.duringshutdown");
        }
    }

    /** Each step by itself: what fails in one, be it for want of memory, must not keep the next from being taken. */
    private void closePart(AutoCloseable part) {
        try {
            part.close();
        } catch (Throwable e) {
            complain(e);
        }
    }

    private void complain(Throwable e) {
        try {
            log.warn("Holdfast: a part did not close cleanly (" + e.getClass().getSimpleName() + ": " + e.getMessage() + ").");
        } catch (Throwable ignored) {
            // nothing is left that could be told about it
        }
    }
}
