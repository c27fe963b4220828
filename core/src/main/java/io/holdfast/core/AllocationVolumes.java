package io.holdfast.core;

import java.util.List;

/**
 * How much was allocated of late, by class, by allocation site and by thread. Estimates, from the weights of the JVM's own allocation sampler: right
 * within a quarter or so for small objects, off by up to five times for arrays of some hundred kilobytes. The same bytes are in all three tables.
 *
 * @param windowSeconds time over which the bytes were allocated, older ones counting less and less; bytes divided by it are a rate
 * @param samples       samples since the start; with few of them the estimates say little
 * @param classes       by class of the object, in the form of {@link ClassNames#of}
 * @param sites         by instruction, as {@link AllocationSite#toFrame} writes it, without source file
 * @param threads       by name of the allocating thread
 */
public record AllocationVolumes(double windowSeconds, long samples, Table classes, Table sites, Table threads) {
    /**
     * One table.
     *
     * @param rows       the largest, largest first
     * @param otherBytes what is not in a row of its own
     */
    public record Table(List<Row> rows, long otherBytes) {
        public Table {
            rows = List.copyOf(rows);
        }

        /** Bytes of all rows and the rest. */
        public long bytes() {
            return rows.stream().mapToLong(Row::bytes).sum() + otherBytes;
        }

        /** Bytes as a share of the table's, 0..1. */
        public double share(long bytes) {
            long all = bytes();
            return all <= 0 ? 0 : (double) bytes / all;
        }
    }

    /** Bytes of one class, site or thread. */
    public record Row(String name, long bytes) { }

    /** Estimated bytes a second in all. */
    public double bytesPerSecond() {
        return windowSeconds <= 0 ? 0 : classes.bytes() / windowSeconds;
    }
}
