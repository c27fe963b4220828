package io.holdfast.refchains;

import java.util.HashMap;
import java.util.Map;

/**
 * How large populations were when walks came by: elements of a container, instances of a class. Numbers only, so nothing is kept alive; each is known by a
 * number of its own. Of two with equal numbers the size seems to go up and down, and they do not count as growing.
 *
 * <p>At most {@value #MAX_POPULATIONS} populations at 130 bytes: half a megabyte. Not thread-safe.
 */
final class PopulationSizes {
    static final int MAX_POPULATIONS = 4_096;
    /** Smaller ones are not noted. */
    static final int MIN_SIZE = 32;
    /** Looks that must have found more than the look before. */
    static final int MIN_RISES = 2;
    /** Objects gained over those looks. */
    static final int MIN_GAINED = 32;
    /** And at least one for so many that are there: what a program loads and links while it warms up comes on top of thousands of the like. */
    static final int SIZE_PER_GAINED = 32;
    /** Time between the first of them and the last. */
    static final long MIN_SPAN_NANOS = 6_000_000_000L;
    /** Looks in a row that found as many as before, after which it has stopped growing. */
    static final int MAX_LEVEL_LOOKS = 3;
    /** Searches in a row that did not come by, after which it is forgotten. */
    static final int FORGOTTEN_AFTER = 8;

    private final Map<Long, Growth> populations = new HashMap<>();
    private long search;
    /** Whether this search has found nothing to forget: to look again for each population met would cost more than the walk. */
    private boolean full;

    /** One population since it was met, or since it last became smaller or stood still. */
    static final class Growth {
        private int firstSize;
        private int size;
        private long firstNanos;
        private long nanos;
        private int rises;
        private int levelLooks;
        private long search;

        private void begin(int count, long nowNanos) {
            firstSize = count;
            size = count;
            firstNanos = nowNanos;
            nanos = nowNanos;
            rises = 0;
            levelLooks = 0;
        }

        private void look(int count, long nowNanos) {
            if (count < size || count == size && levelLooks + 1 >= MAX_LEVEL_LOOKS) {
                begin(count, nowNanos);
                return;
            }
            rises += count > size ? 1 : 0;
            levelLooks = count > size ? 0 : levelLooks + 1;
            size = count;
            nanos = nowNanos;
        }

        /** Whether it was larger at each look but few than at the look before, for long enough and by enough. */
        boolean growing() {
            return rises >= MIN_RISES && gained() >= Math.max(MIN_GAINED, size / SIZE_PER_GAINED) && nanos - firstNanos >= MIN_SPAN_NANOS;
        }

        int size() {
            return size;
        }

        /** Objects gained since it began to grow. */
        int gained() {
            return size - firstSize;
        }

        /** Mean rate since it began to grow, in objects an hour. */
        double perHour() {
            return gained() * 3.6e12 / Math.max(1, nanos - firstNanos);
        }

        /** Looks since it began to grow that found it larger. */
        int rises() {
            return rises;
        }
    }

    /** A search begins, which may note each population once. */
    void nextSearch() {
        search++;
        full = false;
    }

    int size() {
        return populations.size();
    }

    /** Notes a size. Returns what is known of the population, null if nothing is: it is new and small, or too many are known. */
    Growth note(long key, int size, long nowNanos) {
        Growth known = populations.get(key);
        if (known != null) {
            known.look(size, nowNanos);
        } else if (size >= MIN_SIZE && (populations.size() < MAX_POPULATIONS || forget())) {
            known = new Growth();
            known.begin(size, nowNanos);
            populations.put(key, known);
        }
        if (known != null) {
            known.search = search;
        }
        return known;
    }

    /** Returns whether there is room again. */
    private boolean forget() {
        if (!full) {
            populations.values().removeIf(known -> search - known.search > FORGOTTEN_AFTER);
            full = populations.size() >= MAX_POPULATIONS;
        }
        return !full;
    }

    void clear() {
        full = false;
        populations.clear();
    }
}
