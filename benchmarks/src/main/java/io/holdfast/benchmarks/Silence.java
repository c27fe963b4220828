package io.holdfast.benchmarks;

import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Runs healthy programs under Holdfast, some at a time, and prints a line for each: whether it was silent, and if a leak was planted, whether that and nothing
 * else was reported. Arguments: {@code silence} or {@code planted}, seconds each is to run, how many at a time, directory, then for each program its name and its
 * command in one argument; the command writes its report to {@code NAME.json} in that directory and may use {@code NAME.tmp} for its files. The report that first
 * shows a leak which is none is kept beside it. The exit status is 1 when one was not good.
 */
final class Silence {
    /** To start, to stop, and for a machine that has other things to do. */
    private static final long GRACE_SECONDS = 300;
    private static final long POLL_MILLIS = 500;

    private final Path directory;
    private final boolean planted;
    private final long seconds;

    private Silence(Path directory, boolean planted, long seconds) {
        this.directory = directory;
        this.planted = planted;
        this.seconds = seconds;
    }

    public static void main(String[] arguments) throws Exception {
        Silence silence = new Silence(Files.createDirectories(Path.of(arguments[3])), arguments[0].equals("planted"), Long.parseLong(arguments[1]));
        ExecutorService executor = Executors.newFixedThreadPool(Integer.parseInt(arguments[2]));
        List<Future<Boolean>> runs = new ArrayList<>();
        for (int i = 4; i + 1 < arguments.length; i += 2) {
            String name = arguments[i];
            List<String> command = List.of(arguments[i + 1].trim().split("\\s+"));
            Callable<Boolean> run = () -> silence.run(name, command);
            runs.add(executor.submit(run));
        }
        executor.shutdown();
        boolean good = true;
        for (Future<Boolean> run : runs) {
            good &= run.get();
        }
        System.exit(good ? 0 : 1);
    }

    private boolean run(String name, List<String> command) throws Exception {
        Path report = directory.resolve(name + ".json");
        Path output = directory.resolve(name + ".log");
        Path temporary = directory.resolve(name + ".tmp");
        Files.deleteIfExists(report);
        delete(temporary);
        Files.createDirectories(temporary);
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
        Thread ending = new Thread(process::destroyForcibly);
        Runtime.getRuntime().addShutdownHook(ending);
        HostVerdict verdict = new HostVerdict(planted);
        long end = start + TimeUnit.SECONDS.toNanos(seconds + GRACE_SECONDS);
        while (!process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
            if (System.nanoTime() > end) {
                process.destroyForcibly();
            }
            look(name, verdict, report, output, start);
        }
        look(name, verdict, report, output, start);
        Runtime.getRuntime().removeShutdownHook(ending);
        delete(temporary);
        if (process.exitValue() != 0 || !Files.exists(report)) {
            System.out.printf("%-9s FAILED with %d: %s%n", name, process.exitValue(), output);
            return false;
        }
        System.out.printf("%-9s %s%n", name, verdict.line(Files.readAllLines(output)));
        return verdict.good();
    }

    private void look(String name, HostVerdict verdict, Path report, Path output, long start) throws IOException {
        double now = (System.nanoTime() - start) / 1e9;
        if (Files.exists(output) && Files.readAllLines(output).contains("leaking begins")) {
            verdict.leakingBegins(now);
        }
        // Moved into place when it is whole.
        if (Files.exists(report)) {
            String json = Files.readString(report);
            verdict.look(JsonParser.parseString(json).getAsJsonObject(), now);
            if (verdict.seenMoreFalse()) {
                // The leak may be withdrawn; this says why it was reported.
                Files.writeString(directory.resolve(String.format("%s-false-at-%.0f.json", name, now)), json);
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }
}
