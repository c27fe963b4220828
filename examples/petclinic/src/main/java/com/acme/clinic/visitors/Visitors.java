package com.acme.clinic.visitors;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.TimeUnit;

/** A second program that visits the clinic, over HTTP, until it is stopped. */
public final class Visitors {
    private static final int REQUESTS_PER_SECOND = 60;

    private Visitors() { }

    /**
     * Visits.
     *
     * @param args address of the clinic, {@code http://localhost:8080}
     */
    public static void main(String[] args) throws IOException, InterruptedException {
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; ; i++) {
            URI page = URI.create(args[0] + "/owners?start=" + (char) ('A' + i % 26) + "&page=" + i % 3);
            client.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.discarding());
            TimeUnit.MILLISECONDS.sleep(1_000 / REQUESTS_PER_SECOND);
        }
    }
}
