package com.acme.orders;

import java.util.ArrayList;
import java.util.List;

/** A program whose orders pile up in a local variable of one long-running method; a helper fills it. */
public final class OrderImport implements Runnable {
    private static final int PER_STEP = 20;
    private static final int MAX_ORDERS = 200_000;
    private static volatile Object last;

    private volatile boolean begun;
    private volatile boolean stopped;

    /** What piles up. */
    static final class Order {
        private final int number;

        Order(int number) {
            this.number = number;
        }
    }

    @Override
    public void run() {
        long sum = importOrders();
        if (sum < 0) {
            throw new IllegalStateException();
        }
    }

    /** From now on orders pile up. */
    public void begin() {
        begun = true;
    }

    public void stop() {
        stopped = true;
    }

    private long importOrders() {
        List<Order> imported = new ArrayList<>();
        while (!begun) {
            Thread.yield();
        }
        while (!stopped) {
            for (int i = 0; i < PER_STEP && imported.size() < MAX_ORDERS; i++) {
                take(imported);
            }
            last = new byte[10_000];
            Thread.yield();
            if (imported.size() == MAX_ORDERS) {
                // Not endless, so that a slow machine does not run out of memory: from here on they go at once.
                take(new ArrayList<>());
            }
        }
        long sum = 0;
        for (Order order : imported) {
            sum += order.number;
        }
        return sum;
    }

    private static void take(List<Order> into) {
        Order order = new Order(into.size());
        into.add(order);
    }
}
