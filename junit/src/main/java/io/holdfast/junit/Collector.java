package io.holdfast.junit;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;

/** What this JVM's collector does when it is asked to collect. Stateless; any thread. */
final class Collector {
    private static final String DIAGNOSTIC_COMMAND = "com.sun.management:type=DiagnosticCommand";

    /** Answers what the flag of that name is; empty if there is no such flag. */
    interface Flags {
        String value(String name);
    }

    private final Flags flags;
    private final List<String> collectors;
    private final List<String> arguments;

    Collector(Flags flags, List<String> collectors, List<String> arguments) {
        this.flags = flags;
        this.collectors = List.copyOf(collectors);
        this.arguments = List.copyOf(arguments);
    }

    static Collector ofThisJvm() {
        return new Collector(Collector::flag, ManagementFactory.getGarbageCollectorMXBeans().stream().map(GarbageCollectorMXBean::getName).toList(),
                ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    private static String flag(String name) {
        try {
            return ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class).getVMOption(name).getValue();
        } catch (RuntimeException | LinkageError unknown) {
            return "";
        }
    }

    /** Why no verdict can be had in this JVM; empty if one can. */
    Optional<String> whyNot() {
        if (set("UseEpsilonGC")) {
            return Optional.of("Epsilon (-XX:+UseEpsilonGC) never collects anything");
        }
        if (set("DisableExplicitGC")) {
            return Optional.of("-XX:+DisableExplicitGC switches off the collections this assertion asks for; remove it from the test JVM");
        }
        if (set("ExplicitGCInvokesConcurrent") && set("UseG1GC")) {
            return Optional.of("-XX:+ExplicitGCInvokesConcurrent makes G1 answer with a concurrent cycle, which may spare what died meanwhile; "
                    + "remove it from the test JVM");
        }
        return Optional.empty();
    }

    /** Why class loaders stay whatever is done; empty if they do not. */
    Optional<String> whyNoUnloading() {
        return "false".equals(flags.value("ClassUnloading")) ? Optional.of("class unloading is switched off (-Xnoclassgc or -XX:-ClassUnloading)")
                : Optional.empty();
    }

    /** Why an object that is alive proves nothing; empty if it does. */
    Optional<String> whyAliveProvesNothing() {
        return arguments.stream().filter(a -> a.startsWith("-agentlib:jdwp") || a.startsWith("-Xrunjdwp")).findFirst()
                .map(a -> "a debugger can attach to this JVM (" + a + "), and debuggers keep objects alive");
    }

    private boolean set(String flag) {
        return "true".equals(flags.value(flag));
    }

    /** Names of the collectors, for people. */
    String names() {
        return collectors.stream().collect(Collectors.joining(", "));
    }

    /** Asks for a collection in the usual way. */
    void collect() {
        System.gc();
    }

    /** Asks by way of the diagnostic command {@code GC.run}; does nothing where there is none. */
    void collectByCommand() {
        try {
            ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName(DIAGNOSTIC_COMMAND), "gcRun", null, null);
        } catch (JMException | RuntimeException absent) {
            // no HotSpot, or no such command: the canary tells
        }
    }
}
