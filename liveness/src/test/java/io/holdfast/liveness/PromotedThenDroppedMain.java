package io.holdfast.liveness;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.AllocationSite;
import io.holdfast.core.ClassNames;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.LeakCandidate;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.lang.reflect.Array;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A program of its own: objects grow old, are dropped, and lie dead in the old generation. Exits with 1 when a class of such objects is ever confirmed,
 * and when a class that is really held never is. {@code generational} as the only argument: objects are kept for three collections before they are
 * dropped; otherwise they are dropped at once, for every collection could show that they are alive.
 */
final class PromotedThenDroppedMain {
    private static final long LIMIT_NANOS = 600_000_000_000L;
    private static final int BATCHES = 2;
    private static final int ATTEMPTS = 30;
    private static final int DEAD_SITE = 0;
    private static final int KEPT_SITE = 1;

    private static volatile Object sink;

    private final long start = System.nanoTime();
    /** A second passes at each look, so that folds need not be waited for. */
    private long clock;
    private final GcEpochs epochs = new GcEpochs();
    private final LivenessTracker tracker;
    private final List<Object> kept = new ArrayList<>();
    /** Classes whose objects were all dropped before any collection could prove anything. */
    private final Set<String> dropped = new HashSet<>();
    private boolean droppedWereSuspected;

    private PromotedThenDroppedMain() {
        LivenessSettings defaults = LivenessSettings.defaults(Runtime.getRuntime().maxMemory());
        tracker = new LivenessTracker(new LivenessSettings(20_000, 1, true, true, 0, defaults.provingCollections()), new TwoSites(), epochs,
                ticker(), new SplittableRandom(1), new Counters());
    }

    public static void main(String[] arguments) {
        PromotedThenDroppedMain program = new PromotedThenDroppedMain();
        try (GarbageCollectionSource source = new GarbageCollectionSource(program.epochs, program.tracker::recordUsage)) {
            program.run(arguments[0].equals("generational"), source.collectorName());
        }
    }

    private Ticker ticker() {
        return new Ticker() {
            @Override
            public long nanos() {
                return clock;
            }

            @Override
            public Instant now() {
                return Instant.EPOCH;
            }
        };
    }

    private void run(boolean generational, String collector) {
        keep();
        int batches = 0;
        for (int attempt = 1; batches < BATCHES; attempt++) {
            if (attempt > ATTEMPTS) {
                fail("collections that prove came in between each time");
            }
            batches += batch(attempt, generational) ? 1 : 0;
            keep();
        }
        while (!standing("Ticket").equals(Optional.of(Standing.CONFIRMED))) {
            System.gc();
            collections(1);
        }
        while (tracker.status().rows() > kept.size()) {
            System.gc();
            collections(1);
        }
        System.out.println(collector + ": " + epochs.collections() + " collections, " + epochs.disprovingCollections() + " that prove; dead classes "
                + (droppedWereSuspected ? "were" : "were not") + " suspected meanwhile");
    }

    /** True when no collection that proves came in between. */
    private boolean batch(int attempt, boolean generational) {
        long disproving = epochs.disprovingCollections();
        List<Object> held = new ArrayList<>();
        for (int cohort = 0; cohort < 3; cohort++) {
            for (int i = 0; i < 20; i++) {
                // An array of so many dimensions: a class of its own for each attempt.
                held.add(sample(Array.newInstance(World.Session.class, new int[attempt]), DEAD_SITE));
            }
            if (generational) {
                collections(1);
            }
        }
        String name = ClassNames.of(held.get(0).getClass());
        if (generational) {
            collections(2);
        }
        boolean clean = epochs.disprovingCollections() == disproving || !generational;
        held.clear();
        if (clean) {
            dropped.add(name);
            collections(5);
        }
        return clean;
    }

    private void keep() {
        for (int i = 0; i < 10; i++) {
            kept.add(sample(new World.Ticket(), KEPT_SITE));
        }
        collections(1);
    }

    private Object sample(Object object, int site) {
        tracker.sink().offer(new AllocationSample(new WeakReference<>(object), site, 1, "main", null, clock, epochs.epoch()));
        return object;
    }

    private Optional<Standing> standing(String simpleName) {
        for (LeakCandidate candidate : tracker.known()) {
            if (candidate.className().endsWith("$" + simpleName)) {
                return tracker.standing(candidate.id());
            }
        }
        return Optional.empty();
    }

    /** Allocates until so many more have passed and have been looked at. */
    private void collections(int more) {
        long wanted = epochs.collections() + more;
        do {
            for (int i = 0; i < 1_000; i++) {
                sink = new byte[1_000];
            }
            clock += LivenessTracker.FOLD_SPACING_NANOS;
            tracker.maintain(clock);
            check();
            if (System.nanoTime() - start > LIMIT_NANOS) {
                fail("too few collections: " + epochs.collections());
            }
        } while (epochs.collections() < wanted || epochs.epoch() != tracker.status().foldedEpoch());
    }

    private void check() {
        for (LeakCandidate candidate : tracker.known()) {
            boolean dead = dropped.contains(candidate.className());
            droppedWereSuspected |= dead;
            if (dead && (tracker.standing(candidate.id()).equals(Optional.of(Standing.CONFIRMED))
                    || candidate.instances().stream().anyMatch(instance -> instance.disproved()))) {
                fail("dead objects of " + candidate.className() + " count as proven after " + epochs.disprovingCollections() + " collections that prove");
            }
        }
    }

    private static void fail(String why) {
        System.out.println(why);
        System.exit(1);
    }

    private static final class TwoSites implements SiteCatalogue {
        @Override
        public AllocationSite site(int siteId) {
            return new AllocationSite("com.acme.Login", "login", null, siteId, "com.acme.Session");
        }

        @Override
        public int siteCount() {
            return 2;
        }

        @Override
        public boolean active(int siteId) {
            return false;
        }

        @Override
        public void grant(int siteId, int tokens) { }

        @Override
        public double bytesPerSecond(int siteId) {
            return 0;
        }
    }
}
