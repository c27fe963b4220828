package io.holdfast.scheduler;

import static io.holdfast.scheduler.Nanos.s;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.CodeSigner;
import java.security.CodeSource;
import java.security.ProtectionDomain;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import io.holdfast.core.ChainSearch;
import io.holdfast.core.Counters;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.LeakSignal;
import io.holdfast.core.PassConditions;
import io.holdfast.core.PassLimits;
import io.holdfast.core.PassReport;
import io.holdfast.core.SearchFinding;
import io.holdfast.core.SearchState;
import io.holdfast.core.SearchSummary;
import io.holdfast.core.Ticker;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The real thread. Only the waits are real; nothing about their length is asserted. */
class HoldfastLoopThreadTest {
    private static final Duration GENEROUS = Duration.ofMinutes(5);

    private final VirtualTicker frozen = new VirtualTicker();
    private final ScriptedSignal signal = new ScriptedSignal();
    private final ScriptedSearch search = new ScriptedSearch(frozen);
    private final Counters counters = new Counters();
    private final CountDownLatch iterated = new CountDownLatch(1);
    private final RecordingListener listener = new RecordingListener() {
        @Override
        public void onIteration(long nowNanos) {
            super.onIteration(nowNanos);
            iterated.countDown();
        }
    };

    private final List<HoldfastLoop> loops = new ArrayList<>();

    private HoldfastLoop loop(LeakSignal anySignal, ChainSearch anySearch, Ticker ticker) {
        return loop(anySignal, anySearch, ticker, listener);
    }

    private HoldfastLoop loop(LeakSignal anySignal, ChainSearch anySearch, Ticker ticker, LoopListener anyListener) {
        HoldfastLoop loop = new HoldfastLoop(LoopRig.SETTINGS, anySignal, anySearch, ticker, counters, anyListener, new ScriptedUsage());
        loops.add(loop);
        return loop;
    }

    private static Thread holdfastThread() {
        return Thread.getAllStackTraces().keySet().stream().filter(t -> t.getName().equals("holdfast")).findAny().orElse(null);
    }

