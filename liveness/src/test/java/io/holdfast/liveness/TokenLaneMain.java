package io.holdfast.liveness;

import io.holdfast.core.AllocationSample;
import io.holdfast.core.AllocationSite;
import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.SiteCatalogue;
import io.holdfast.core.Ticker;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * A program of its own with two leaks and real collections: one is half of the allocated bytes, the other a thousandth. Prints after how many folds each was a
 * candidate; exits with 1 when the small one is not by three folds after the large one.
 */
final class TokenLaneMain implements SiteCatalogue {
    private static final long LIMIT_NANOS = 600_000_000_000L;
    private static final int FOLDS_LATER = 3;
    private static final int ARRAY = 2_000;

    private final AtomicIntegerArray tokens = new AtomicIntegerArray(3);
    private final GcEpochs epochs = new GcEpochs();
    private final LivenessTracker tracker = new LivenessTracker(new LivenessSettings(20_000, 1, true, true, 0, 1), this, epochs, Ticker.system(),
            new SplittableRandom(5), new Counters());
    private final List<Object> leaked = new ArrayList<>();

    public static void main(String[] arguments) throws InterruptedException {
        TokenLaneMain program = new TokenLaneMain();
        try (GarbageCollectionSource source = new GarbageCollectionSource(program.epochs, program.tracker::recordUsage)) {
            program.run(source.collectorName());
        }
    }

    /** About 8 MB a second; of these half are the large leak, and one byte of a thousand is the small one. */
    private void run(String collector) throws InterruptedException {
        long start = System.nanoTime();
        long large = 0;
        long small = 0;
        for (long step = 0; large == 0 || small == 0; step++) {
            for (int i = 0; i < 20; i++) {
                // A leak this large would fill the heap: only what was sampled is kept, the others' memory is as if it had been.
                allocated(new byte[ARRAY], 0, true);
                allocated(new char[ARRAY / 2], 1, false);
            }
            if (step % 10 == 0) {
                allocated(new long[ARRAY / 20], 2, true);
            }
            tracker.maintain(System.nanoTime());
            long folds = tracker.status().folds();
            List<String> candidates = tracker.known().stream().map(candidate -> candidate.className()).toList();
            large = large == 0 && candidates.contains("byte[]") ? folds : large;
            small = small == 0 && candidates.contains("long[]") ? folds : small;
            if (candidates.contains("char[]") || large > 0 && small == 0 && folds > large + FOLDS_LATER || System.nanoTime() - start > LIMIT_NANOS) {
                System.out.println(collector + ": large leak after " + large + " folds, small " + small + ", now " + folds + ": " + candidates);
                System.exit(1);
            }
            Thread.sleep(10);
        }
        System.out.println(collector + ": both are candidates, the large leak after " + large + " folds, the small one after " + small);
    }

    private void allocated(Object object, int site, boolean leak) {
        if (tokens.get(site) > 0) {
            tokens.decrementAndGet(site);
            tracker.sink().offer(new AllocationSample(new WeakReference<>(object), site, 1, "main", null, System.nanoTime(), epochs.epoch()));
            if (leak) {
                leaked.add(object);
            }
        }
    }

    @Override
    public AllocationSite site(int siteId) {
        return new AllocationSite("com.acme.Login", "login", null, siteId, "com.acme.Session");
    }

    @Override
    public int siteCount() {
        return 3;
    }

    @Override
    public boolean active(int siteId) {
        return true;
    }

    @Override
    public void grant(int siteId, int granted) {
        tokens.set(siteId, granted);
    }

    @Override
    public double bytesPerSecond(int siteId) {
        return 0;
    }
}
