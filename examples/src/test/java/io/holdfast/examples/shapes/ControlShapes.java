package io.holdfast.examples.shapes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Programs that only look as if they leaked. */
final class ControlShapes {
    private ControlShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.control("control-lru-fills-slowly", 500, Lru::new),
                Shape.control("control-session-ttl-30s", 150, Ttl::new),
                Shape.control("control-batch-20s", 200, Batch::new),
                Shape.control("control-sawtooth-40s", 200, Saw::new),
                Shape.control("control-cache-fills-90s", 200, Slow::new),
                Shape.control("control-interning", 200, Intern::new),
                Shape.control("control-reservoirs", 60, Reservoirs::new),
                Shape.control("control-oldest-goes", 200, OldestGoes::new),
                Shape.control("control-registry-plateau-50s", 200, Plateau::new),
                Shape.control("control-pool-warming", 50, Pool::new),
                Shape.control("control-log-buffer", 500, Ring::new),
                Shape.control("control-class-warm-up", 250, Warm::new),
                Shape.control("control-garbage", 1, Garbage::new));
    }

    static final class Item {
        final byte[] b = new byte[200];
        final long at = System.nanoTime();
    }

    static final class Lru implements Shape.Unit {
        static final Map<Long, Item> cache =
                new LinkedHashMap<>(64, 0.75f, true) {
                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Long, Item> e) {
                        return size() > 20_000;
                    }
                };

        public void run(long n) {
            cache.put(n, new Item());
        }
    }

    static final class Ttl implements Shape.Unit {
        static final Map<Long, Item> live = new ConcurrentHashMap<>();

        public void run(long n) {
            live.put(n, new Item());
            if (n % 150 == 0) {
                long now = System.nanoTime();
                live.values().removeIf(i -> now - i.at > 30_000_000_000L);
            }
        }
    }

    static final class Batch implements Shape.Unit {
        static final List<Item> batch = new ArrayList<>();

        public void run(long n) {
            batch.add(new Item());
            if (batch.size() >= 4000) {
                batch.clear();
            }
        }
    }

    static final class Saw implements Shape.Unit {
        static final ArrayDeque<Item> q = new ArrayDeque<>();

        public void run(long n) {
            q.add(new Item());
            if (q.size() >= 8000) {
                q.clear();
            }
        }
    }

    static final class Slow implements Shape.Unit {
        static final Map<Long, Item> cache = new ConcurrentHashMap<>();

        public void run(long n) {
            long k = n % 18_000;
            cache.computeIfAbsent(k, x -> new Item());
        }
    }

    /** Keeps some of the values, chosen by chance; the map does not know how many, what holds it does. */
    static final class Reservoir {
        final ConcurrentSkipListMap<Double, Item> values = new ConcurrentSkipListMap<>();
        final int reservoirSize;

        Reservoir(int reservoirSize) {
            this.reservoirSize = reservoirSize;
        }

        void update(Random random) {
            values.put(random.nextDouble(), new Item());
            if (values.size() > reservoirSize) {
                values.pollFirstEntry();
            }
        }
    }

    static final class Reservoirs implements Shape.Unit {
        static final Map<String, Reservoir> timers = new ConcurrentHashMap<>();
        final Random random = new Random(1);

        public void run(long n) {
            for (String name : List.of("read", "write", "commit")) {
                timers.computeIfAbsent(name, key -> new Reservoir(2_000)).update(random);
            }
        }
    }

    /** A cache as most people write it: the oldest goes when it is full, and a constant says when that is. */
    static final class OldestGoes implements Shape.Unit {
        private static final int MAX_ENTRIES = 18_000;
        static final Map<Long, Item> cache = new LinkedHashMap<>();

        public void run(long n) {
            cache.put(n, new Item());
            if (cache.size() > MAX_ENTRIES) {
                cache.remove(cache.keySet().iterator().next());
            }
        }
    }

    static final class Intern implements Shape.Unit {
        static final Map<String, String> canon = new HashMap<>();

        public void run(long n) {
            String s = "symbol-" + (n * 7919 % 5000);
            canon.putIfAbsent(s, s);
            ("x" + n % 3000).intern();
        }
    }

    static final class Plateau implements Shape.Unit {
        static final Map<String, Item> meters = new ConcurrentHashMap<>();

        public void run(long n) {
            meters.computeIfAbsent("meter-" + n % 10_000, k -> new Item());
        }
    }

    static final class Conn {
        final Item buffer = new Item();
        boolean busy;
    }

    static final class Pool implements Shape.Unit {
        static final List<Conn> idle = new ArrayList<>();

        public void run(long n) {
            if (idle.size() < 1500) {
                idle.add(new Conn());
            }
            Conn c = idle.remove(0);
            c.busy = true;
            idle.add(c);
        }
    }

    static final class Ring implements Shape.Unit {
        static final Item[] ring = new Item[25_000];

        public void run(long n) {
            ring[(int) (n % ring.length)] = new Item();
        }
    }

    static final class Warm implements Shape.Unit {
        static final List<Class<?>> loaded = new ArrayList<>();
        final byte[] code;

        Warm() {
            try {
                code = LoaderShapes.bytes("io.holdfast.examples.shapes.LoaderShapes$Template");
            } catch (ClassNotFoundException e) {
                throw new IllegalStateException(e);
            }
        }

        public void run(long n) throws Exception {
            if (loaded.size() < 5000) {
                loaded.add(
                        new ClassLoader(null) {
                            Class<?> d() {
                                byte[] b = code;
                                return defineClass(
                                        "io.holdfast.examples.shapes.LoaderShapes$Template",
                                        b,
                                        0,
                                        b.length);
                            }

                            @Override
                            protected Class<?> findClass(String name)
                                    throws ClassNotFoundException {
                                return ControlShapes.class.getClassLoader().loadClass(name);
                            }
                        }.d());
            }
        }
    }

    static final class Garbage implements Shape.Unit {
        static volatile Object sink;

        Garbage() {
            for (int i = 0; i < 2; i++) {
                Thread t =
                        new Thread(
                                () -> {
                                    while (true) {
                                        byte[][] x = new byte[64][];
                                        for (int j = 0; j < 64; j++) {
                                            x[j] = new byte[400];
                                        }
                                        sink = x;
                                    }
                                },
                                "garbage-" + i);
                t.setDaemon(true);
                t.start();
            }
        }

        public void run(long n) {}
    }
}
