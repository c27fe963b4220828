package io.holdfast.agent;

import io.holdfast.core.Counters;
import io.holdfast.core.GcEpochs;
import io.holdfast.core.TrustedLookup;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles whole source trees, in a JVM whose every class counts its allocations, the JDK's and the compiler's. Arguments: plain or allsites, output, sources. */
final class CompilerProgram {
    private CompilerProgram() { }

    public static void main(String[] arguments) throws Exception {
        if (arguments[0].equals("plain")) {
            System.out.println("compiled: " + (compile(arguments) == 0));
            return;
        }
        Instrumentation jvm = SelfAttach.attach().instrumentation();
        VirtualTicker ticker = new VirtualTicker();
        Counters counters = new Counters();
        SampledAllocations sampled = new SampledAllocations(ticker, counters, new SplittableRandom(1), System.out::println);
        sampled.budget(0);
        AllocationInstrumentation instrumentation = AllocationInstrumentation.install(jvm, TrustedLookup.fromInstrumentation(jvm).orElseThrow(),
                sample -> true, new GcEpochs(), ticker, counters, new SplittableRandom(), null, new HookSettings(false, true, sampled, List.of()));
        long[] bytes = new long[1];
        sampled.addListener((thread, object, type, size) -> bytes[0] += (long) SampledAllocations.weight(size, 64 * 1_024));
        sampled.interval(64 * 1_024);
        ticker.advance(6);
        instrumentation.maintain(ticker.nanos(), List.of());
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) java.lang.management.ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        bytes[0] = 0;
        System.out.println("compiled: " + (compile(arguments) == 0));
        double share = (double) bytes[0] / (threads.getCurrentThreadAllocatedBytes() - before);
        instrumentation.close();
        System.out.println("share of all bytes that was counted: " + Math.round(share * 100) + " %");
        System.out.println("refused: " + counters.get(AllocationInstrumentation.CLASSES_REFUSED));
    }

    private static int compile(String[] arguments) throws Exception {
        List<String> options = new ArrayList<>(List.of("-proc:none", "-nowarn", "-parameters", "--release", "17", "-cp",
                System.getProperty("java.class.path"), "-d", arguments[1]));
        for (int i = 2; i < arguments.length; i++) {
            try (Stream<Path> files = Files.walk(Path.of(arguments[i]))) {
                files.filter(file -> file.toString().endsWith(".java")).sorted().forEach(file -> options.add(file.toString()));
            }
        }
        return ToolProvider.getSystemJavaCompiler().run(null, null, null, options.toArray(String[]::new));
    }
}
