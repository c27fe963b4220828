package io.holdfast.core;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Named counters of everything that was dropped, capped, abandoned or refused. Names are lower case with dots
 * ({@code liveness.samples.dropped}) and come from constants, never from the application. Any thread may count.
 */
public final class Counters {
    private final ConcurrentHashMap<String, LongAdder> adders = new ConcurrentHashMap<>();

    /** The counter of that name; keep it where counting is frequent. */
    public LongAdder counter(String name) {
        return adders.computeIfAbsent(name, n -> new LongAdder());
    }

    public void increment(String name) {
        counter(name).increment();
    }

    public void add(String name, long amount) {
        counter(name).add(amount);
    }

    public long get(String name) {
        LongAdder adder = adders.get(name);
        return adder == null ? 0 : adder.sum();
    }

    /** Values by name, sorted. */
    public Map<String, Long> snapshot() {
        Map<String, Long> values = new TreeMap<>();
        adders.forEach((name, adder) -> values.put(name, adder.sum()));
        return values;
    }
}
