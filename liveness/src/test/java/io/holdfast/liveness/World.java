package io.holdfast.liveness;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.AllocationSite;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A program without a JVM: its clock, collections and deaths happen when a test says so. */
final class World {
    static final class Session { }

    static final class Order { }

    static final class Node { }

    static final class Buffer { }

    static final class Page { }

    static final class Ticket { }

    static final class Visit { }

    /** An object the program holds; dead once its weak reference is cleared. */
    record Held(Object object, WeakReference<Object> reference) {
        void die() {
            reference.clear();
        }
    }

    final class FakeSites implements SiteCatalogue {
        final List<AllocationSite> sites = new ArrayList<>();
        final Map<Integer, Integer> granted = new HashMap<>();
        double bytesPerSecond;
        double relativeErrorOfRate = Double.NaN;

        @Override
        public AllocationSite site(int siteId) {
            return sites.get(siteId);
        }

        @Override
        public int siteCount() {
            return sites.size();
        }

        @Override
        public boolean active(int siteId) {
            return true;
        }

        @Override
        public void grant(int siteId, int tokens) {
            granted.put(siteId, tokens);
        }

        @Override
        public double bytesPerSecond(int siteId) {
            return bytesPerSecond;
        }

        @Override
        public double relativeErrorOfRate(int siteId) {
            return relativeErrorOfRate;
        }
    }

    static final LivenessSettings TREND_ONLY = new LivenessSettings(100_000, 1.0, false, true, 1L << 30, 1);

    final GcEpochs epochs = new GcEpochs();
    final Counters counters = new Counters();
    final FakeSites sites = new FakeSites();
    final LivenessTracker tracker;
    long nanos = 5_000_000_000L;

    World() {
        this(new LivenessSettings(100_000, 1.0, true, true, 1L << 30, 1));
    }

    World(LivenessSettings settings) {
        this(settings, object -> 40);
    }

    World(LivenessSettings settings, ObjectSizes sizes) {
        for (int site = 0; site < 40; site++) {
            sites.sites.add(new AllocationSite("com.acme.Login", "login", "Login.java", 40 + site, "com.acme.Session"));
        }
        tracker = new LivenessTracker(settings, sites, epochs, new Ticker() {
            @Override
            public long nanos() {
                return nanos;
            }

            @Override
            public Instant now() {
                return Instant.ofEpochSecond(nanos / 1_000_000_000L);
            }
        }, new Random(11), counters, sizes, ContainerMemory.UNKNOWN);
    }

    Held allocate(Object object, int site) {
        return allocate(object, site, 7);
    }

    Held allocate(Object object, int site, long threadId) {
        return allocate(object, site, threadId, null);
    }

    Held allocate(Object object, int site, long threadId, Throwable stack) {
        Held held = new Held(object, new WeakReference<>(object));
        tracker.sink().offer(new AllocationSample(held.reference(), site, threadId, "http-" + threadId, stack, nanos, epochs.epoch()));
        return held;
    }

    /** A young collection, and the second that leads to the next fold. */
    void collect() {
        tracker.maintain(nanos);
        epochs.advance(false);
        secondPasses();
    }

    void disprove() {
        tracker.maintain(nanos);
        epochs.advance(true);
        secondPasses();
    }

    void secondPasses() {
        nanos += 1_000_000_000L;
        tracker.maintain(nanos);
    }

    List<LeakCandidate> candidates() {
        return tracker.selectCandidates(5);
    }

    List<String> candidateClasses() {
        return candidates().stream().map(LeakCandidate::className).toList();
    }

    /** Sessions of one site that stay. */
    static void leak(World world, List<Held> held, int count) {
        for (int i = 0; i < count; i++) {
            held.add(world.allocate(new Session(), 3));
        }
    }

    /** Number of a candidate that three cohorts made. */
    static long suspectedByCohorts(World world, List<Held> held) {
        for (int epoch = 0; epoch < 3; epoch++) {
            leak(world, held, 3);
            world.collect();
        }
        return world.candidates().get(0).id();
    }
}
