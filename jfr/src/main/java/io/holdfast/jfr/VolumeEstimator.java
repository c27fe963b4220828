package io.holdfast.jfr;

import io.holdfast.core.AllocationVolumes;
import io.holdfast.core.Ticker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/*
 * Old bytes count less
 *
 * What matters is what the program allocates now. Each byte counts half as much after each half-life. Instead of making all amounts smaller at every
 * look, new amounts are made larger: an amount is kept multiplied by 2 to the number of half-lives since a fixed moment, and divided at the look. The
 * moment is moved, and everything scaled once, before the factor becomes too large for exact sums.
 */
/**
 * Sums the weights of allocation samples by class, site and thread. Three tables of {@value #ROWS} rows; nothing is allocated for a sample whose class,
 * site and thread have rows. Any thread; the lock is held for about a microsecond.
 */
final class VolumeEstimator {
    static final int ROWS = 256;
    /** Rows shown of each table. */
    static final int ROWS_SHOWN = 16;
    static final double HALF_LIFE_SECONDS = 60;
    private static final String UNNAMED_THREAD = "(unnamed)";
    private static final double MAX_HALF_LIVES = 64;

    private final Ticker ticker;
    private final VolumeTable<String> classes = new VolumeTable<>(ROWS);
    private final VolumeTable<Frame> sites = new VolumeTable<>(ROWS);
    private final VolumeTable<String> threads = new VolumeTable<>(ROWS);
    private final long startNanos;
    private long originNanos;
    private long samples;

    VolumeEstimator(Ticker ticker) {
        this.ticker = ticker;
        startNanos = ticker.nanos();
        originNanos = startNanos;
    }

    /**
     * Adds one sample.
     *
     * @param site   the frame whose instruction allocates, or null when none does
     * @param thread name of the thread; null and empty where it has none
     */
    synchronized void add(String className, Frame site, String thread, long weightBytes) {
        double amount = Math.max(0, weightBytes) * factor();
        samples++;
        classes.add(EventText.name(className), amount);
        if (site == null) {
            sites.addOther(amount);
        } else {
            sites.add(site, amount);
        }
        threads.add(thread == null || thread.isEmpty() ? UNNAMED_THREAD : EventText.name(thread), amount);
    }

    synchronized AllocationVolumes snapshot() {
        double factor = factor();
        double age = (ticker.nanos() - startNanos) / 1e9;
        // The integral of what a steady byte a second would count now.
        double window = HALF_LIFE_SECONDS / Math.log(2) * -Math.expm1(-Math.log(2) * age / HALF_LIFE_SECONDS);
        return new AllocationVolumes(window, samples, table(classes, factor, Function.identity()), table(sites, factor, VolumeEstimator::text),
                table(threads, factor, Function.identity()));
    }

    private static <K> AllocationVolumes.Table table(VolumeTable<K> table, double factor, Function<K, String> name) {
        List<AllocationVolumes.Row> rows = new ArrayList<>();
        long left = Math.round(table.total() / factor);
        for (VolumeTable.Entry<K> entry : table.largest(ROWS_SHOWN)) {
            long bytes = Math.min(left, (long) (entry.amount() / factor)); // rounded down, so that the rest is none too small
            if (bytes > 0) {
                rows.add(new AllocationVolumes.Row(name.apply(entry.key()), bytes));
                left -= bytes;
            }
        }
        return new AllocationVolumes.Table(rows, left);
    }

    private static String text(Frame site) {
        return EventText.name(site.className() + "." + site.methodName() + (site.line() > 0 ? ":" + site.line() : "@" + site.bytecodeIndex()));
    }

    private double factor() {
        double halfLives = (ticker.nanos() - originNanos) / 1e9 / HALF_LIFE_SECONDS;
        if (halfLives > MAX_HALF_LIVES) {
            double scale = Math.pow(2, -halfLives);
            classes.scale(scale);
            sites.scale(scale);
            threads.scale(scale);
            originNanos = ticker.nanos();
            return 1;
        }
        return Math.pow(2, halfLives);
    }
}