    private static void until(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + GENEROUS.toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            Thread.sleep(1);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    @AfterEach
    void noThreadIsLeft() throws InterruptedException {
        loops.forEach(loop -> loop.stop(GENEROUS));
        until(() -> holdfastThread() == null);
    }

    @Test
    void isOneDaemonThreadThatInheritsNothing() throws InterruptedException {
        InheritableThreadLocal<Object> inherited = new InheritableThreadLocal<>();
        inherited.set("of the application");
        AtomicReference<Object> seen = new AtomicReference<>("not asked");
        HoldfastLoop loop = loop(signal, search, frozen, new RecordingListener() {
            @Override
            public void onIteration(long nowNanos) {
                seen.set(inherited.get());
                iterated.countDown();
            }
        });
        loop.start();
        assertThat(iterated.await(GENEROUS.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Thread thread = holdfastThread();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getContextClassLoader()).isNull();
        assertThat(thread.getThreadGroup().getParent()).isNull();
        assertThat(seen.get()).isNull();
        loop.stop(GENEROUS);
        inherited.remove();
    }

    @Test
    void stopWakesASleeperAndFreesTheSearch() throws InterruptedException {
        signal.candidate = true;
        HoldfastLoop loop = loop(signal, search, frozen);
        loop.start();
        assertThat(iterated.await(GENEROUS.toSeconds(), TimeUnit.SECONDS)).isTrue();
        // The clock stands still, so this is no ordinary end of a sleep. (Without the wake-up it would still end, a second later.)
        loop.stop(GENEROUS);
        assertThat(holdfastThread()).isNull();
        assertThat(search.clears).isEqualTo(1);
        assertThat(search.held).isFalse();
        assertThat(loop.status().gate()).isEqualTo(Gate.STOPPED);
        assertThat(counters.get(HoldfastLoop.STOP_TIMED_OUT)).isZero();
        loop.stop(GENEROUS);
        assertThat(search.clears).isEqualTo(1);
    }

    @Test
    void stopAbortsThePassUnderWayAndDeliversWhatItFound() throws InterruptedException {
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch abort = new CountDownLatch(1);
        ScriptedSearch endless = new ScriptedSearch(frozen) {
            @Override
            public PassReport runPass(PassLimits limits) {
                inPass.countDown();
                try {
                    abort.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                findings.add(new SearchFinding(1, 1, SearchFinding.CHAIN, List.of(), 1, 1, 1, 1, true, true, null));
                return super.runPass(limits);
            }

            @Override
            public void requestStop() {
                super.requestStop();
                abort.countDown();
            }
        };
        signal.candidate = true;
        HoldfastLoop loop = loop(signal, endless, frozen);
        loop.start();
        assertThat(inPass.await(GENEROUS.toSeconds(), TimeUnit.SECONDS)).isTrue();
        loop.stop(GENEROUS);
        assertThat(holdfastThread()).isNull();
        assertThat(listener.calls).containsExactly("pass 1", "findings 1");
        assertThat(listener.failures).isEmpty();
    }

    @Test
    void stopDoesNotWaitLongerThanItsLimit() throws InterruptedException {
        CountDownLatch inPass = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        ScriptedSearch deaf = new ScriptedSearch(frozen) {
            @Override
            public PassReport runPass(PassLimits limits) {
                inPass.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                return super.runPass(limits);
            }
        };
        signal.candidate = true;
        HoldfastLoop loop = loop(signal, deaf, frozen);
        loop.start();
        assertThat(inPass.await(GENEROUS.toSeconds(), TimeUnit.SECONDS)).isTrue();
        loop.stop(Duration.ZERO);
        assertThat(counters.get(HoldfastLoop.STOP_TIMED_OUT)).isEqualTo(1);
        end.countDown();
        until(() -> loop.status().gate() == Gate.STOPPED);
    }

    @Test
    void anInterruptedCallerOfStopKeepsItsInterrupt() throws InterruptedException {
        HoldfastLoop loop = loop(signal, search, frozen);
        loop.start();
        assertThat(iterated.await(GENEROUS.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Thread.currentThread().interrupt();
        loop.stop(Duration.ofSeconds(Long.MAX_VALUE));
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aListenerMayStopTheLoop() throws InterruptedException {
        AtomicReference<HoldfastLoop> self = new AtomicReference<>();
        HoldfastLoop loop = loop(signal, search, frozen, new RecordingListener() {
            @Override
            public void onIteration(long nowNanos) {
                self.get().stop(GENEROUS);
            }
        });
        self.set(loop);
        loop.start();
        until(() -> loop.status().gate() == Gate.STOPPED);
    }

    @Test
    void anInterruptFromOutsideNeitherEndsItNorMakesItSpin() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        Ticker counting = new Ticker() {
            @Override
            public long nanos() {
                looks.incrementAndGet();
                return 0;
            }

            @Override
            public Instant now() {
                return Instant.EPOCH;
            }
        };
        HoldfastLoop loop = loop(signal, search, counting);
        loop.start();
        assertThat(iterated.await(GENEROUS.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Thread thread = holdfastThread();
        until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        int before = looks.get();
        thread.interrupt();
        until(() -> looks.get() > before);
        try {
            until(() -> !thread.isInterrupted() && thread.getState() == Thread.State.TIMED_WAITING);
            assertThat(looks.get() - before).isLessThan(100);
            assertThat(thread.isAlive()).isTrue();
        } finally {
            loop.stop(GENEROUS);
        }
    }

    @Test
    void startsOnce() {
        HoldfastLoop loop = loop(signal, search, frozen);
        loop.start();
        assertThatThrownBy(loop::start).isInstanceOf(IllegalStateException.class);
        loop.stop(GENEROUS);
        assertThatThrownBy(loop::start).isInstanceOf(IllegalStateException.class);
        HoldfastLoop never = loop(signal, search, frozen);
        never.stop(GENEROUS);
        assertThatThrownBy(never::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void waitsOnTheGivenClockOnly() throws InterruptedException {
        AtomicInteger turns = new AtomicInteger();
        HoldfastLoop loop = loop(signal, search, frozen, new RecordingListener() {
            @Override
            public void onIteration(long nowNanos) {
                turns.incrementAndGet();
            }
        });
        loop.start();
        until(() -> turns.get() == 1 && holdfastThread().getState() == Thread.State.TIMED_WAITING);
        frozen.advance(s(1));
        until(() -> turns.get() == 2);
        loop.stop(GENEROUS);
    }

    enum Fault {
        PROJECTION("liveness"), MAINTAIN("liveness"), PROBE("liveness"), SELECT("liveness"), STATE("search"), RESTART("search"),
        PASS("search"), WATCH("search"), FINDINGS("search"), RELEASE("search"), ON_PASS("listener"), ON_FINDINGS("listener"),
        ON_ENDED("listener"), ON_ITERATION("listener");

        final String part;

        Fault(String part) {
            this.part = part;
        }
    }

    /** All parties in one, throwing at one place. */
    private final class Saboteur implements Consumer<Fault> {
        private final Fault where;
        private final Error what;
        int thrown;

        Saboteur(Fault where, Error what) {
            this.where = where;
            this.what = what;
        }

        @Override
        public void accept(Fault here) {
            if (here == where) {
                thrown++;
                throw what;
            }
        }

        HoldfastLoop loop() {
            ScriptedSignal faultySignal = new ScriptedSignal() {
                @Override
                public double secondsToExhaustion() {
                    accept(Fault.PROJECTION);
                    return super.secondsToExhaustion();
                }

                @Override
                public void maintain(long nowNanos) {
                    accept(Fault.MAINTAIN);
                }

                @Override
                public boolean hasCandidate() {
                    accept(Fault.PROBE);
                    return true;
                }

                @Override
                public List<LeakCandidate> selectCandidates(int max) {
                    accept(Fault.SELECT);
                    return super.selectCandidates(max);
                }
            };
            faultySignal.candidate = true;
            ScriptedSearch faultySearch = new ScriptedSearch(frozen) {
                @Override
                public SearchState state() {
                    accept(Fault.STATE);
                    return super.state();
                }

                @Override
                public void restart(long nowNanos) {
                    accept(Fault.RESTART);
                    super.restart(nowNanos);
                }

                @Override
                public PassReport runPass(PassLimits limits) {
                    accept(Fault.PASS);
                    return super.runPass(limits);
                }

                @Override
                public int watch(List<LeakCandidate> candidates) {
                    accept(Fault.WATCH);
                    return super.watch(candidates);
                }

                @Override
                public List<SearchFinding> takeFindings() {
                    accept(Fault.FINDINGS);
                    return super.takeFindings();
                }

                @Override
                public boolean release() {
                    accept(Fault.RELEASE);
                    return super.release();
                }
            };
            faultySearch.passesToEnd = 1;
            faultySearch.resolvesInPass = 1;
            RecordingListener faultyListener = new RecordingListener() {
                @Override
                public void onPass(PassReport report, SearchSummary summary, PassConditions conditions) {
                    accept(Fault.ON_PASS);
                }

                @Override
                public void onFindings(List<SearchFinding> found) {
                    accept(Fault.ON_FINDINGS);
                }

                @Override
                public void onSearchEnded(SearchSummary summary) {
                    accept(Fault.ON_ENDED);
                }

                @Override
                public void onIteration(long nowNanos) {
                    accept(Fault.ON_ITERATION);
                }

                @Override
                public void onFailure(Throwable failure) {
                    listener.onFailure(failure);
                    throw new IllegalStateException("and once more");
                }
            };
            return HoldfastLoopThreadTest.this.loop(faultySignal, faultySearch, frozen, faultyListener);
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void whateverIsThrownAnywhereSwitchesItOffWithOneLine(Fault where) throws InterruptedException {
        Saboteur saboteur = new Saboteur(where, new OutOfMemoryError("Java heap space"));
        HoldfastLoop loop = saboteur.loop();
        String log = errorsOf(() -> {
            loop.start();
            until(() -> loop.status().gate() == Gate.DISABLED && holdfastThread() == null);
        });
        assertThat(listener.failures).containsExactly(saboteur.what);
        assertThat(counters.get(HoldfastLoop.DISABLED)).isEqualTo(1);
        assertThat(log.lines().filter(line -> line.contains("Holdfast")).map(line -> line.substring(line.indexOf("Holdfast"))))
                .containsExactly("Holdfast disabled itself: java.lang.OutOfMemoryError in " + where.part
                        + " (details at DEBUG). The application is not affected.");
        assertThat(log).contains("ERROR holdfast");
        loop.stop(GENEROUS);
        assertThat(loop.status().gate()).isEqualTo(Gate.DISABLED);
    }

    @ParameterizedTest
    @ValueSource(classes = {ThreadDeath.class, NoClassDefFoundError.class, StackOverflowError.class, AssertionError.class})
    void everyKindOfErrorIsHeld(Class<? extends Error> kind) throws ReflectiveOperationException {
        Saboteur saboteur = new Saboteur(Fault.PASS, kind.getDeclaredConstructor().newInstance());
        HoldfastLoop loop = saboteur.loop();
        assertThat(loop.iterate(frozen.nanos())).isEqualTo(Long.MAX_VALUE);
        assertThat(loop.iterate(frozen.nanos() + s(100))).isEqualTo(Long.MAX_VALUE);
        assertThat(saboteur.thrown).isEqualTo(1);
        assertThat(listener.failures).containsExactly(saboteur.what);
        assertThat(loop.status().gate()).isEqualTo(Gate.DISABLED);
    }

    @Test
    void aFailureFreesTheSearch() {
        signal.candidate = true;
        HoldfastLoop loop = loop(signal, search, frozen, new RecordingListener() {
            @Override
            public void onIteration(long nowNanos) {
                throw new IllegalStateException("fault of a listener");
            }
        });
        loop.iterate(frozen.nanos());
        assertThat(search.clears).isEqualTo(1);
        assertThat(search.held).isFalse();
    }

    private interface Step {
        void run() throws InterruptedException;
    }

    private static String errorsOf(Step step) throws InterruptedException {
        PrintStream before = System.err;
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        System.setErr(new PrintStream(written, true, StandardCharsets.UTF_8));
        try {
            step.run();
        } finally {
            System.setErr(before);
        }
        return written.toString(StandardCharsets.UTF_8);
    }

    /** Loaded anew by a loader of its own, as a web application would be. */
    public static final class ForeignStarter implements Consumer<HoldfastLoop> {
        @Override
        public void accept(HoldfastLoop loop) {
            loop.start();
        }
    }

    private static final class ForeignLoader extends ClassLoader {
        ForeignLoader() {
            super(HoldfastLoopThreadTest.class.getClassLoader());
        }

        Class<?> define(Class<?> template) throws IOException {
            try (InputStream bytes = template.getResourceAsStream("HoldfastLoopThreadTest$ForeignStarter.class")) {
                byte[] code = bytes.readAllBytes();
                // With a domain of its own: the JVM's default domain would hide that a thread remembers the domains of its creator.
                return defineClass(template.getName(), code, 0, code.length,
                        new ProtectionDomain(new CodeSource(null, (CodeSigner[]) null), null, this, null));
            }
        }
    }

    private static WeakReference<ClassLoader> startFromAForeignLoader(HoldfastLoop loop) throws IOException, ReflectiveOperationException {
        ForeignLoader loader = new ForeignLoader();
        Class<?> starter = loader.define(ForeignStarter.class);
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            @SuppressWarnings("unchecked")
            Consumer<HoldfastLoop> foreign = (Consumer<HoldfastLoop>) starter.getDeclaredConstructor().newInstance();
            assertThat(foreign.getClass().getClassLoader()).isSameAs(loader);
            foreign.accept(loop);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
        return new WeakReference<>(loader);
    }

    @Test
    void keepsTheLoaderOfItsStarterCollectable() throws IOException, ReflectiveOperationException, InterruptedException {
        HoldfastLoop loop = loop(signal, search, frozen);
        WeakReference<ClassLoader> loader = startFromAForeignLoader(loop);
        try {
            until(() -> {
                System.gc();
                return loader.get() == null;
            });
            assertThat(holdfastThread()).isNotNull();
        } finally {
            loop.stop(GENEROUS);
        }
    }
}
