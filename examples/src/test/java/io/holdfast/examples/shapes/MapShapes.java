package io.holdfast.examples.shapes;

import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** Maps, and lists inside them. */
final class MapShapes {
    private static final String P = "io.holdfast.examples.shapes.MapShapes$";

    private MapShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "static-concurrent-map",
                        100,
                        P + "Order " + P + "OrderEntry",
                        P + "OrderRegistry#byId",
                        OrderService::new),
                Shape.leak(
                        "skip-list-map",
                        100,
                        P + "Quote",
                        P + "QuoteBook#quotes",
                        QuoteService::new),
                Shape.leak(
                        "lists-in-map-grow",
                        100,
                        P + "Audit",
                        P + "AuditTrail#byUser",
                        AuditTrail::new),
                Shape.leak(
                        "map-of-lists-grows", 100, P + "Mail", P + "Outbox#byAddress", Outbox::new),
                Shape.leak(
                        "list-per-session",
                        150,
                        P + "Click",
                        P + "WebSession#clicks " + P + "WebSessions#live",
                        WebSessions::new),
                Shape.leak(
                        "enum-map-of-lists",
                        100,
                        P + "Alarm",
                        P + "Alarms#bySeverity",
                        Alarms::new),
                Shape.leak("array-of-lists", 100, P + "Tick", P + "Buckets#buckets", Buckets::new),
                Shape.leak(
                        "weak-map-values-hold-keys",
                        100,
                        P + "Meta " + P + "Doc",
                        P + "MetaCache#cache",
                        MetaCache::new),
                Shape.leak(
                        "soft-values-strong-keys",
                        150,
                        "java.lang.String byte[] java.lang.ref.SoftReference",
                        P + "SoftCache#cache",
                        SoftCache::new),
                Shape.leak(
                        "string-set",
                        150,
                        "java.lang.String byte[]",
                        P + "SeenUrls#seen",
                        SeenUrls::new),
                Shape.leak(
                        "boxed-map",
                        150,
                        "java.lang.Integer java.lang.Long java.util.HashMap$Node",
                        P + "Scores#scores",
                        Scores::new),
                Shape.leak(
                        "boxed-list", 150, "java.lang.Long", P + "Latencies#all", Latencies::new));
    }

    // ---- service > registry > entry > object
    static final class Order {
        final long id;
        final String customer;
        final byte[] pdf = new byte[400];

        Order(long id) {
            this.id = id;
            customer = "customer-" + id % 900;
        }
    }

    static final class OrderEntry {
        final Order order;
        final long at = System.currentTimeMillis();

        OrderEntry(Order o) {
            order = o;
        }
    }

    static final class OrderRegistry {
        final Map<String, OrderEntry> byId = new ConcurrentHashMap<>();
    }

    static final class OrderService implements Shape.Unit {
        final OrderRegistry registry = new OrderRegistry();

        public void run(long n) {
            Order o = new Order(n);
            registry.byId.put(UUID.randomUUID().toString(), new OrderEntry(o));
        }
    }

    static final class Quote {
        final double bid;
        final double ask;
        final String isin;

        Quote(double b, String i) {
            bid = b;
            ask = b + 1;
            isin = i;
        }
    }

    static final class QuoteBook {
        final ConcurrentSkipListMap<Long, Quote> quotes = new ConcurrentSkipListMap<>();
    }

    static final class QuoteService implements Shape.Unit {
        final QuoteBook book = new QuoteBook();

        public void run(long n) {
            book.quotes.put(System.nanoTime(), new Quote(n, "DE000" + n));
        }
    }

    static final class Audit {
        final String what;
        final byte[] detail = new byte[200];

        Audit(String w) {
            what = w;
        }
    }

    static final class AuditTrail implements Shape.Unit {
        final Map<String, List<Audit>> byUser = new HashMap<>();

        public void run(long n) {
            byUser.computeIfAbsent("user-" + n % 50, k -> new ArrayList<>())
                    .add(new Audit("login " + n));
        }
    }

    static final class Mail {
        final String subject;
        final byte[] body = new byte[300];

        Mail(String s) {
            subject = s;
        }
    }

    static final class Outbox implements Shape.Unit {
        final Map<String, List<Mail>> byAddress = new ConcurrentHashMap<>();

        public void run(long n) {
            List<Mail> l =
                    byAddress.computeIfAbsent(
                            UUID.randomUUID() + "@example.org", k -> new ArrayList<>());
            l.add(new Mail("hello " + n));
            l.add(new Mail("again " + n));
        }
    }

    static final class Click {
        final String page;
        final long at = System.nanoTime();

        Click(String p) {
            page = p;
        }
    }

    static final class WebSession {
        final String id;
        final List<Click> clicks = new ArrayList<>();

        WebSession(String i) {
            id = i;
        }
    }

    static final class WebSessions implements Shape.Unit {
        static final Map<String, WebSession> live = new ConcurrentHashMap<>();

        WebSessions() {
            for (int i = 0; i < 500; i++) {
                live.put("s" + i, new WebSession("s" + i));
            }
        }

        public void run(long n) {
            live.get("s" + (n * 7919 % 500)).clicks.add(new Click("/page/" + n));
        }
    }

    enum Severity {
        LOW,
        MEDIUM,
        HIGH,
        FATAL
    }

    static final class Alarm {
        final String text;
        final long[] context = new long[30];

        Alarm(String t) {
            text = t;
        }
    }

    static final class Alarms implements Shape.Unit {
        final EnumMap<Severity, List<Alarm>> bySeverity = new EnumMap<>(Severity.class);

        public void run(long n) {
            bySeverity
                    .computeIfAbsent(Severity.values()[(int) (n % 4)], k -> new ArrayList<>())
                    .add(new Alarm("alarm " + n));
        }
    }

    static final class Tick {
        final long at = System.nanoTime();
        final double value;
        final String symbol;

        Tick(double v) {
            value = v;
            symbol = "S" + (int) v;
        }
    }

    static final class Buckets implements Shape.Unit {
        @SuppressWarnings({"unchecked", "rawtypes"})
        final List<Tick>[] buckets = new List[64];

        Buckets() {
            for (int i = 0; i < 64; i++) {
                buckets[i] = new ArrayList<>();
            }
        }

        public void run(long n) {
            buckets[(int) (n % 64)].add(new Tick(n));
        }
    }

    static final class Doc {
        final byte[] text = new byte[300];
    }

    static final class Meta {
        final Doc of;
        final String title;

        Meta(Doc d, String t) {
            of = d;
            title = t;
        }
    }

    static final class MetaCache implements Shape.Unit {
        final Map<Doc, Meta> cache = new WeakHashMap<>();

        public void run(long n) {
            Doc d = new Doc();
            cache.put(d, new Meta(d, "title " + n));
        }
    }

    static final class SoftCache implements Shape.Unit {
        final Map<String, SoftReference<byte[]>> cache = new ConcurrentHashMap<>();

        public void run(long n) {
            cache.put(
                    "/images/" + UUID.randomUUID() + "/thumbnail.png",
                    new SoftReference<>(new byte[2000]));
        }
    }

    static final class SeenUrls implements Shape.Unit {
        static final Set<String> seen = new HashSet<>();

        public void run(long n) {
            seen.add("http://crawler.example/" + UUID.randomUUID());
        }
    }

    static final class Scores implements Shape.Unit {
        static final Map<Integer, Long> scores = new HashMap<>();

        public void run(long n) {
            scores.put((int) (n * 31 + 1000), n * 100000L);
        }
    }

    static final class Latencies implements Shape.Unit {
        static final List<Long> all = new ArrayList<>();

        public void run(long n) {
            for (int i = 0; i < 4; i++) {
                all.add(System.nanoTime() + i);
            }
        }
    }
}
