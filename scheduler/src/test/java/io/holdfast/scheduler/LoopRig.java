package io.holdfast.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.core.Counters;

/**
 * A loop with scripted parties on a virtual clock. Unless it is {@link #metered}, the thread seems to need no CPU time beyond what passes report, so
 * that the documented gates can be seen by themselves.
 */
final class LoopRig {
    /** 1 % and 5 ms on a heap of unknown size: every number of the specification's examples. */
    static final SchedulerSettings SETTINGS = SchedulerSettings.defaults(0, 1).withBudget(4_000);

    final VirtualTicker ticker = new VirtualTicker();
    final ScriptedUsage usage = new ScriptedUsage();
    final ScriptedSignal signal = new ScriptedSignal();
    final ScriptedSearch search = new ScriptedSearch(ticker);
    final Counters counters = new Counters();
    final RecordingListener listener = new RecordingListener();
    final HoldfastLoop loop;

    LoopRig() {
        this(SETTINGS);
    }

    LoopRig(SchedulerSettings settings) {
        loop = new HoldfastLoop(settings, signal, search, ticker, counters, listener, usage);
        listener.loop = loop;
    }

    /** Whatever the parties do costs the thread what they say. */
    LoopRig metered() {
        search.usage = usage;
        signal.usage = usage;
        listener.usage = usage;
        return this;
    }

    /** One iteration and the sleep after it; returns the sleep. */
    long turn() {
        return turn(Long.MAX_VALUE);
    }

    /** The same, but woken after {@code longestNap} at the latest. */
    long turn(long longestNap) {
        long sleep = Math.min(longestNap, loop.iterate(ticker.nanos()));
        assertThat(listener.failures).isEmpty();
        ticker.advance(sleep);
        return sleep;
    }

    /** Iterations until that much virtual time has passed. */
    void runFor(long nanos) {
        long end = ticker.nanos() + nanos;
        while (ticker.nanos() < end) {
            turn();
        }
    }

    Gate gate() {
        return loop.status().gate();
    }
}
