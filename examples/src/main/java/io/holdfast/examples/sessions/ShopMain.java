package io.holdfast.examples.sessions;

import io.holdfast.Holdfast;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A web shop in miniature, with one bug: logging out does not remove the session from {@link SessionRegistry}. Two request threads serve pages,
 * of which nearly all memory is garbage at once; visitors log in, look around and log out.
 *
 * <p>The only line about Holdfast is {@code Holdfast.start()}.
 */
public final class ShopMain {
    private static final int LOGINS_PER_SECOND = 100;
    private static final int PAGES_PER_LOGIN = 40;
    private static final int THREADS = 2;

    private ShopMain() { }

    /**
     * Runs the shop.
     *
     * @param args seconds to run; default 60
     */
    public static void main(String[] args) throws InterruptedException {
        Holdfast.start();
        open(args);
    }

    static void open(String[] args) throws InterruptedException {
        int seconds = args.length > 0 ? Integer.parseInt(args[0]) : 60;
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        ExecutorService requests = Executors.newFixedThreadPool(THREADS, new RequestThreads());
        for (int i = 0; i < THREADS; i++) {
            int worker = i;
            requests.execute(() -> serve(worker, end));
        }
        requests.shutdown();
        requests.awaitTermination(seconds + 10L, TimeUnit.SECONDS);
        System.out.println("shop closed; " + SessionRegistry.active() + " sessions are still registered, nobody is logged in");
    }

    private static void serve(int worker, long end) {
        Random random = new Random(worker);
        Deque<Session> visitors = new ArrayDeque<>();
        Map<String, String> recentPages = new HashMap<>();
        long visits = 0;
        while (System.nanoTime() < end) {
            Session session = login("visitor-" + worker + "-" + visits++, random);
            visitors.addLast(session);
            for (int page = 0; page < PAGES_PER_LOGIN; page++) {
                recentPages.put("page-" + random.nextInt(500), render(page, random));
            }
            if (visitors.size() > 50) {
                SessionRegistry.logout(visitors.removeFirst());
            }
            pause(1_000 * THREADS / LOGINS_PER_SECOND);
        }
    }

    private static Session login(String user, Random random) {
        Session session = new Session(user, 500 + random.nextInt(1_500));
        SessionRegistry.login(session);
        return session;
    }

    private static String render(int page, Random random) {
        StringBuilder html = new StringBuilder("<html><h1>Page ").append(page).append("</h1>");
        for (int i = 0; i < 60; i++) {
            html.append("<p>").append(Long.toHexString(random.nextLong())).append("</p>");
        }
        return html.append("</html>").toString();
    }

    private static void pause(int millis) {
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
