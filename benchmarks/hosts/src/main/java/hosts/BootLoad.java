package hosts;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Requests at a fixed rate whatever becomes of them, until it is ended; every ten seconds a line of latencies counted from when a request was due. Arguments: port,
 * requests a second.
 */
final class BootLoad {
    private BootLoad() { }

    public static void main(String[] arguments) throws Exception {
        String base = "http://127.0.0.1:" + arguments[0];
        long gap = 1_000_000_000L / Integer.parseInt(arguments[1]);
        HttpClient client = HttpClient.newHttpClient();
        SplittableRandom random = new SplittableRandom(5);
        long[] latencies = new long[10 * Integer.parseInt(arguments[1])];
        long due = System.nanoTime();
        int errors = 0;
        for (int i = 0;; i++) {
            due += gap;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            int kind = random.nextInt(10);
            HttpRequest.Builder request = HttpRequest.newBuilder();
            if (kind < 5) {
                request.uri(URI.create(base + "/owners?name=owner" + random.nextInt(60)));
            } else if (kind < 8) {
                request.uri(URI.create(base + "/owner?id=" + (1 + random.nextInt(300))));
            } else {
                request.uri(URI.create(base + "/owners?name=new" + random.nextInt(50) + "&city=c")).POST(HttpRequest.BodyPublishers.noBody());
            }
            errors += client.send(request.build(), HttpResponse.BodyHandlers.discarding()).statusCode() == 200 ? 0 : 1;
            latencies[i % latencies.length] = System.nanoTime() - due;
            if (i % latencies.length == latencies.length - 1) {
                Arrays.sort(latencies);
                System.out.printf(Locale.ROOT, "latency ms p50 %.2f p99 %.2f max %.2f errors %d%n", latencies[latencies.length / 2] / 1e6,
                        latencies[latencies.length * 99 / 100] / 1e6, latencies[latencies.length - 1] / 1e6, errors);
                if (errors > i / 10) {
                    throw new IllegalStateException(errors + " errors in " + (i + 1) + " requests");
                }
            }
        }
    }
}
