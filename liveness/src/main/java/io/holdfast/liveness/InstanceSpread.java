package io.holdfast.liveness;

import java.util.Arrays;
import java.util.function.IntToLongFunction;

/** Picks a few rows spread evenly over the cohorts, the oldest and the newest cohort always among them. */
final class InstanceSpread {
    private InstanceSpread() { }

    /**
     * @param rows    rows in the order of their cohorts
     * @param count   how many of them count
     * @param cohort  cohort of a row
     * @param max     rows wanted, at least 2
     * @return at most {@code max} of the rows, in their order
     */
    static int[] pick(int[] rows, int count, IntToLongFunction cohort, int max) {
        int[] starts = starts(rows, count, cohort);
        int cohorts = starts.length - 1;
        int[] quota = new int[cohorts];
        int left = Math.min(max, count);
        while (left > 0) {
            left -= handOut(quota, starts, left);
        }
        int[] picked = new int[Math.min(max, count)];
        int at = 0;
        for (int c = 0; c < cohorts; c++) {
            int size = starts[c + 1] - starts[c];
            for (int i = 0; i < quota[c]; i++) {
                picked[at++] = rows[starts[c] + (int) ((long) i * size / quota[c])];
            }
        }
        return picked;
    }

    /** One more row for each cohort that has one, or for cohorts evenly spread when there are more than places. Returns how many. */
    private static int handOut(int[] quota, int[] starts, int places) {
        int[] open = new int[quota.length];
        int count = 0;
        for (int c = 0; c < quota.length; c++) {
            if (quota[c] < starts[c + 1] - starts[c]) {
                open[count++] = c;
            }
        }
        if (count <= places) {
            for (int i = 0; i < count; i++) {
                quota[open[i]]++;
            }
            return count;
        }
        if (places == 1) {
            quota[open[count - 1]]++;
            return 1;
        }
        for (int i = 0; i < places; i++) {
            quota[open[(int) ((long) i * (count - 1) / (places - 1))]]++;
        }
        return places;
    }

    private static int[] starts(int[] rows, int count, IntToLongFunction cohort) {
        int[] starts = new int[count + 1];
        int cohorts = 0;
        for (int i = 0; i < count; i++) {
            if (i == 0 || cohort.applyAsLong(rows[i]) != cohort.applyAsLong(rows[i - 1])) {
                starts[cohorts++] = i;
            }
        }
        starts[cohorts] = count;
        return Arrays.copyOf(starts, cohorts + 1);
    }
}
