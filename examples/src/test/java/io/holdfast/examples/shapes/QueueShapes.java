package io.holdfast.examples.shapes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Queues without a consumer, tasks that never run. */
final class QueueShapes {
    private static final String P = "io.holdfast.examples.shapes.QueueShapes$";

    private QueueShapes() { }

    static List<Shape> all() {
        return List.of(
                Shape.leak(
                        "concurrent-linked-queue",
                        100,
                        P + "Event",
                        P + "EventBus#pending",
                        EventBus::new),
                Shape.leak(
                        "concurrent-linked-deque",
                        100,
                        P + "Undo",
                        P + "UndoStack#steps",
                        UndoStack::new),
                Shape.leak(
                        "linked-transfer-queue",
                        100,
                        P + "Parcel",
                        P + "Depot#parcels",
                        Depot::new),
                Shape.leak(
                        "array-deque-in-map-value",
                        100,
                        P + "Sample",
                        P + "Window#samples",
                        QueueShapes::window),
                Shape.leak(
                        "executor-queue-lambdas",
                        100,
                        P
                                + "Exporter$$Lambda* java.util.concurrent.FutureTask"
                                + " java.util.concurrent.LinkedBlockingQueue$Node "
                                + P
                                + "Document",
                        P + "Exporter#executor java.util.concurrent.ThreadPoolExecutor#workQueue",
                        Exporter::new),
                Shape.leak(
                        "periodic-tasks",
                        60,
                        P
                                + "Heartbeat"
                                + " java.util.concurrent.ScheduledThreadPoolExecutor$ScheduledFutureTask"
                                + " java.util.concurrent.Executors$RunnableAdapter",
                        "java.util.concurrent.ThreadPoolExecutor#workQueue"
                            + " java.util.concurrent.ScheduledThreadPoolExecutor$DelayedWorkQueue#queue",
                        Heartbeats::new),
                Shape.leak(
                        "timer-tasks",
                        60,
                        P + "Reminder",
                        "java.util.TimerThread#queue java.util.TaskQueue#queue"
                            + " java.util.Timer#queue",
                        Reminders::new),
                Shape.leak(
                        "fork-join-queue",
                        100,
                        P + "Blob java.util.concurrent.ForkJoinTask* " + P + "Packer$$Lambda*",
                        "java.util.concurrent.ForkJoinPool#queues"
                            + " java.util.concurrent.ForkJoinPool$WorkQueue#array",
                        Packer::new),
                Shape.leak(
                        "future-dependents",
                        100,
                        "java.util.concurrent.CompletableFuture* "
                                + P
                                + "Gate$$Lambda* "
                                + P
                                + "Waiter",
                        P + "Gate#opened java.util.concurrent.CompletableFuture#stack",
                        Gate::new),
                Shape.leak(
                        "future-chain",
                        100,
                        "java.util.concurrent.CompletableFuture* "
                                + P
                                + "Serial$$Lambda* "
                                + P
                                + "Step",
                        P
                                + "Serial#tail java.util.concurrent.CompletableFuture#stack"
                                + " java.util.concurrent.CompletableFuture$Completion#next",
                        Serial::new),
                Shape.leak(
                        "threads-parked",
                        20,
                        P + "Poller java.lang.Thread " + P + "PollerState",
                        "java.lang.ThreadGroup#threads java.lang.Thread#target"
                            + " java.lang.Thread$FieldHolder#task",
                        Pollers::new));
    }

    static final class Event {
        final String name;
        final byte[] data = new byte[250];

        Event(String n) {
            name = n;
        }
    }

    static final class EventBus implements Shape.Unit {
        final Queue<Event> pending = new ConcurrentLinkedQueue<>();

        public void run(long n) {
            pending.add(new Event("event " + n));
        }
    }

    static final class Undo {
        final String text;
        final Runnable how;

        Undo(String t) {
            text = t;
            how = () -> System.out.println(t);
        }
    }

    static final class UndoStack implements Shape.Unit {
        final Deque<Undo> steps = new ConcurrentLinkedDeque<>();

        public void run(long n) {
            steps.addFirst(new Undo("typed " + n));
        }
    }

    static final class Parcel {
        final String to;
        final byte[] x = new byte[200];

        Parcel(String t) {
            to = t;
        }
    }

