package io.holdfast.examples.cost;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.SynchronousQueue;

/** What becomes of the orders of {@link CpuShareMain}. */
enum Cases {
    /** Nothing leaks. */
    HEALTHY {
        @Override
        void keep(Order order) {
            // for a moment only
        }
    },
    /** A list in a static field, which Holdfast finds. */
    EXPLAINED {
        @Override
        void keep(Order order) {
            synchronized (Ledger.ORDERS) {
                Ledger.ORDERS.add(order);
            }
        }
    },
    /** A list in a local variable of another thread, which Holdfast cannot see: the candidate never gets a chain. */
    UNREACHABLE {
        private final SynchronousQueue<Order> handedOver = new SynchronousQueue<>();

        @Override
        void begin() {
            Thread keeper = new Thread(this::collect, "keeper");
            keeper.setDaemon(true);
            keeper.start();
        }

        private void collect() {
            List<Order> orders = new ArrayList<>();
            try {
                while (orders.size() < Integer.MAX_VALUE) {
                    orders.add(handedOver.take());
                }
            } catch (InterruptedException e) {
                System.out.println(orders.size() + " orders kept");
            }
        }

        @Override
        void keep(Order order) throws InterruptedException {
            handedOver.put(order);
        }
    };

    void begin() { }

    abstract void keep(Order order) throws InterruptedException;

    /** What leaks. */
    static final class Order {
        private final String customer;
        private final byte[] content;

        Order(String customer, int bytes) {
            this.customer = customer;
            this.content = new byte[bytes];
        }

        int weight() {
            return customer.length() + content.length;
        }
    }

    private static final class Ledger {
        static final List<Order> ORDERS = new ArrayList<>();
    }

    /** One thread's work: a hundred orders a second, about 20 MB/s of garbage, and an honest queue of the newest hundred. */
    void work(int worker, long endNanos) throws InterruptedException {
        Random random = new Random(worker);
        Deque<Order> open = new ArrayDeque<>();
        int weight = 0;
        while (System.nanoTime() < endNanos) {
            Order order = new Order("customer-" + random.nextInt(1_000), 200 + random.nextInt(400));
            keep(order);
            open.addLast(order);
            if (open.size() > 100) {
                weight += open.removeFirst().weight();
            }
            for (int page = 0; page < 60; page++) {
                weight += render(random).length();
            }
            Thread.sleep(10);
        }
        System.out.println("worker " + worker + " weighed " + weight);
    }

    private static String render(Random random) {
        StringBuilder text = new StringBuilder();
        for (int line = 0; line < 60; line++) {
            text.append("<p>").append(Long.toHexString(random.nextLong())).append("</p>");
        }
        return text.toString();
    }
}
