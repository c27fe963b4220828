package io.holdfast.examples.shapes;

import java.lang.management.ManagementFactory;
import java.lang.ref.Cleaner;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

import javax.management.ObjectName;

/** Thread-locals and registries of the JDK. */
final class ThreadShapes {
    private static final String P = "io.holdfast.examples.shapes.ThreadShapes$";

    private ThreadShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "thread-local-per-instance",
                        60,
                        P + "Parser " + P + "ParserState java.lang.ThreadLocal*",
                        "java.lang.Thread#threadLocals java.lang.ThreadLocal$ThreadLocalMap#table",
                        Parsers::new),
                Shape.leak(
                        "thread-local-list",
                        100,
                        P + "Statement",
                        "java.lang.Thread#threadLocals"
                            + " java.lang.ThreadLocal$ThreadLocalMap$Entry#value",
                        Statements::new),
                Shape.leak(
                        "inheritable-thread-local-map",
                        60,
                        P + "Tag java.util.HashMap$Node",
                        "java.lang.Thread#inheritableThreadLocals"
                            + " java.lang.ThreadLocal$ThreadLocalMap$Entry#value",
                        Tags::new),
                Shape.leak(
                        "mbeans",
                        30,
                        P
                                + "Stats com.sun.jmx.mbeanserver.NamedObject"
                                + " com.sun.jmx.mbeanserver.StandardMBeanSupport"
                                + " javax.management.ObjectName",
                        "com.sun.jmx.mbeanserver.Repository#domainTb",
                        MBeans::new),
                Shape.leak(
                        "cleaner-captures-object",
                        60,
                        P
                                + "Handle jdk.internal.ref.CleanerImpl$PhantomCleanableRef "
                                + P
                                + "Handle$$Lambda*",
                        "jdk.internal.ref.CleanerImpl#phantomCleanableList"
                            + " jdk.internal.ref.CleanerImpl$PhantomCleanableRef#action"
                            + " jdk.internal.ref.CleanerImpl$CleanableList#head",
                        Handles::new),
                Shape.leak(
                        "slow-finalizer",
                        100,
                        P + "Slow java.lang.ref.Finalizer",
                        "java.lang.ref.Finalizer#queue java.lang.ref.ReferenceQueue#head"
                            + " java.lang.ref.Finalizer#unfinalized",
                        Slows::new),
                Shape.leak(
                        "direct-buffers",
                        50,
                        "java.nio.DirectByteBuffer jdk.internal.ref.Cleaner"
                            + " java.nio.DirectByteBuffer$Deallocator "
                                + P
                                + "Frame",
                        P + "Video#frames",
                        Video::new),
                Shape.leak(
                        "shutdown-hooks",
                        30,
                        P + "Hook",
                        "java.lang.ApplicationShutdownHooks#hooks",
                        Hooks::new),
                Shape.leak(
                        "lambdas-in-list",
                        100,
                        P + "Order " + P + "Callbacks$$Lambda*",
                        P + "Callbacks#onExit",
                        Callbacks::new),
                Shape.leak(
                        "records-in-linked-map", 100, P + "Point", P + "Route#points", Route::new),
                Shape.leak(
                        "inner-class-captures-outer",
                        60,
                        P + "Dialog " + P + "Dialog$1",
                        P + "Bus#subscribers",
                        Dialogs::new),
                Shape.leak(
                        "bean-proxies",
                        60,
                        "*Proxy* " + P + "Invoker",
                        P + "Remotes#byName",
                        Remotes::new),
                Shape.leak(
                        "delete-on-exit",
                        50,
                        "java.lang.String byte[] java.util.LinkedHashMap$Entry"
                            + " java.util.HashMap$Node",
                        "java.io.DeleteOnExitHook#files",
                        DeleteOnExit::new));
    }

    static final class ParserState {
        final ThreadLocal<ParserState> mine;
        final byte[] b = new byte[400];

        ParserState(ThreadLocal<ParserState> m) {
            mine = m;
        }
    }

    static final class Parser {
        final ThreadLocal<ParserState> state = new ThreadLocal<>();

        void parse() {
            state.set(new ParserState(state));
        }
    }

    static ExecutorService pool(int n, String name) {
        return Executors.newFixedThreadPool(
                n,
                r -> {
                    Thread t = new Thread(r, name);
                    t.setDaemon(true);
                    return t;
                });
    }

    static final class Parsers implements Shape.Unit {
        final ExecutorService pool = pool(4, "parser");

        public void run(long n) {
            pool.execute(() -> new Parser().parse());
        }
    }

    static final class Statement {
        final String sql;
        final byte[] b = new byte[200];

        Statement(String s) {
            sql = s;
        }
    }

    static final class Statements implements Shape.Unit {
        static final ThreadLocal<List<Statement>> OPEN = ThreadLocal.withInitial(ArrayList::new);
        final ExecutorService pool = pool(4, "db");

        public void run(long n) {
            pool.execute(() -> OPEN.get().add(new Statement("select " + n)));
        }
    }

    static final class Tag {
        final String v;
        final byte[] b = new byte[100];

        Tag(String v) {
            this.v = v;
        }
    }

    static final class Tags implements Shape.Unit {
        static final InheritableThreadLocal<Map<String, Tag>> MDC = new InheritableThreadLocal<>();

        public void run(long n) {
            Map<String, Tag> m = MDC.get();
            if (m == null) {
                MDC.set(m = new HashMap<>());
            }
            m.put("request-" + n, new Tag("t" + n));
        }
    }

    public interface StatsMBean {
        long getCount();
    }

    public static final class Stats implements StatsMBean {
        final byte[] b = new byte[300];

        public long getCount() {
            return b[0];
        }
    }

    static final class MBeans implements Shape.Unit {
        public void run(long n) throws Exception {
            ManagementFactory.getPlatformMBeanServer()
                    .registerMBean(new Stats(), new ObjectName("shop:type=Stats,id=" + n));
        }
    }

    static final class Handle {
        static final Cleaner CLEANER = Cleaner.create();
        final byte[] b = new byte[400];
        final Cleaner.Cleanable cleanable = CLEANER.register(this, () -> b[0]++);
    }

    static final class Handles implements Shape.Unit {
        public void run(long n) {
            new Handle();
        }
    }

    @SuppressWarnings({"deprecation", "removal"})
    static final class Slow {
        final byte[] b = new byte[2000];

        @Override
        protected void finalize() {
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
            }
        }
    }

    static final class Slows implements Shape.Unit {
        public void run(long n) {
            new Slow();
        }
    }

    static final class Frame {
        final ByteBuffer pixels = ByteBuffer.allocateDirect(4096);
        final long n;

        Frame(long n) {
            this.n = n;
        }
    }

    static final class Video implements Shape.Unit {
        final List<Frame> frames = new ArrayList<>();

        public void run(long n) {
            frames.add(new Frame(n));
        }
    }

    static final class Hook extends Thread {
        final byte[] b = new byte[300];

        @Override
        public void run() {
            b[0]++;
        }
    }

    static final class Hooks implements Shape.Unit {
        public void run(long n) {
            Runtime.getRuntime().addShutdownHook(new Hook());
        }
    }

    static final class Order {
        final byte[] b = new byte[300];
    }

    static final class Callbacks implements Shape.Unit {
        static final List<Runnable> onExit = new ArrayList<>();

        public void run(long n) {
            Order o = new Order();
            onExit.add(() -> o.b[0]++);
        }
    }

    record Point(double lat, double lon, String name) {}

    static final class Route implements Shape.Unit {
        final Map<Long, Point> points = new LinkedHashMap<>();

        public void run(long n) {
            points.put(n, new Point(n, n, "p" + n));
        }
    }

    static final class Bus {
        static final Map<Object, Runnable> subscribers = new ConcurrentHashMap<>();
    }

    static final class Dialog {
        final byte[] b = new byte[500];

        void open(long n) {
            Bus.subscribers.put(
                    "topic" + n,
                    new Runnable() {
                        @Override
                        public void run() {
                            b[0]++;
                        }
                    });
        }
    }

    static final class Dialogs implements Shape.Unit {
        public void run(long n) {
            new Dialog().open(n);
        }
    }

    interface Remote {
        void call();
    }

    static final class Invoker implements java.lang.reflect.InvocationHandler {
        final byte[] b = new byte[200];

        public Object invoke(Object p, java.lang.reflect.Method m, Object[] a) {
            return null;
        }
    }

    static final class Remotes implements Shape.Unit {
        static final Map<String, Remote> byName = new HashMap<>();

        public void run(long n) {
            byName.put(
                    "remote" + n,
                    (Remote)
                            Proxy.newProxyInstance(
                                    Remote.class.getClassLoader(),
                                    new Class<?>[] {Remote.class},
                                    new Invoker()));
        }
    }

    static final class DeleteOnExit implements Shape.Unit {
        public void run(long n) {
            new java.io.File("does-not-exist-" + n).deleteOnExit();
        }
    }
}
