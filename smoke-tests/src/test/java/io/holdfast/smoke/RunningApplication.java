package io.holdfast.smoke;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An executable jar in a JVM of its own, on a port of its own, with somebody who asks for a page over and over. */
final class RunningApplication implements AutoCloseable {
    private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");
    private static final long LIMIT_NANOS = Duration.ofMinutes(10).toNanos();
    private static final Duration REQUEST_LIMIT = Duration.ofMinutes(5);

    private final HttpClient client = HttpClient.newHttpClient();
    private final Path log;
    private final Process process;
    private final String address;
    private volatile Thread visitor;
    private volatile boolean closing;

    RunningApplication(Path directory, Path jar, String... arguments) throws IOException, InterruptedException {
        log = directory.resolve("application.log");
        // Its own copy: it loads classes until the end, and a build beside this one writes a jar anew in place.
        Path copy = Files.copy(jar, directory.resolve("application.jar"));
        // The flag is the one with which Boot's own Maven plugin runs applications: they are up in half of the CPU time, and several start at once.
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-XX:TieredStopAtLevel=1",
                "-jar", copy.toString(), "--server.port=0", "--management.endpoints.web.exposure.include=*", "--management.endpoint.health.show-details=always",
                // What goes wrong is told in the answer.
                "--server.error.include-stacktrace=always", "--server.error.include-exception=true", "--server.error.include-message=always"));
        command.addAll(List.of(arguments));
        process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
        until("it is up", () -> PORT.matcher(log()).find());
        Matcher port = PORT.matcher(log());
        port.find();
        address = "http://localhost:" + port.group(1);
    }

    /** Asks for pages one after the other until the application is closed. */
    void visit(String path, int perSecond) {
        visitor = new Thread(() -> {
            while (!closing) {
                answers(path, 200); // if none did, what the test waits for would never come
                LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1) / perSecond);
            }
        }, "visitor");
        visitor.setDaemon(true);
        visitor.start();
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(address + path)).timeout(REQUEST_LIMIT).build(), HttpResponse.BodyHandlers.ofString());
    }

    /** Whether it answers with that status now. */
    boolean answers(String path, int status) {
        try {
            return get(path).statusCode() == status;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    String body(String path) {
        try {
            HttpResponse<String> response = get(path);
            if (response.statusCode() != 200) {
                throw new AssertionError(path + " answers " + response.statusCode() + ": " + response.body() + "\n" + log());
            }
            return response.body();
        } catch (IOException e) {
            throw new AssertionError(path + ": " + e + "\n" + log(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** Waits for a condition; generously, since several applications share few cores. */
    void until(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            if (!process.isAlive() || System.nanoTime() - end > 0) {
                process.destroyForcibly();
                throw new AssertionError("never: " + what + "\n" + log());
            }
            TimeUnit.MILLISECONDS.sleep(500);
        }
    }

    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return "";
        }
    }

    /** Ends it as a container would, and says whether it went. */
    boolean stops() throws InterruptedException {
        closing = true;
        if (visitor != null) {
            visitor.join(); // what is asked while the server goes down may end with an exception in its log
        }
        process.destroy();
        return process.waitFor(5, TimeUnit.MINUTES);
    }

    @Override
    public void close() {
        closing = true;
        process.destroyForcibly().onExit().join(); // then nobody writes into the directory any more
    }
}