    static final class Depot implements Shape.Unit {
        final LinkedTransferQueue<Parcel> parcels = new LinkedTransferQueue<>();

        public void run(long n) {
            parcels.put(new Parcel("street " + n));
        }
    }

    static final class Sample {
        final long at = System.nanoTime();
        final double v;

        Sample(double v) {
            this.v = v;
        }
    }

    static final class Window {
        final String metric;
        final ArrayDeque<Sample> samples = new ArrayDeque<>();

        Window(String m) {
            metric = m;
        }
    }

    static final java.util.Map<String, Window> WINDOWS = new java.util.HashMap<>();

    static Shape.Unit window() {
        return n -> WINDOWS.computeIfAbsent("cpu", Window::new).samples.addLast(new Sample(n));
    }

    static final class Document {
        final byte[] text = new byte[500];
    }

    static final class Exporter implements Shape.Unit {
        final ExecutorService executor =
                Executors.newFixedThreadPool(
                        2,
                        r -> {
                            Thread t = new Thread(r, "exporter");
                            t.setDaemon(true);
                            return t;
                        });
        long written;

        public void run(long n) {
            Document d = new Document();
            executor.submit(() -> write(d));
        }

        void write(Document d) {
            LockSupport.parkNanos(100_000_000L);
            written += d.text.length;
        }
    }

    static final class Heartbeat implements Runnable {
        final String peer;
        final byte[] buffer = new byte[300];

        Heartbeat(String p) {
            peer = p;
        }

        public void run() {
            buffer[0]++;
        }
    }

    static final class Heartbeats implements Shape.Unit {
        final ScheduledExecutorService timer =
                Executors.newScheduledThreadPool(
                        1,
                        r -> {
                            Thread t = new Thread(r, "heartbeat");
                            t.setDaemon(true);
                            return t;
                        });

        public void run(long n) {
            timer.scheduleAtFixedRate(new Heartbeat("peer " + n), 5, 20, TimeUnit.SECONDS);
        }
    }

    static final class Reminder extends java.util.TimerTask {
        final String note;
        final byte[] b = new byte[200];

        Reminder(String n) {
            note = n;
        }

        public void run() {
            b[0]++;
        }
    }

    static final class Reminders implements Shape.Unit {
        final java.util.Timer timer = new java.util.Timer("reminders", true);

        public void run(long n) {
            timer.schedule(new Reminder("note " + n), 3_600_000, 3_600_000);
        }
    }

    static final class Blob {
        final byte[] b = new byte[400];
    }

    static final class Packer implements Shape.Unit {
        final ForkJoinPool pool = new ForkJoinPool(2);
        final CountDownLatch never = new CountDownLatch(1);

        Packer() {
            for (int i = 0; i < 2; i++) {
                pool.execute(
                        () -> {
                            try {
                                never.await();
                            } catch (InterruptedException e) {
                            }
                        });
            }
        }

        public void run(long n) {
            Blob b = new Blob();
            pool.execute(() -> b.b[0]++);
        }
    }

    static final class Waiter {
        final String who;
        final byte[] b = new byte[200];

        Waiter(String w) {
            who = w;
        }

        void go() {
            b[0]++;
        }
    }

    static final class Gate implements Shape.Unit {
        final CompletableFuture<Void> opened = new CompletableFuture<>();

        public void run(long n) {
            Waiter w = new Waiter("w" + n);
            opened.thenRun(w::go);
        }
    }

    static final class Step {
        final byte[] b = new byte[200];

        Object go(Object x) {
            b[0]++;
            return x;
        }
    }

    static final class Serial implements Shape.Unit {
        final CompletableFuture<Object> first = new CompletableFuture<>();
        CompletableFuture<Object> tail = first;

        public void run(long n) {
            Step s = new Step();
            tail = tail.thenApply(s::go);
        }
    }

    static final class PollerState {
        final byte[] b = new byte[4000];
        final List<String> log = new ArrayList<>();
    }

    static final class Poller implements Runnable {
        final PollerState state = new PollerState();

        public void run() {
            while (true) {
                LockSupport.parkNanos(Long.MAX_VALUE);
            }
        }
    }

    static final class Pollers implements Shape.Unit {
        public void run(long n) {
            Thread t = new Thread(null, new Poller(), "poller-" + n, 128 * 1024);
            t.setDaemon(true);
            t.start();
        }
    }
}
