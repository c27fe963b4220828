package io.holdfast.jfr;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/*
 * Few of many
 *
 * A program may have any number of sites and threads; so many have a row of their own as there is room for. A key that comes to a full table takes the
 * place of the smallest row (of equals the oldest), whose amount goes to the rest, so nothing is lost, only its name. What allocates much comes again
 * before it has become the smallest; what never does was not worth a row. An amount may be too small by what its key had before it was turned out,
 * never too large.
 */
/**
 * Amounts by key with a bounded number of rows. Not thread-safe.
 *
 * @param <K> key; compared by {@code equals}
 */
final class VolumeTable<K> {
    private final int capacity;
    private final Map<K, Cell> cells = new LinkedHashMap<>();
    private double other;

    VolumeTable(int capacity) {
        this.capacity = capacity;
    }

    /** Allocates nothing for a key that has a row. */
    void add(K key, double amount) {
        Cell cell = cells.get(key);
        if (cell == null) {
            if (cells.size() >= capacity) {
                turnOutSmallest();
            }
            cell = new Cell();
            cells.put(key, cell);
        }
        cell.amount += amount;
    }

    /** Adds to what has no row. */
    void addOther(double amount) {
        other += amount;
    }

    private void turnOutSmallest() {
        K smallest = null;
        double least = Double.POSITIVE_INFINITY;
        for (Map.Entry<K, Cell> entry : cells.entrySet()) {
            if (entry.getValue().amount < least) {
                least = entry.getValue().amount;
                smallest = entry.getKey();
            }
        }
        other += cells.remove(smallest).amount;
    }

    /** Multiplies all amounts. */
    void scale(double factor) {
        cells.values().forEach(cell -> cell.amount *= factor);
        other *= factor;
    }

    int size() {
        return cells.size();
    }

    /** The largest rows, largest first, of equals the older one. */
    List<Entry<K>> largest(int most) {
        List<Entry<K>> all = new ArrayList<>(cells.size());
        cells.forEach((key, cell) -> all.add(new Entry<>(key, cell.amount)));
        all.sort(Comparator.comparingDouble((Entry<K> entry) -> entry.amount).reversed());
        return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }

    /** All amounts together, those without a row included. */
    double total() {
        double sum = other;
        for (Cell cell : cells.values()) {
            sum += cell.amount;
        }
        return sum;
    }

    /** A key and its amount. */
    record Entry<K>(K key, double amount) { }

    private static final class Cell {
        private double amount;
    }
}
