package io.holdfast.examples.shapes;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/**
 * Runs every shape, or the named ones, under the agent, one JVM after the other, and prints what was found of each. Not a test: an hour long, and it
 * depends on the machine whether a leak is found within the time. Exit status 0 if all are good. Arguments: AGENT.JAR DIRECTORY [NAME ...].
 *
 * <p>System properties: {@code shapes.seconds} for a leak (default 60), {@code shapes.controlSeconds} (120), {@code shapes.options} of the agent,
 * {@code shapes.flags} of the JVM.
 */
final class ShapeTable {
    private static final String ROW = "%-30s %-13s %-5s %-6s %-5s %s%n";
    /** A program that has not ended this long after its time hangs. */
    private static final long GRACE_SECONDS = 120;

    private ShapeTable() { }

    public static void main(String[] args) throws Exception {
        Path agent = Path.of(args[0]).toAbsolutePath();
        Path directory = Files.createDirectories(Path.of(args[1])).toAbsolutePath();
        List<String> wanted = Arrays.asList(args).subList(2, args.length);
        List<String> unknown = new ArrayList<>(wanted);
        unknown.removeAll(LeakShapes.all().stream().map(Shape::name).toList());
        if (!unknown.isEmpty()) {
            System.out.println("no such shape: " + unknown);
            System.exit(2);
        }
        System.out.printf(ROW, "shape", "verdict", "rank", "extra", "load", "reported");
        int good = 0;
        int total = 0;
        for (Shape shape : LeakShapes.all()) {
            if (wanted.isEmpty() || wanted.contains(shape.name())) {
                total++;
                good += run(shape, agent, directory) ? 1 : 0;
            }
        }
        System.out.println(good + " of " + total + " good");
        System.exit(good == total ? 0 : 1);
    }

    private static boolean run(Shape shape, Path agent, Path directory) throws IOException, InterruptedException {
        Path report = directory.resolve(shape.name() + ".json");
        Files.deleteIfExists(report);
        long seconds = shape.leaking().isEmpty() ? Long.getLong("shapes.controlSeconds", 120) : Long.getLong("shapes.seconds", 60);
        List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx" + shape.heapMb() + "m"));
        Arrays.stream(System.getProperty("shapes.flags", "").split(" ")).filter(flag -> !flag.isBlank()).forEach(command::add);
        command.addAll(List.of("-javaagent:" + agent + "=" + System.getProperty("shapes.options", "generations=true,referencechains=true") + ",report=" + report,
                "-cp", System.getProperty("java.class.path"), LeakShapes.class.getName(), shape.name(), Long.toString(seconds)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(directory.resolve(shape.name() + ".log").toFile()).start();
        if (!process.waitFor(seconds + GRACE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        if (process.exitValue() != 0 || !Files.exists(report)) {
            System.out.printf(Locale.ROOT, ROW, shape.name(), "BROKEN", "-", "-", Math.round(load), "exit status " + process.exitValue());
            return false;
        }
        JsonObject json = JsonParser.parseString(Files.readString(report)).getAsJsonObject();
        ShapeVerdict verdict = ShapeVerdict.of(json, shape);
        StringJoiner reported = new StringJoiner(", ");
        for (JsonElement leak : json.getAsJsonArray("leaks")) {
            reported.add(leak.getAsJsonObject().get("class").getAsString());
        }
        System.out.printf(Locale.ROOT, ROW, shape.name(), verdict.word(), verdict.rank() == 0 ? "-" : verdict.rank(), verdict.extra(), Math.round(load), reported);
        return verdict.good();
    }
}
