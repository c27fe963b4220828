package io.holdfast.examples.shapes;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Slow, fast, large, hidden: the same leak under other circumstances. */
final class RateShapes {
    private static final String P = "io.holdfast.examples.shapes.RateShapes$";

    private RateShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak("slow-five-a-second", 5, P + "Report", P + "Reports#kept", Reports::new),
                Shape.leak(
                        "fast-two-thousand-a-second", 2000, P + "Hit", P + "Hits#log", Hits::new),
                Shape.leak(
                        "among-two-million",
                        100,
                        1024,
                        P + "Member",
                        P + "Club#members",
                        Club::new),
                Shape.leak("in-bursts", 100, P + "Row", P + "Import#rows", Import::new),
                Shape.leak(
                        "only-jdk-allocations",
                        150,
                        "java.lang.Integer java.util.HashMap$Node java.util.TreeMap$Entry",
                        P + "Counts#counts",
                        Counts::new),
                Shape.leak(
                        "large-arrays",
                        30,
                        768,
                        "long[] " + P + "Matrix",
                        P + "Matrices#all",
                        Matrices::new),
                Shape.leak("double-chunks", 60, "double[]", P + "Series#chunks", Series::new),
                Shape.leak(
                        "string-builder",
                        150,
                        "java.lang.StringBuilder byte[]",
                        P + "Trace#text",
                        Trace::new),
                Shape.leak(
                        "two-leaks",
                        100,
                        P + "Left " + P + "Right",
                        P + "Both#left " + P + "Both#right",
                        Both::new),
                Shape.leak("deep-nesting", 100, P + "Leaf", P + "D5#leaves", D1::new),
                Shape.leak(
                        "singleton-holder-enum", 100, P + "Rec", P + "Store#records", Stores::new),
                Shape.leak(
                        "static-synchronized-list", 100, P + "Conn", P + "Conns#open", Conns::new),
                Shape.leak("held-by-stack-local", 100, P + "Work", "*", Looper::new),
                Shape.leak("partly-removed", 100, P + "Job", P + "Jobs#running", Jobs::new));
    }

    static final class Report {
        final byte[] b = new byte[4096];
        final String name;

        Report(String n) {
            name = n;
        }
    }

    static final class Reports implements Shape.Unit {
        static final Map<String, Report> kept = new ConcurrentHashMap<>();

        public void run(long n) {
            kept.put("r" + n, new Report("r" + n));
        }
    }

    static final class Hit {
        final long at = System.nanoTime();
        final int status = 200;
    }

    static final class Hits implements Shape.Unit {
        static final List<Hit> log = new ArrayList<>();

        public void run(long n) {
            log.add(new Hit());
        }
    }

    static final class Member {
        final byte[] b = new byte[100];
        final long n;

        Member(long n) {
            this.n = n;
        }
    }

    static final class Fixed {
        final long a;
        Object next;

        Fixed(long a) {
            this.a = a;
        }
    }

    static final class Club implements Shape.Unit {
        final Map<Long, Fixed> table = new HashMap<>();
        final Object[] flat = new Object[1_000_000];
        final List<Member> members = new ArrayList<>();

        Club() {
            for (int i = 0; i < 1_000_000; i++) {
                flat[i] = new Fixed(i);
                if (i < 350_000) {
                    table.put((long) i, new Fixed(i));
                }
            }
        }

        public void run(long n) {
            members.add(new Member(n));
        }
    }

    static final class Row {
        final byte[] b = new byte[150];
    }

    static final class Import implements Shape.Unit {
        static final List<Row> rows = new ArrayList<>();

        public void run(long n) {
            if (n % 1000 == 0) {
                Thread t =
                        new Thread(
                                () -> {
                                    for (int i = 0; i < 1000; i++) {
                                        rows.add(new Row());
                                    }
                                },
                                "import");
                t.start();
            }
        }
    }

    static final class Counts implements Shape.Unit {
        static final java.util.TreeMap<Integer, Integer> counts = new java.util.TreeMap<>();

        public void run(long n) {
            counts.merge((int) (n * 2654435761L), 1, Integer::sum);
        }
    }

    static final class Matrix {
        final long[] cells = new long[1500];
    }

    static final class Matrices implements Shape.Unit {
        static final List<Matrix> all = new ArrayList<>();

        public void run(long n) {
            all.add(new Matrix());
        }
    }

    static final class Series implements Shape.Unit {
        static final List<double[]> chunks = new ArrayList<>();

        public void run(long n) {
            chunks.add(new double[256]);
        }
    }

    static final class Trace implements Shape.Unit {
        static final StringBuilder text = new StringBuilder();

        public void run(long n) {
            text.append("request ")
                    .append(n)
                    .append(" done in ")
                    .append(n % 77)
                    .append(" ms at ")
                    .append(System.nanoTime())
                    .append('\n');
        }
    }

    static final class Left {
        final byte[] b = new byte[200];
    }

    static final class Right {
        final byte[] b = new byte[200];
    }

    static final class Both implements Shape.Unit {
        static final List<Left> left = new ArrayList<>();
        static final Map<Long, Right> right = new HashMap<>();

        public void run(long n) {
            left.add(new Left());
            right.put(n, new Right());
        }
    }

    static final class Leaf {
        final byte[] b = new byte[200];
    }

    static final class D5 {
        final List<Leaf> leaves = new ArrayList<>();
    }

    static final class D4 {
        final Map<String, D5> m = new HashMap<>();
    }

    static final class D3 {
        final List<D4> l = new ArrayList<>();
    }

    static final class D2 {
        final D3[] a = {new D3()};
    }

    static final class D1 implements Shape.Unit {
        final D2 d2 = new D2();

        D1() {
            D4 d4 = new D4();
            d2.a[0].l.add(d4);
            d4.m.put("x", new D5());
        }

        public void run(long n) {
            d2.a[0].l.get(0).m.get("x").leaves.add(new Leaf());
        }
    }

    static final class Rec {
        final byte[] b = new byte[200];
    }

    enum Store {
        INSTANCE;
        final List<Rec> records = new java.util.LinkedList<>();
    }

    static final class Stores implements Shape.Unit {
        public void run(long n) {
            Store.INSTANCE.records.add(new Rec());
        }
    }

    static final class Conn {
        final byte[] b = new byte[200];
    }

    static final class Conns implements Shape.Unit {
        static final List<Conn> open = java.util.Collections.synchronizedList(new ArrayList<>());

        public void run(long n) {
            open.add(new Conn());
        }
    }

    static final class Work {
        final byte[] b = new byte[200];
    }

    static final class Looper implements Shape.Unit {
        final java.util.concurrent.SynchronousQueue<Work> in =
                new java.util.concurrent.SynchronousQueue<>();

        Looper() {
            Thread t = new Thread(() -> loop(in), "looper");
            t.setDaemon(true);
            t.start();
        }

        static void loop(java.util.concurrent.SynchronousQueue<Work> in) {
            List<Work> seen = new ArrayList<>();
            try {
                while (true) {
                    seen.add(in.take());
                }
            } catch (InterruptedException e) {
                System.out.println(seen.size());
            }
        }

        public void run(long n) throws Exception {
            in.put(new Work());
        }
    }

    static final class Job {
        final byte[] b = new byte[200];
    }

    static final class Jobs implements Shape.Unit {
        static final Map<Long, Job> running = new ConcurrentHashMap<>();

        public void run(long n) {
            running.put(n, new Job());
            if (n > 200 && n % 2 == 0) {
                running.remove(n - 200);
            }
        }
    }
}
