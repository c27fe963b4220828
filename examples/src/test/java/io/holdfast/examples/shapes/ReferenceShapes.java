package io.holdfast.examples.shapes;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;

/** References that are never purged, and places that are easily overlooked. */
final class ReferenceShapes {
    private static final String P = "io.holdfast.examples.shapes.ReferenceShapes$";

    private ReferenceShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "weak-entries-never-purged",
                        100,
                        P + "Entry",
                        P + "WeakTable#table",
                        WeakTable::new),
                Shape.leak("phantom-set", 100, P + "Tracker", P + "Trackers#live", Trackers::new),
                Shape.leak(
                        "class-value",
                        60,
                        P + "Plugin " + P + "PluginValue java.lang.ClassValue$Entry",
                        "java.lang.Class#classValueMap",
                        ClassValues::new),
                Shape.leak(
                        "future-timeouts",
                        100,
                        "java.util.concurrent.CompletableFuture*"
                            + " java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask",
                        "java.util.concurrent.ThreadPoolExecutor#workQueue"
                            + " java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue#queue",
                        Timeouts::new),
                Shape.leak("rare-large", 1, P + "Image", P + "Images#all", Images::new),
                Shape.leak("primitive-array-grows", 2000, "long[]", P + "Ids#ids", Ids::new),
                Shape.leak(
                        "suppressed-exceptions",
                        60,
                        P
                                + "Failure java.lang.Exception java.lang.Object[]"
                                + " java.lang.StackTraceElement*",
                        "java.lang.Throwable#suppressedExceptions",
                        Failures::new),
                Shape.leak(
                        "sharded-maps",
                        100,
                        P + "Entity",
                        P + "Shard#map " + P + "Sharded#shards",
                        Sharded::new),
                Shape.leak(
                        "thread-local-list-of-fifty-threads",
                        100,
                        P + "Span",
                        "java.lang.Thread#threadLocals"
                            + " java.lang.ThreadLocal$ThreadLocalMap$Entry#value",
                        Spans::new),
                Shape.leak(
                        "wrapped-again-and-again",
                        60,
                        P + "Wrapper " + P + "Delegate",
                        P + "Wrapped#current",
                        Wrapped::new),
                Shape.leak(
                        "field-in-object-of-a-large-list",
                        100,
                        P + "Note",
                        P + "Customer#notes",
                        Customers::new));
    }

    static final class Key {
        final byte[] b = new byte[100];
    }

    static final class Entry extends WeakReference<Key> {
        final byte[] value = new byte[200];

        Entry(Key k) {
            super(k);
        }
    }

    static final class WeakTable implements Shape.Unit {
        final Map<Integer, Entry> table = new HashMap<>();

        public void run(long n) {
            table.put((int) n, new Entry(new Key()));
        }
    }

    static final class Tracker extends PhantomReference<Key> {
        final String what;
        final byte[] b = new byte[150];

        Tracker(Key k, ReferenceQueue<Key> q, String w) {
            super(k, q);
            what = w;
        }
    }

    static final class Trackers implements Shape.Unit {
        final ReferenceQueue<Key> queue = new ReferenceQueue<>();
        final Set<Tracker> live = ConcurrentHashMap.newKeySet();

        public void run(long n) {
            live.add(new Tracker(new Key(), queue, "resource " + n));
        }
    }

    static final class PluginValue extends ClassValue<Plugin> {
        @Override
        protected Plugin computeValue(Class<?> type) {
            return new Plugin(this);
        }
    }

    static final class Plugin {
        final PluginValue of;
        final byte[] b = new byte[300];

        Plugin(PluginValue of) {
            this.of = of;
        }
    }

    static final class ClassValues implements Shape.Unit {
        public void run(long n) {
            new PluginValue().get(ReferenceShapes.class);
        }
    }

    static final class Timeouts implements Shape.Unit {
        public void run(long n) {
            byte[] b = new byte[200];
            new CompletableFuture<Object>().orTimeout(1, TimeUnit.HOURS).thenRun(() -> b[0]++);
        }
    }

    static final class Image {
        final byte[] pixels = new byte[200_000];
        final String name;

        Image(long n) {
            name = "image" + n;
        }
    }

    static final class Images implements Shape.Unit {
        final Map<String, Image> all = new ConcurrentHashMap<>();

        public void run(long n) {
            Image i = new Image(n);
            all.put(i.name, i);
        }
    }

    static final class Ids implements Shape.Unit {
        long[] ids = new long[16];
        int size;

        public void run(long n) {
            if (size == ids.length) {
                ids = Arrays.copyOf(ids, size * 3 / 2);
            }
            ids[size++] = n;
        }
    }

    static final class Failure extends Exception {
        private static final long serialVersionUID = 1;
        final transient byte[] b = new byte[200];

        Failure(String m) {
            super(m);
        }
    }

    static final class Failures implements Shape.Unit {
        final Exception shared = new Exception("shared");

        public void run(long n) {
            shared.addSuppressed(new Failure("failure " + n));
        }
    }

    static final class Entity {
        final byte[] b = new byte[200];
    }

    static final class Shard {
        final Map<Long, Entity> map = new HashMap<>();
    }

    static final class Sharded implements Shape.Unit {
        final Shard[] shards = new Shard[64];

        Sharded() {
            for (int i = 0; i < 64; i++) {
                shards[i] = new Shard();
            }
        }

        public void run(long n) {
            Shard s = shards[(int) (n * 31 % 64)];
            s.map.put(n, new Entity());
        }
    }

    static final class Span {
        final byte[] b = new byte[200];
    }

    static final class Spans implements Shape.Unit {
        static final ThreadLocal<List<Span>> OPEN = ThreadLocal.withInitial(ArrayList::new);
        final ExecutorService pool = ThreadShapes.pool(50, "worker");

        public void run(long n) {
            pool.execute(() -> OPEN.get().add(new Span()));
        }
    }

    interface Source {
        int next();
    }

    static final class Delegate {
        final Source inner;
        final byte[] b = new byte[100];

        Delegate(Source s) {
            inner = s;
        }
    }

    static final class Wrapper implements Source {
        final Delegate delegate;

        Wrapper(Source s) {
            delegate = new Delegate(s);
        }

        public int next() {
            return 1;
        }
    }

    static final class Wrapped implements Shape.Unit {
        Source current;

        public void run(long n) {
            current = new Wrapper(current);
        }
    }

    static final class Note {
        final byte[] b = new byte[200];
    }

    static final class Customer {
        final String name;
        final List<Note> notes = new ArrayList<>();

        Customer(int i) {
            name = "c" + i;
        }
    }

    static final class Customers implements Shape.Unit {
        final List<Customer> all = new ArrayList<>();

        Customers() {
            for (int i = 0; i < 3000; i++) {
                all.add(new Customer(i));
            }
        }

        public void run(long n) {
            all.get((int) (n * 7919 % 3000)).notes.add(new Note());
        }
    }
}
