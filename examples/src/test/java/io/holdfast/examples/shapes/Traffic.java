package io.holdfast.examples.shapes;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Healthy background work around the leak: garbage of all ages, bounded caches, populations that
 * rise and fall. Nothing here grows for ever, whatever it looks like over ten seconds.
 */
final class Traffic implements Runnable {
    static final class Request {
        final String path;
        final Map<String, String> headers = new HashMap<>();
        final byte[] body;

        Request(String path, byte[] body) {
            this.path = path;
            this.body = body;
        }
    }

    static final class Session {
        final long id;
        final List<String> trail = new ArrayList<>();
        final byte[] state;

        Session(long id, byte[] state) {
            this.id = id;
            this.state = state;
        }
    }

    static final class Row {
        final long key;
        final String text;

        Row(long key, String text) {
            this.key = key;
            this.text = text;
        }
    }

    private final int kbPerSecond;
    private final Random random = new Random(42);
    private final ArrayDeque<Session> sessions = new ArrayDeque<>();
    private final List<Row> batch = new ArrayList<>();
    private final Map<String, String> lru =
            new LinkedHashMap<>(256, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, String> e) {
                    return size() > 2000;
                }
            };
    volatile long sink;

    private Traffic(int kbPerSecond) {
        this.kbPerSecond = kbPerSecond;
    }

    /** Starts one daemon thread that allocates about mbPerSecond. */
    public static Traffic start(int mbPerSecond) {
        Traffic t = new Traffic(mbPerSecond * 1024);
        Thread th = new Thread(t, "traffic");
        th.setDaemon(true);
        th.start();
        return t;
    }

    @Override
    public void run() {
        long n = 0;
        long t0 = System.nanoTime();
        while (true) {
            // one request is about 6 KB of garbage, all told
            request(n++);
            double due = (System.nanoTime() - t0) / 1e9 * kbPerSecond / 6.0;
            while (n > due) {
                try {
                    Thread.sleep(3);
                } catch (InterruptedException e) {
                    return;
                }
                due = (System.nanoTime() - t0) / 1e9 * kbPerSecond / 6.0;
            }
        }
    }

    private void request(long n) {
        Request r =
                new Request(
                        "/shop/item/" + random.nextInt(50_000),
                        new byte[1024 + random.nextInt(2048)]);
        for (int i = 0; i < 6; i++) {
            r.headers.put("x-header-" + i, Long.toHexString(random.nextLong()));
        }
        StringBuilder sb = new StringBuilder();
        for (String v : r.headers.values()) {
            sb.append(v).append(';');
        }
        lru.put(r.path, sb.toString());
        sink += sb.length() + r.body.length;
        if (n % 5 == 0) { // sessions live for some seconds, then go
            Session s = new Session(n, new byte[700]);
            s.trail.add(r.path);
            sessions.addLast(s);
            if (sessions.size() > 3000) {
                sessions.pollFirst();
            }
        }
        batch.add(new Row(n, r.path)); // a batch fills up, then is flushed
        if (batch.size() > 30_000) {
            batch.clear();
        }
    }
}
