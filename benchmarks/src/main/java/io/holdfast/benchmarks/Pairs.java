package io.holdfast.benchmarks;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs variants of a program round by round, each in a JVM of its own, the order turned each round, and compares each with the first variant of the same
 * round: what else the machine does at that time meets both. Arguments: rounds, directory for what they print, then for each variant its name and its
 * command in one argument. Reads lines like {@code steady operations 500 ns_cpu 81.2 ns_wall 80.1}.
 */
final class Pairs {
    private static final Pattern LINE = Pattern.compile("(\\S+) operations (\\d+) ns_cpu ([0-9.]+) ns_wall ([0-9.]+).*");

    private Pairs() { }

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[0]);
        Path directory = Files.createDirectories(Path.of(arguments[1]));
        List<String> names = new ArrayList<>();
        List<List<String>> commands = new ArrayList<>();
        for (int i = 2; i + 1 < arguments.length; i += 2) {
            names.add(arguments[i]);
            commands.add(List.of(arguments[i + 1].trim().split("\\s+")));
        }
        // By phase, by variant, one figure per round; NaN where a run failed.
        Map<String, double[][]> figures = new LinkedHashMap<>();
        for (int round = 0; round < rounds; round++) {
            for (int turn = 0; turn < names.size(); turn++) {
                int variant = (round + turn) % names.size();
                File output = directory.resolve(names.get(variant).replace(' ', '_') + "-" + round + ".log").toFile();
                Process process = new ProcessBuilder(commands.get(variant)).redirectErrorStream(true).redirectOutput(output).start();
                int status = process.waitFor();
                if (status != 0) {
                    System.out.println(names.get(variant) + " failed with " + status + ": " + output);
                }
                for (String line : Files.readAllLines(output.toPath())) {
                    Matcher matcher = LINE.matcher(line);
                    if (matcher.matches()) {
                        figures.computeIfAbsent(matcher.group(1), phase -> empty(names.size(), rounds))[variant][round] = Double.parseDouble(matcher.group(3));
                    }
                }
            }
        }
        figures.forEach((phase, ofVariants) -> print(phase, names, ofVariants));
    }

    private static double[][] empty(int variants, int rounds) {
        double[][] empty = new double[variants][rounds];
        Arrays.stream(empty).forEach(row -> Arrays.fill(row, Double.NaN));
        return empty;
    }

    private static void print(String phase, List<String> names, double[][] ofVariants) {
        System.out.println(phase + ": ns CPU per operation, median; ratio to " + names.get(0) + " of the same round, median (smallest-largest)");
        for (int variant = 0; variant < names.size(); variant++) {
            double[] ratios = new double[ofVariants[0].length];
            for (int round = 0; round < ratios.length; round++) {
                ratios[round] = ofVariants[variant][round] / ofVariants[0][round];
            }
            double[] sorted = sorted(ratios);
            System.out.printf(Locale.ROOT, "  %-28s %12.2f   %s%n", names.get(variant), median(sorted(ofVariants[variant])), sorted.length == 0 ? "-"
                    : String.format(Locale.ROOT, "%.3f (%.3f-%.3f) of %d", median(sorted), sorted[0], sorted[sorted.length - 1], sorted.length));
        }
    }

    private static double[] sorted(double[] values) {
        return Arrays.stream(values).filter(value -> !Double.isNaN(value)).sorted().toArray();
    }

    private static double median(double[] sorted) {
        int half = sorted.length / 2;
        return sorted.length == 0 ? Double.NaN : sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }
}
